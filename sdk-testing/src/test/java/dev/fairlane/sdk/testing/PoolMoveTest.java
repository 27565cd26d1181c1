package dev.fairlane.sdk.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.SubmitResult;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A type that breaks the bound of its pool, on the real server: semantics §4. */
class PoolMoveTest {
    private static final int AT_ONCE = 25;

    /** Handlers wait here, so that jobs take as long as the clock moves. */
    private final AtomicReference<CountDownLatch> gate = new AtomicReference<>(new CountDownLatch(0));

    private final CountDownLatch slowest = new CountDownLatch(1);
    private final Map<String, Integer> runs = new ConcurrentHashMap<>();

    @Test
    void aShortTypeThatBeginsToTakeFiveSecondsIsMovedToMediumForAnHour() throws Exception {
        try (TestFairlane test =
                TestFairlane.builder().patience(Duration.ofMillis(200)).start()) {
            moveAndReturn(test);
        }
    }

    private void moveAndReturn(TestFairlane test) throws Exception {
        test.worker("thumbnail", String.class, (ctx, name) -> {
            runs.merge(ctx.id(), 1, Integer::sum);
            (name.equals("slowest") ? slowest : gate.get()).await();
            return name;
        });
        test.client().admin().putType(null, "thumbnail", Pool.SHORT, 0, null);
        round(test, Duration.ofMillis(10));
        assertThat(test.client().submit(Job.of("thumbnail", "one")).get().pool())
                .isEqualTo(Pool.SHORT);
        test.awaitIdle();

        JobHandle running = test.client().submit(Job.of("thumbnail", "slowest"));
        for (int violations = 0; violations < 100; violations += AT_ONCE) {
            assertThat(notices(test)).doesNotContain("pool_violation");
            round(test, Duration.ofSeconds(5));
        }

        assertThat(test.client().submit(Job.of("thumbnail", "next")).get().pool())
                .isEqualTo(Pool.MEDIUM);
        assertThat(notices(test)).contains("pool_violation");
        slowest.countDown();
        test.awaitIdle();
        assertThat(running.get()).satisfies(job -> {
            assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
            assertThat(job.pool()).isEqualTo(Pool.SHORT);
            assertThat(job.execution()).isEqualTo(1);
        });
        assertThat(runs.values()).containsOnly(1);

        test.clock().advance(Duration.ofMinutes(59));
        round(test, Duration.ofMillis(10));
        assertThat(test.client().submit(Job.of("thumbnail", "sticky")).get().pool())
                .isEqualTo(Pool.MEDIUM);
        test.clock().advance(Duration.ofMinutes(1));
        assertThat(test.client().submit(Job.of("thumbnail", "back")).get().pool())
                .isEqualTo(Pool.SHORT);
        assertThat(notices(test)).contains("pool_restored");
    }

    /** Jobs that all take so long. */
    private void round(TestFairlane test, Duration length) {
        CountDownLatch open = new CountDownLatch(1);
        gate.set(open);
        List<JobHandle> jobs =
                test.client().submitAll(Collections.nCopies(AT_ONCE, Job.of("thumbnail", "image"))).stream()
                        .map(SubmitResult::orThrow)
                        .toList();
        test.clock().advance(length);
        open.countDown();
        jobs.forEach(
                job -> assertThat(job.await(Duration.ofSeconds(60)).state()).isEqualTo(JobState.SUCCEEDED));
    }

    private static String notices(TestFairlane test) throws IOException, InterruptedException {
        // the picture of the node is taken twice a second
        test.clock().advance(Duration.ofSeconds(1));
        try (HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(test.address() + "/v1/status"))
                    .header("authorization", "Bearer " + test.key())
                    .build();
            return http.send(request, BodyHandlers.ofString()).body();
        }
    }
}
