package dev.fairlane.sdk.testing.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.testing.TestFairlane;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** APP_ERROR: the handler threw. Retries after 1 s, 5 s, 30 s, 5 min and 30 min, give or take 20 %; then DEAD. */
abstract class AppErrorScenarios {
    private static final List<Duration> WAITS = List.of(
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofMinutes(5),
            Duration.ofMinutes(30));

    private final TestFairlane test;

    AppErrorScenarios(TestFairlane test) {
        this.test = test;
    }

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void aJobThatAlwaysFailsIsTriedSixTimesAndThenDead() {
        test.worker("mail", Payload.class, (ctx, none) -> {
            throw new IllegalStateException("attempt " + ctx.attempt());
        });
        JobHandle job = test.client().submit(Job.of("mail"));

        for (Duration wait : WAITS) {
            Waits.overOf(test, job, wait);
        }

        JobInfo dead = job.get();
        assertThat(dead.state()).isEqualTo(JobState.DEAD);
        assertThat(dead.attempt()).isEqualTo(6);
        assertThat(dead.execution()).isEqualTo(6);
        assertThat(Waits.failures(dead)).isEqualTo(Collections.nCopies(6, "APP_ERROR"));
        assertThat(dead.failure()).hasValueSatisfying(failure -> {
            assertThat(failure.failureClass()).isEqualTo("APP_ERROR");
            assertThat(failure.message()).contains("attempt 6");
            assertThat(failure.detail()).contains("IllegalStateException");
        });
        test.clock().advance(Duration.ofHours(2));
        assertThat(job.get().execution()).as("dead is dead").isEqualTo(6);
    }

    @Test
    void aJobThatSucceedsInTheEndKeepsItsFailures() {
        test.worker("mail", Payload.class, (ctx, none) -> {
            if (ctx.attempt() < 3) {
                throw new IllegalStateException("not yet");
            }
            return "sent";
        });

        JobInfo done = test.run(Job.of("mail"));

        assertThat(done.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(done.result(String.class)).isEqualTo("sent");
        assertThat(done.attempt()).isEqualTo(3);
        assertThat(Waits.failures(done)).containsExactly("APP_ERROR", "APP_ERROR");
    }
}
