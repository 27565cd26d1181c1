package dev.fairlane.runtime;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.Notice;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts what was committed and what was released. Owned by the loop; others see it in {@link NodeStatus}. */
final class Meters {
    private final Map<String, Histogram> pickups = new HashMap<>();
    private static final int MAX_TYPES = 200;

    private final Map<String, Long> deadByType = new HashMap<>();
    private final Map<Notice.Kind, Long> noticed = new EnumMap<>(Notice.Kind.class);
    private long replayed;
    private long submitted;
    private long succeeded;
    private long retried;
    private long dead;
    private long cancelled;
    private long expired;
    private long commits;
    private long committedFacts;
    private long committedBytes;
    private long commitMicros;
    long refused;
    long dispatched;
    long leasesExpired;
    long staleResults;
    long turns;
    long longestTurnMicros;

    void committed(List<Fact> facts, int bytes, long micros) {
        commits++;
        committedFacts += facts.size();
        committedBytes += bytes;
        commitMicros += micros;
        for (Fact fact : facts) {
            switch (fact) {
                case Fact.JobAdded _ -> submitted++;
                case Fact.JobReplayed _ -> replayed++;
                case Fact.JobChanged changed -> retried += changed.status().state() == JobState.RETRY_WAIT ? 1 : 0;
                case Fact.JobEnded ended -> ended(ended.status().state());
                case Fact.JobRevised _,
                        Fact.GateSet _,
                        Fact.GroupAdded _,
                        Fact.GroupChanged _,
                        Fact.ScheduleSet _,
                        Fact.ScheduleMoved _,
                        Fact.ScheduleGone _,
                        Fact.TenantSet _,
                        Fact.TypeSet _,
                        Fact.Audited _ -> {}
            }
        }
    }

    /** Bounded: types beyond the first so many are counted together. */
    void died(String type) {
        boolean room = deadByType.size() < MAX_TYPES || deadByType.containsKey(type);
        deadByType.merge(room ? type : NodeStatus.DeadLetterCounts.OTHER_TYPES, 1L, Long::sum);
    }

    void noticed(Notice.Kind kind) {
        noticed.merge(kind, 1L, Long::sum);
    }

    Map<Notice.Kind, Long> noticed() {
        return Collections.unmodifiableMap(new EnumMap<>(noticed));
    }

    NodeStatus.DeadLetterCounts deadLetters() {
        return new NodeStatus.DeadLetterCounts(replayed, Map.copyOf(deadByType));
    }

    private void ended(JobState state) {
        switch (state) {
            case SUCCEEDED -> succeeded++;
            case DEAD -> dead++;
            case CANCELLED -> cancelled++;
            case EXPIRED -> expired++;
            case SCHEDULED, QUEUED, LEASED, RUNNING, RETRY_WAIT -> throw new IllegalStateException("ended as " + state);
        }
    }

    /** A first execution leaves for its worker. */
    void picked(JobSpec spec, JobStatus status, long now) {
        dispatched++;
        if (status.execution() == 1) {
            pickups.computeIfAbsent(spec.pool(), pool -> new Histogram())
                    .add(now - Math.max(spec.submittedAt(), spec.runAt()));
        }
    }

    NodeStatus.Counters counters(Flusher flusher) {
        return new NodeStatus.Counters(
                submitted,
                refused,
                dispatched,
                succeeded,
                retried,
                dead,
                cancelled,
                expired,
                leasesExpired,
                staleResults,
                commits,
                committedFacts,
                committedBytes,
                commitMicros,
                flusher.flushes,
                flusher.flushedRows,
                flusher.flushMicros,
                turns,
                longestTurnMicros);
    }

    Map<String, NodeStatus.Pickups> pickups() {
        Map<String, NodeStatus.Pickups> copy = new HashMap<>();
        pickups.forEach((pool, histogram) -> copy.put(pool, histogram.copy()));
        return copy;
    }
}
