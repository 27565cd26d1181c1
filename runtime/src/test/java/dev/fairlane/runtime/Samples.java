package dev.fairlane.runtime;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.TenantId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Facts of a job's life, for tests that need no engine. */
final class Samples {
    static final TenantId TENANT = new TenantId(1);

    private Samples() {}

    static JobId id(long number) {
        return JobId.of(1_700_000_000_000L, 0, 0, 1, number);
    }

    static JobSpec spec(long number) {
        return new JobSpec(
                id(number),
                TENANT,
                "echo",
                PoolRules.SHORT,
                5,
                new Payload(new byte[] {1, 2, 3}, Payload.JSON),
                0,
                1_000,
                1_000,
                0,
                6,
                30_000_000,
                "",
                0,
                Map.of(),
                Map.of());
    }

    static JobStatus status(JobState state, long token) {
        return new JobStatus(state, 0, 0, 0, token, "", 0, 0, 0, 1_000, false, 1_000, List.of());
    }

    static Fact added(long number) {
        return new Fact.JobAdded(spec(number), status(JobState.QUEUED, 0));
    }

    static Fact leased(long number, long token) {
        return new Fact.JobChanged(id(number), status(JobState.LEASED, token));
    }

    static Fact succeeded(long number, long token, @Nullable JobSpec spec) {
        return new Fact.JobEnded(id(number), status(JobState.SUCCEEDED, token), Payload.EMPTY, null, spec);
    }
}
