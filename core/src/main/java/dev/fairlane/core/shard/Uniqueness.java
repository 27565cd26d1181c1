package dev.fairlane.core.shard;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.KeyName;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.TypeRules.During;
import dev.fairlane.core.model.TypeRules.UniqueRule;
import dev.fairlane.core.outcome.Deed;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One job of a kind, as the rule of its type says. Which job is the last of its kind is kept like an idempotency key, under a name of
 * its own, so it is known after a restart and for as long as the rule looks back.
 */
final class Uniqueness {
    private static final int NONE = ShardState.NONE;

    private final ShardState state;
    private final KeySearch search;
    private final Decider steps;
    private final Revisions revisions;

    Uniqueness(ShardState state, KeySearch search, Decider steps, Revisions revisions) {
        this.state = state;
        this.search = search;
        this.steps = steps;
        this.revisions = revisions;
    }

    /**
     * What becomes of a job that is not the only one of its kind, or null when nothing keeps it out.
     *
     * @param spec the job as it would be added
     * @param added what adding it would be decided as
     * @param leaving jobs that end in the same step if they wait: they keep nobody out by waiting
     */
    @Nullable Decision conflict(
            Command.Submit submit,
            @Nullable UniqueRule rule,
            JobSpec spec,
            Decision added,
            List<JobId> leaving,
            long now) {
        if (rule == null || spec.terms().uniqueKey().isEmpty()) {
            return null;
        }
        String name = KeyName.unique(spec.type(), spec.terms().uniqueKey());
        KeySearch.Result last = search.find(submit.tenant(), name, submit.looked(), now);
        boolean lasts = rule.during() == During.A_TIME;
        if (lasts && last instanceof KeySearch.Known known && !keepsOut(known, rule, leaving, now)) {
            last = search.beyondMemory(submit.tenant(), name, submit.looked(), now);
        }
        return switch (last) {
            case KeySearch.Unknown _ -> null;
            // Open jobs are in memory: only what ended may have to be looked for.
            case KeySearch.Stored stored -> lasts ? Decision.of(new Answer.LookUpKey(stored.where())) : null;
            case KeySearch.Known known ->
                keepsOut(known, rule, leaving, now) ? judge(rule, known, spec, added, now) : null;
        };
    }

    private boolean keepsOut(KeySearch.Known known, UniqueRule rule, List<JobId> leaving, long now) {
        boolean open = known.slot() != NONE
                && !(leaving.contains(known.id())
                        && state.jobs.state(known.slot()).waiting());
        return switch (rule.during()) {
            case QUEUED -> open && state.jobs.status(known.slot()).execution() == 0;
            case RUNNING -> open;
            case A_TIME -> known.submittedAt() + rule.periodMicros() > now;
        };
    }

    private Decision judge(UniqueRule rule, KeySearch.Known known, JobSpec spec, Decision added, long now) {
        boolean waits = known.slot() != NONE && state.jobs.state(known.slot()).waiting();
        return switch (rule.conflict()) {
            case RETURN_EXISTING -> existing(known);
            case REJECT -> rejected(rule, known, now);
            case REPLACE -> waits ? replaced(known, added, now) : rejected(rule, known, now);
            case DEBOUNCE -> waits ? debounced(known, spec, added, now) : rejected(rule, known, now);
        };
    }

    private static Decision existing(KeySearch.Known known) {
        return Decision.of(
                known.state() == null
                        ? new Answer.NotInMemory(known.id())
                        : new Answer.Submitted(known.id(), known.state(), true));
    }

    private static Decision rejected(UniqueRule rule, KeySearch.Known known, long now) {
        long over = rule.during() == During.A_TIME ? known.submittedAt() + rule.periodMicros() - now : 0;
        return Decision.of(new Answer.Refused(new Refusal(
                RefusalCode.UNIQUE_CONFLICT,
                "expected no other job of this kind, but there is " + known.id()
                        + (known.state() == null ? "" : ", " + known.state())
                        + "; wait for it, or cancel it",
                Math.max(0, over))));
    }

    /** The one that waits is cancelled in the same step. */
    private Decision replaced(KeySearch.Known known, Decision added, long now) {
        JobStatus was = state.jobs.status(known.slot());
        List<Fact> facts = new ArrayList<>();
        facts.add(steps.end(known.slot(), was, Deed.CANCEL, JobState.CANCELLED, was.attempts(), null, null, now));
        facts.addAll(added.facts());
        return new Decision(facts, added.answer());
    }

    /** The one that waits becomes what the new one asks for, and waits on; one whose spec is only stored is replaced. */
    private Decision debounced(KeySearch.Known known, JobSpec spec, Decision added, long now) {
        JobSpec was = state.jobs.spec(known.slot());
        if (was == null) {
            return replaced(known, added, now);
        }
        JobTerms terms = spec.terms();
        JobSpec becomes = new JobSpec(
                was.id(),
                was.tenant(),
                was.type(),
                was.pool(),
                spec.priority(),
                spec.payload(),
                spec.payloadVersion(),
                was.submittedAt(),
                spec.runAt(),
                spec.notAfter(),
                spec.maxAttempts(),
                spec.timeLimitMicros(),
                was.idempotencyKey(),
                was.bodyHash(),
                spec.tags(),
                spec.headers(),
                new JobTerms(
                        terms.lane(),
                        terms.maxAgeMicros(),
                        terms.uniqueKey(),
                        was.terms().group(),
                        was.terms().webhook(),
                        terms.exact(),
                        was.terms().revision() + 1,
                        terms.needs(),
                        was.terms().degraded()));
        Fact.JobRevised fact = revisions.revised(known.slot(), was, becomes, true, now);
        return Decision.of(new Answer.Submitted(known.id(), fact.status().state(), true), fact);
    }
}
