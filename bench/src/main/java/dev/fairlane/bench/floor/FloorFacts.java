package dev.fairlane.bench.floor;

import dev.fairlane.bench.load.Payloads;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.Token;
import dev.fairlane.journal.FactCodec;
import dev.fairlane.journal.Flush;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The three facts of a short job's life and the row it leaves, as the product writes them. */
final class FloorFacts {
    private static final TenantId TENANT = new TenantId(1);
    private static final String WORKER = "worker-1";
    private static final int MAX_ATTEMPTS = 6;
    private static final long TIME_LIMIT_MICROS = 30_000_000;
    private static final long MICROS_TO_LEASE = 4_000;
    private static final long MICROS_TO_END = 9_000;

    private final long epoch;

    FloorFacts(long epoch) {
        this.epoch = epoch;
    }

    private JobSpec spec(long sequence, long at) {
        JobId id = JobId.of(at / 1_000, 0, (int) (sequence % JobId.SHARDS), epoch, sequence);
        return new JobSpec(
                id,
                TENANT,
                Payloads.TYPE,
                PoolRules.SHORT,
                5,
                new Payload(Payloads.of(sequence), Payload.JSON),
                0,
                at,
                at,
                0,
                MAX_ATTEMPTS,
                TIME_LIMIT_MICROS,
                "",
                0,
                Map.of(),
                Map.of());
    }

    private JobStatus status(JobState state, long sequence, long at, long changedAt) {
        boolean leased = state != JobState.QUEUED;
        return new JobStatus(
                state,
                leased ? 1 : 0,
                leased ? 1 : 0,
                0,
                leased ? Token.of(epoch, sequence) : Token.NONE,
                leased ? WORKER : "",
                leased ? at + MICROS_TO_LEASE : 0,
                0,
                0,
                at,
                false,
                changedAt,
                List.of());
    }

    /** The bytes of three turns: all submitted, all leased, all ended. */
    List<byte[]> turns(int jobs, long at) {
        List<Fact> added = new ArrayList<>();
        List<Fact> leased = new ArrayList<>();
        List<Fact> ended = new ArrayList<>();
        for (int i = 1; i <= jobs; i++) {
            JobSpec spec = spec(i, at);
            added.add(new Fact.JobAdded(spec, status(JobState.QUEUED, i, at, at)));
            leased.add(new Fact.JobChanged(spec.id(), status(JobState.LEASED, i, at, at + MICROS_TO_LEASE)));
            ended.add(new Fact.JobEnded(
                    spec.id(), status(JobState.SUCCEEDED, i, at, at + MICROS_TO_END), Payload.EMPTY, null, null));
        }
        FactCodec codec = new FactCodec();
        return List.of(
                codec.encode(added, at),
                codec.encode(leased, at + MICROS_TO_LEASE),
                codec.encode(ended, at + MICROS_TO_END));
    }

    Flush.Ended row(long sequence, long at) {
        JobSpec spec = spec(sequence, at);
        return new Flush.Ended(
                spec.id(),
                spec,
                status(JobState.SUCCEEDED, sequence, at, at + MICROS_TO_END),
                Payload.EMPTY,
                null,
                Flush.Ended.NOT_STORED);
    }
}
