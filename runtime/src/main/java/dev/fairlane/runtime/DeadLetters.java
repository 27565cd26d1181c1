package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.DeadCount;
import dev.fairlane.journal.DeadFilter;
import dev.fairlane.journal.DeadQuery;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The dead-letter queue: jobs that were given up, looked at, brought back or removed. */
public interface DeadLetters {

    /** Stored dead letters in the order of their deaths. */
    CompletableFuture<Page> list(DeadQuery query);

    /** By tenant, type and class, the largest groups first, at most 1,000. */
    CompletableFuture<List<DeadCount>> count(DeadFilter filter);

    /**
     * Brings one back: {@link Answer.Replayed} or {@link Answer.Refused}.
     *
     * @param payload in place of the job's own; null to leave it
     * @param by name of the key that asks
     * @param author for the audit; null for none, here as in all that follows
     */
    CompletableFuture<Answer> replay(
            @Nullable TenantId scope,
            JobId id,
            @Nullable Payload payload,
            String by,
            String why,
            @Nullable Author author);

    default CompletableFuture<Answer> replay(
            @Nullable TenantId scope, JobId id, @Nullable Payload payload, String by, String why) {
        return replay(scope, id, payload, by, why, null);
    }

    /**
     * Begins to bring back all that fit and died before now, the oldest first.
     *
     * @param rate jobs a second, at most; 0: as fast as the node takes them
     * @param canaries jobs brought back first; the others follow when all of them have succeeded
     * @param unfit says why a job may not come back as it is, or nothing; called on threads of the store
     */
    CompletableFuture<Operation> replayAll(
            DeadFilter filter,
            int rate,
            int canaries,
            String by,
            String why,
            Function<JobSpec, Optional<String>> unfit,
            @Nullable Author author);

    /** The same, whatever the jobs are. */
    default CompletableFuture<Operation> replayAll(DeadFilter filter, int rate, int canaries, String by, String why) {
        return replayAll(filter, rate, canaries, by, why, job -> Optional.empty(), null);
    }

    /** Begins to remove all that fit and died before now, for good. */
    CompletableFuture<Operation> purge(DeadFilter filter, String by, String why, @Nullable Author author);

    default CompletableFuture<Operation> purge(DeadFilter filter, String by, String why) {
        return purge(filter, by, why, null);
    }

    /** @param next pass as {@code after} for the next page; null when this was the last */
    record Page(List<JobView> jobs, DeadQuery.@Nullable Place next) {}
}
