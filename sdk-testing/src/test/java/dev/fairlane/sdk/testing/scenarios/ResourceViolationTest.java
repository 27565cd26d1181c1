package dev.fairlane.sdk.testing.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.ResourceViolationException;
import dev.fairlane.sdk.TypeRules;
import dev.fairlane.sdk.testing.FairlaneExtension;
import dev.fairlane.sdk.testing.TestFairlane;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** RESOURCE_VIOLATION: killed for memory or CPU. One retry, then DEAD. */
@ExtendWith(FairlaneExtension.class)
class ResourceViolationTest {

    @Test
    void aJobKilledTwiceIsDead(TestFairlane test) {
        greedy(test);
        JobHandle job = test.client().submit(Job.of("resize"));

        JobInfo dead = Waits.overOf(test, job, Duration.ofSeconds(1));

        assertThat(dead.state()).isEqualTo(JobState.DEAD);
        assertThat(dead.attempt()).isEqualTo(2);
        assertThat(Waits.failures(dead)).containsExactly("RESOURCE_VIOLATION", "RESOURCE_VIOLATION");
        assertThat(dead.failure())
                .hasValueSatisfying(failure -> assertThat(failure.message()).isEqualTo("killed at 2 GiB"));
    }

    @Test
    void aTypeMaySayThatItIsHopeless(TestFairlane test) {
        test.client()
                .admin()
                .putType(
                        null,
                        "resize",
                        Pool.SHORT,
                        0,
                        null,
                        TypeRules.builder().resourceRetries(0).build());
        greedy(test);

        assertThat(test.run(Job.of("resize")).attempt()).isEqualTo(1);
    }

    private static void greedy(TestFairlane test) {
        test.worker("resize", Payload.class, (ctx, none) -> {
            throw new ResourceViolationException("killed at 2 GiB");
        });
    }
}
