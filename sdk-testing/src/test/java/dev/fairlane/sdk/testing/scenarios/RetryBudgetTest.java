package dev.fairlane.sdk.testing.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairlane.sdk.DeadLetters;
import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.SubmitResult;
import dev.fairlane.sdk.TypeRules;
import dev.fairlane.sdk.testing.TestFairlane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The retry budget of a tenant: at most 60 retries a minute, or twice the first dispatches of the last minute. Over it a retry is
 * postponed, and after an hour of that its job is DEAD.
 */
class RetryBudgetTest {
    private static final int BATCH = 1_000;

    private final AtomicInteger retries = new AtomicInteger();
    // no handler blocks: time never moves on over one that is only slow
    private final TestFairlane test =
            TestFairlane.builder().patience(Duration.ofSeconds(10)).start();

    /** Every job fails once, and its retry is due when its first dispatch is long past. */
    @BeforeEach
    void start() {
        TypeRules slow = TypeRules.builder()
                .retryDelays(Duration.ofMinutes(3))
                .retryJitter(0)
                .quarantine(1_000_000, 100, Duration.ofHours(1))
                .build();
        for (String tenant : List.of("default", "other")) {
            test.client(tenant);
            test.client().admin().putType(tenant, "sync", Pool.SHORT, 0, null, slow);
        }
        test.worker("sync", Payload.class, (ctx, none) -> {
            if (ctx.firstAttempt()) {
                throw new IllegalStateException("the first try of each fails");
            }
            retries.incrementAndGet();
            return null;
        });
    }

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void sixtyRetriesAMinuteAreReleasedAndTheRestIsPostponed() {
        List<JobHandle> jobs = submit(test.client(), 150);
        List<JobHandle> others = submit(test.client("other"), 20);
        test.clock().advance(Duration.ofMinutes(3).plusSeconds(2));
        test.awaitIdle();
        assertThat(retries).as("60 of the first tenant, all of the other").hasValue(80);
        others.forEach(job -> assertThat(job.state()).isEqualTo(JobState.SUCCEEDED));
        assertThat(Alerts.told(test, "retry_budget_exceeded")).isEqualTo(1);
        JobInfo postponed = jobs.stream()
                .map(JobHandle::get)
                .filter(job -> !job.state().terminal())
                .findFirst()
                .orElseThrow();
        assertThat(postponed.state()).isEqualTo(JobState.RETRY_WAIT);

        test.clock().advance(Duration.ofMinutes(1));
        test.awaitIdle();
        assertThat(retries).as("60 more in the next minute").hasValue(140);
        test.clock().advance(Duration.ofMinutes(1));
        test.awaitIdle();

        jobs.forEach(job -> assertThat(job.state()).isEqualTo(JobState.SUCCEEDED));
    }

    @Test
    void whoeverDispatchesMuchMayRetryMuch() {
        submit(test.client(), 150);
        test.clock().advance(Duration.ofMinutes(2).plusSeconds(50));
        submit(test.client(), 75);

        test.clock().advance(Duration.ofSeconds(15));
        test.awaitIdle();

        assertThat(retries).as("twice 75 first dispatches").hasValue(150);
    }

    @Test
    void aRetryPostponedForAnHourIsDead() {
        submit(test.client(), 4_000);

        test.clock().advance(Duration.ofMinutes(66));
        test.awaitIdle();

        assertThat(retries.get()).as("60 a minute for an hour").isBetween(3_500, 3_720);
        await().untilAsserted(() -> assertThat(dead())
                .hasSize(4_000 - retries.get())
                .allSatisfy(job -> {
                    assertThat(job.attempt()).isEqualTo(1);
                    assertThat(job.failure().orElseThrow().error()).isEqualTo("RETRY_BUDGET_EXCEEDED");
                }));
    }

    private List<JobInfo> dead() {
        return test.client().deadLetters().list(DeadLetters.Filter.ALL).toList();
    }

    private List<JobHandle> submit(Fairlane client, int count) {
        List<JobHandle> jobs = new ArrayList<>();
        while (jobs.size() < count) {
            int next = Math.min(BATCH, count - jobs.size());
            client.submitAll(Collections.nCopies(next, Job.of("sync"))).stream()
                    .map(SubmitResult::orThrow)
                    .forEach(jobs::add);
        }
        test.awaitIdle();
        return jobs;
    }
}
