package dev.fairlane.sdk.testing.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.Worker;
import dev.fairlane.sdk.testing.FairlaneExtension;
import dev.fairlane.sdk.testing.TestFairlane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A tenant whose jobs crash more than 10 workers a minute in a pool runs there one job at a time, until a calm minute has passed. */
class RecycleThrottleTest {
    // handlers block: nobody has to wait for them
    @RegisterExtension
    static final FairlaneExtension FAIRLANE = FairlaneExtension.with(test -> test.patience(Duration.ofMillis(200)));

    private static final Duration LEASE_AND_NOTICED = Duration.ofSeconds(12);

    @Test
    void elevenCrashedWorkersAMinuteThrottleTheTenantAndNobodyElse(TestFairlane test) throws InterruptedException {
        crash(test, 11);
        assertThat(Alerts.told(test, "recycle_throttled")).isEqualTo(1);

        AtomicInteger running = new AtomicInteger();
        Semaphore go = new Semaphore(0);
        test.worker(worker -> worker.handle("bomb", Payload.class, (ctx, none) -> {
                    running.incrementAndGet();
                    go.acquire();
                    running.decrementAndGet();
                    return null;
                })
                .handle("mail", Payload.class, (ctx, none) -> null));

        await().untilAsserted(() -> assertThat(running).hasValue(1));
        assertThat(test.client("other")
                        .submit(Job.of("mail"))
                        .await(Duration.ofSeconds(60))
                        .state()
                        .terminal())
                .isTrue();
        assertThat(running).as("one of eleven at a time").hasValue(1);
        go.release();
        await().untilAsserted(() -> assertThat(bombsDone(test)).isEqualTo(1));
        await().untilAsserted(() -> assertThat(running).hasValue(1));

        test.clock().advance(Duration.ofSeconds(61));

        await().untilAsserted(() -> assertThat(running).as("all that are left").hasValue(10));
        assertThat(Alerts.told(test, "recycle_calm")).isEqualTo(1);
        go.release(10);
    }

    @Test
    void tenAreNoReason(TestFairlane test) throws InterruptedException {
        crash(test, 10);

        assertThat(Alerts.told(test, "recycle_throttled")).isZero();
    }

    private static long bombsDone(TestFairlane test) {
        return test.submitted("bomb").stream()
                .filter(job -> job.state().terminal())
                .count();
    }

    /** So many workers take a job each and fall silent; the jobs are queued again. */
    private static void crash(TestFairlane test, int count) throws InterruptedException {
        test.client().submitAll(Collections.nCopies(count, Job.of("bomb").timeLimit(Duration.ofHours(1))));
        CountDownLatch began = new CountDownLatch(count);
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = "doomed-" + i;
            workers.add(test.worker(told -> told.name(name)
                    .pool(Pool.SHORT)
                    .slots(1)
                    .handle("bomb", Payload.class, (ctx, none) -> {
                        began.countDown();
                        new CountDownLatch(1).await();
                        return null;
                    })));
        }
        began.await();
        workers.forEach(Worker::kill);
        test.clock().advance(LEASE_AND_NOTICED);
        assertThat(test.submitted("bomb"))
                .allSatisfy(job -> assertThat(job.crashes()).isEqualTo(1));
    }
}
