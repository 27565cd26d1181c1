package dev.fairlane.sdk.testing.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.testing.TestFairlane;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * POISON: the type fails in more than half of at least 20 runs over an hour. Its jobs have two attempts then, the tenant is alerted; it
 * ends after an hour under that, or by hand.
 */
class PoisonTest {
    // no handler blocks: time never moves on over one that is only slow
    private final TestFairlane test =
            TestFairlane.builder().patience(Duration.ofSeconds(10)).start();

    @BeforeEach
    void start() {
        test.worker("parse", Boolean.class, (ctx, good) -> {
            if (!good) {
                throw new IllegalStateException("unexpected end of file");
            }
            return null;
        });
    }

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void moreThanHalfOfTwentyRunsFailingPutTheTypeInQuarantine() {
        submit(10, true);
        submit(10, false);
        assertThat(quarantinedAt()).as("10 of 20 is not more than half").isEmpty();

        submit(1, false);

        assertThat(quarantinedAt()).isPresent();
        assertThat(Alerts.told(test, "type_quarantined")).isEqualTo(1);
    }

    @Test
    void fewRunsSayNothing() {
        submit(19, false);
        assertThat(quarantinedAt()).isEmpty();
    }

    @Test
    void inQuarantineAJobHasTwoAttempts() {
        poison();
        JobHandle job = test.client().submit(Job.of("parse", false));

        JobInfo dead = Waits.overOf(test, job, Duration.ofSeconds(1));

        assertThat(dead.state()).isEqualTo(JobState.DEAD);
        assertThat(dead.attempt()).isEqualTo(2);
        assertThat(Waits.failures(dead)).containsExactly("APP_ERROR", "APP_ERROR");
        assertThat(dead.failure()).hasValueSatisfying(failure -> {
            assertThat(failure.failureClass()).isEqualTo("POISON");
            assertThat(failure.error()).isEqualTo("TYPE_QUARANTINED");
            assertThat(failure.message()).contains("unexpected end of file");
        });
        assertThat(test.run(Job.of("parse", true)).state())
                .as("good ones still pass")
                .isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void itEndsAfterAnHourUnderHalf() {
        poison();
        test.clock().advance(Duration.ofMinutes(58));
        assertThat(quarantinedAt()).isPresent();

        test.clock().advance(Duration.ofMinutes(10));

        assertThat(quarantinedAt()).isEmpty();
        assertThat(Alerts.told(test, "type_released")).isEqualTo(1);
        assertThat(test.run(Job.of("parse", false)).attempt())
                .as("all attempts again")
                .isEqualTo(6);
    }

    @Test
    void itGoesOnWhileTheTypeGoesOnFailing() {
        poison();
        for (int hours = 0; hours < 3; hours++) {
            submit(20, false);
            test.clock().advance(Duration.ofMinutes(50));
        }
        assertThat(quarantinedAt()).isPresent();
    }

    @Test
    void itEndsByHandAndWhatWasBeforeIsForgiven() {
        poison();

        assertThat(test.client().admin().releaseType(null, "parse").quarantinedAt())
                .isEmpty();

        submit(1, false);
        assertThat(quarantinedAt()).isEmpty();
        assertThat(Alerts.told(test, "type_released")).isEqualTo(1);
    }

    private void poison() {
        submit(20, false);
        assertThat(quarantinedAt()).isPresent();
    }

    /** One attempt each. */
    private void submit(int count, boolean good) {
        test.client().submitAll(Collections.nCopies(count, Job.of("parse", good).maxAttempts(1)));
        test.awaitIdle();
    }

    private Optional<Instant> quarantinedAt() {
        return test.client().admin().types(null).stream()
                .filter(type -> type.name().equals("parse"))
                .findFirst()
                .flatMap(type -> type.quarantinedAt());
    }
}
