package dev.fairlane.core.shard;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.RefusalCode;
import org.jspecify.annotations.Nullable;

/** Submits that come again: an idempotency key leads to the first job, or to a refusal when the body is another. */
final class Repeats {
    private final KeySearch search;

    Repeats(KeySearch search) {
        this.search = search;
    }

    /** What the key of a submit leads to, or null when it is a new one. */
    @Nullable Answer answer(Command.Submit submit, long now) {
        NewJob job = submit.job();
        return switch (search.find(submit.tenant(), job.idempotencyKey(), submit.looked(), now)) {
            case KeySearch.Unknown _ -> null;
            case KeySearch.Stored stored -> new Answer.LookUpKey(stored.where());
            case KeySearch.Known known
            when known.bodyHash() != job.bodyHash() ->
                Answer.Refused.of(
                        RefusalCode.IDEMPOTENCY_KEY_REUSED,
                        "expected the body first sent with key \"" + job.idempotencyKey() + "\" (job " + known.id()
                                + "), but got another; use a new key for another job");
            case KeySearch.Known known ->
                known.state() == null
                        ? new Answer.NotInMemory(known.id())
                        : new Answer.Submitted(known.id(), known.state(), true);
        };
    }
}
