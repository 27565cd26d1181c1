package dev.fairlane.sdk.testing.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.TypeRules;
import dev.fairlane.sdk.testing.FairlaneExtension;
import dev.fairlane.sdk.testing.TestFairlane;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Semantics §8: a type that declared checkpoints and makes none is reported. */
class MissingCheckpointTest {
    // handlers block: nobody has to wait for them
    @RegisterExtension
    static final FairlaneExtension FAIRLANE = FairlaneExtension.with(test -> test.patience(Duration.ofMillis(200)));

    @Test
    void aJobThatShouldHaveMadeACheckpointIsReported(TestFairlane test) throws Exception {
        declare(test);
        JobHandle job = run(test, false);

        assertThat(get(test, "/v1/jobs/" + job.id())).contains("\"checkpoint_missing\":true");
        await().untilAsserted(
                        () -> assertThat(get(test, "/metrics")).contains("fairlane_checkpoints_missing_total 1.0"));
    }

    @Test
    void oneThatMadeItsCheckpointIsNot(TestFairlane test) throws Exception {
        declare(test);
        JobHandle job = run(test, true);

        assertThat(get(test, "/v1/jobs/" + job.id())).doesNotContain("\"checkpoint_missing\":true");
        assertThat(get(test, "/metrics")).contains("fairlane_checkpoints_missing_total 0.0");
    }

    private static void declare(TestFairlane test) {
        TypeRules rules = TypeRules.builder()
                .duration(Duration.ofHours(1))
                .checkpoints(true)
                .build();
        test.client().admin().putType(null, "train", Pool.LONG, 0, null, rules);
    }

    /** For three minutes. */
    private static JobHandle run(TestFairlane test, boolean saves) throws InterruptedException {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        test.worker("train", Payload.class, (ctx, none) -> {
            if (saves) {
                ctx.checkpoint("half way");
            }
            began.countDown();
            go.await();
            return null;
        });
        JobHandle job = test.client().submit(Job.of("train"));
        began.await();
        test.clock().advance(Duration.ofMinutes(3));
        go.countDown();
        assertThat(job.await(Duration.ofSeconds(60)).state()).isEqualTo(JobState.SUCCEEDED);
        return job;
    }

    private static String get(TestFairlane test, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(test.address() + path))
                .header("Authorization", "Bearer " + test.key())
                .build();
        try (HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            return http.send(request, BodyHandlers.ofString()).body();
        }
    }
}
