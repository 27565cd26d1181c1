package dev.fairlane.e2e.check;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What a checker found, and how much it had to look at. */
public record Findings(List<Violation> violations, Seen seen) {
    private static final Set<Rule> LOSSES = EnumSet.of(Rule.LOST, Rule.NEVER_ENDED);

    /**
     * @param acked jobs the server answered for
     * @param unknownCalls submits whose outcome was not heard
     * @param rerunJobs jobs with more than one attempt
     * @param staleRefused outcomes of workers that had lost their lease
     * @param cancelled jobs cancelled while they waited
     * @param cancelsHeard handlers that were told while they ran
     * @param audited entries of the audit, of all readings
     * @param ticks of schedules that ran
     * @param limitsReached limits and quotas of which all was in use at some moment
     */
    public record Seen(
            long acked,
            long unknownCalls,
            long attempts,
            long rerunJobs,
            long staleRefused,
            long cancelled,
            long cancelsHeard,
            long audited,
            long ticks,
            long limitsReached) {}

    /** Acked jobs that are gone or never ended. */
    public long lost() {
        return violations.stream()
                .filter(violation -> LOSSES.contains(violation.rule()))
                .map(Violation::subject)
                .distinct()
                .count();
    }

    public long count(Rule rule) {
        return violations.stream().filter(violation -> violation.rule() == rule).count();
    }
}
