package dev.fairlane.core.model;

/**
 * What few jobs say beyond the usual. One shared {@link #NONE} stands for all that say nothing.
 *
 * @param lane stream of work inside the tenant; {@link #DEFAULT_LANE} unless told
 * @param maxAgeMicros longest time from submit to the job's end; 0: as its type, then the node says
 * @param uniqueKey what makes the job one of a kind under its type's unique rule; empty: its payload does, where the type has a rule
 * @param group id of the group the job belongs to, empty when it belongs to none
 * @param webhook address told when the job ends, empty for none
 * @param exact due at exactly {@code runAt}: no jitter is added
 * @param revision grows with every change of the waiting job; its entity tag
 * @param needs what it needs to run, and whom it shares with
 * @param degraded it was taken while the node was near its bounds, and has to expect to wait
 */
public record JobTerms(
        String lane,
        long maxAgeMicros,
        String uniqueKey,
        String group,
        String webhook,
        boolean exact,
        int revision,
        JobNeeds needs,
        boolean degraded) {
    public static final String DEFAULT_LANE = "default";
    public static final JobTerms NONE = new JobTerms(DEFAULT_LANE, 0, "", "", "", false, 0);

    /** Terms of a job that needs nothing but a slot. */
    public JobTerms(
            String lane,
            long maxAgeMicros,
            String uniqueKey,
            String group,
            String webhook,
            boolean exact,
            int revision) {
        this(lane, maxAgeMicros, uniqueKey, group, webhook, exact, revision, JobNeeds.NONE);
    }

    /** Terms of a job that was taken while the node had room. */
    public JobTerms(
            String lane,
            long maxAgeMicros,
            String uniqueKey,
            String group,
            String webhook,
            boolean exact,
            int revision,
            JobNeeds needs) {
        this(lane, maxAgeMicros, uniqueKey, group, webhook, exact, revision, needs, false);
    }

    /** The same, as {@link #NONE} where it says nothing. */
    public JobTerms shared() {
        return equals(NONE) ? NONE : this;
    }

    public JobTerms inLane(String other) {
        return new JobTerms(other, maxAgeMicros, uniqueKey, group, webhook, exact, revision, needs, degraded).shared();
    }

    public JobTerms revised() {
        return new JobTerms(lane, maxAgeMicros, uniqueKey, group, webhook, exact, revision + 1, needs, degraded);
    }

    public JobTerms inGroup(String id) {
        return new JobTerms(lane, maxAgeMicros, uniqueKey, id, webhook, exact, revision, needs, degraded).shared();
    }

    public JobTerms withMaxAge(long micros) {
        return new JobTerms(lane, micros, uniqueKey, group, webhook, exact, revision, needs, degraded).shared();
    }

    public JobTerms needing(JobNeeds other) {
        return new JobTerms(lane, maxAgeMicros, uniqueKey, group, webhook, exact, revision, other, degraded).shared();
    }

    public JobTerms withUniqueKey(String key) {
        return new JobTerms(lane, maxAgeMicros, key, group, webhook, exact, revision, needs, degraded).shared();
    }

    public JobTerms asDegraded() {
        return new JobTerms(lane, maxAgeMicros, uniqueKey, group, webhook, exact, revision, needs, true);
    }
}
