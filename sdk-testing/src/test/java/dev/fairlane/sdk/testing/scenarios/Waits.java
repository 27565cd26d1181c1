package dev.fairlane.sdk.testing.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.testing.TestFairlane;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What a job that waits for its next attempt shows, and the way over the wait. */
final class Waits {
    /** From a job's time to the turn of the server in which it is queued. */
    private static final Duration SOON = Duration.ofMillis(100);

    private Waits() {}

    /** How long the job was told to wait after its last execution. */
    static Duration told(JobInfo job) {
        assertThat(job.state()).isEqualTo(JobState.RETRY_WAIT);
        return Duration.between(
                job.attempts().getLast().endedAt().orElseThrow(), job.dueAt().orElseThrow());
    }

    /** The job waits as long as that, give or take 20 %. Then its time comes, and it runs once more. */
    static JobInfo overOf(TestFairlane test, JobHandle job, Duration expected) {
        test.awaitIdle();
        JobInfo waiting = job.get();
        assertThat(told(waiting))
                .as("wait after execution %d", waiting.execution())
                .isBetween(
                        expected.multipliedBy(8).dividedBy(10),
                        expected.multipliedBy(12).dividedBy(10));
        Instant due = waiting.dueAt().orElseThrow();
        test.clock().advanceTo(due.plus(SOON));
        test.awaitIdle();
        JobInfo next = job.get();
        assertThat(next.execution()).isEqualTo(waiting.execution() + 1);
        assertThat(next.leasedAt().orElseThrow()).as("not before it is due").isAfterOrEqualTo(due);
        return next;
    }

    /** Why each execution failed, oldest first. */
    static List<String> failures(JobInfo job) {
        return job.attempts().stream()
                .map(attempt -> attempt.failureClass().orElse("none"))
                .toList();
    }
}
