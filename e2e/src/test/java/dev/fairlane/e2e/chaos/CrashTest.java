package dev.fairlane.e2e.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.e2e.check.Findings.Seen;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The first proof of the spine: whatever is killed and whenever, no acked job is lost. Waits for most of its time. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class CrashTest {
    private static final int KILLS = 20;
    private static final int JOBS_PER_SECOND = 300;

    @Test
    void everyAckedJobEndsExactlyOnceWhateverIsKilled() {
        long seed = Long.getLong("fairlane.chaos.seed", 20_261_101);
        ChaosReport report =
                new Chaos(ChaosPlan.of(seed, KILLS, Duration.ZERO, JOBS_PER_SECOND), System.out::println).run();
        System.out.println(report.fields());

        assertThat(report.findings().violations())
                .as("seed %d, histories in %s", seed, report.folder())
                .isEmpty();
        assertThat(report.faults()).containsOnlyKeys(FaultKind.values());
        assertThat(report.kills()).isGreaterThanOrEqualTo(KILLS);
        // A run in which nothing went wrong on the way would prove nothing.
        Seen seen = report.findings().seen();
        assertThat(seen.acked()).as("acked jobs").isGreaterThan(200);
        assertThat(seen.unknownCalls()).as("calls whose outcome was not heard").isPositive();
        assertThat(seen.rerunJobs()).as("jobs that ran more than once").isPositive();
        assertThat(seen.staleRefused()).as("outcomes that came too late").isPositive();
        assertThat(seen.cancelled()).as("jobs cancelled while they waited").isPositive();
        assertThat(seen.cancelsHeard()).as("handlers told of a cancel").isPositive();
        assertThat(seen.ticks()).as("ticks of schedules that ran").isGreaterThan(40);
        assertThat(seen.limitsReached())
                .as("limits and quotas that were used to the full")
                .isEqualTo(Limits.KEYS.size() + 2);
        assertThat(seen.audited()).as("entries of the audit").isPositive();
    }
}
