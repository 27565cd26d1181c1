package dev.fairlane.journal;

import dev.fairlane.core.model.Attempt;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.Token;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Jobs with every field set to something, made one after the other. */
public final class SampleJobs {
    public static final TenantId ACME = new TenantId(1);
    public static final TenantId GLOBEX = new TenantId(2);

    private final long at;
    private final long epoch;
    private long made;

    /** @param at when they are submitted: the store's time in most tests */
    public SampleJobs(long at, long epoch) {
        this.at = at;
        this.epoch = epoch;
    }

    public JobSpec spec() {
        return spec(ACME, "send_email", "");
    }

    public JobSpec spec(TenantId tenant, String type, String key) {
        long number = ++made;
        JobId id = JobId.of(at / 1000, 0, (int) (number % JobId.SHARDS), epoch, number);
        return new JobSpec(
                id,
                tenant,
                type,
                "short",
                3,
                new Payload(("{\"n\":" + number + "}").getBytes(StandardCharsets.UTF_8), "application/x-" + type),
                2,
                at,
                at + 5,
                at + 60_000_000,
                6,
                30_000_000,
                key,
                0x9E3779B97F4A7C15L * number,
                Map.of("env", "prod", "größe", "xl"),
                Map.of("traceparent", "00-" + number));
    }

    public JobStatus queued() {
        return new JobStatus(JobState.QUEUED, 0, 0, 0, Token.NONE, "", 0, 0, 0, at, false, at, List.of());
    }

    public JobStatus scheduled(long dueAt) {
        return new JobStatus(JobState.SCHEDULED, 0, 0, 0, Token.NONE, "", 0, 0, dueAt, 0, false, at, List.of());
    }

    /** @param number of the lease: tells images apart */
    public JobStatus leased(int number) {
        return new JobStatus(
                JobState.LEASED,
                1,
                number,
                number - 1,
                Token.of(epoch, number),
                "worker-" + number,
                at + number,
                0,
                0,
                at,
                false,
                at + number,
                attempts(number));
    }

    public JobStatus ended(JobState state) {
        return new JobStatus(
                state,
                2,
                2,
                1,
                Token.of(epoch, 9),
                "worker-9",
                at + 20,
                at + 30,
                0,
                at + 10,
                state == JobState.CANCELLED,
                at + 40,
                attempts(2));
    }

    private List<Attempt> attempts(int number) {
        return number < 2
                ? List.of()
                : List.of(new Attempt(1, "worker-1", at + 1, at + 2, FailureClass.WORKER_CRASH, "lease ran out"));
    }

    /** As recovery tells it. */
    public static JobSpec withoutPayload(JobSpec spec) {
        return spec.withPayload(Payload.EMPTY);
    }
}
