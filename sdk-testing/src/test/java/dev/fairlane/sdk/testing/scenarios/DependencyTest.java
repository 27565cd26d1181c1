package dev.fairlane.sdk.testing.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.sdk.Admin.BreakerInfo;
import dev.fairlane.sdk.DependencyFailedException;
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
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * DEPENDENCY: the handler named something outside that failed. As APP_ERROR, and a breaker per (type, dependency): 50 % failing of at least 20
 * in 10 s open it; while it is open no retry that names the dependency is released, nor first attempts of a type that declares it; a
 * probe goes through after 10 s and then every 5 s; three good ones in a row close it.
 */
class DependencyTest {
    private static final Duration STEP = Duration.ofSeconds(1);

    private final AtomicInteger runs = new AtomicInteger();
    /** When each began, by the clock of the test, which runs while the machine takes its time. */
    private final List<Instant> began = new CopyOnWriteArrayList<>();

    private volatile boolean down = true;

    // no handler blocks: time never moves on over one that is only slow
    private final TestFairlane test =
            TestFairlane.builder().patience(Duration.ofSeconds(10)).start();

    @BeforeEach
    void start() {
        test.worker("pay", Payload.class, (ctx, none) -> {
            began.add(test.clock().instant());
            runs.incrementAndGet();
            if (down) {
                throw new DependencyFailedException("stripe", "503");
            }
            return "paid";
        });
        test.worker("mail", Payload.class, (ctx, none) -> "sent");
    }

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void aSingleJobIsRetriedAsForAnyError() {
        JobHandle job = test.client().submit(Job.of("pay"));

        Waits.overOf(test, job, Duration.ofSeconds(1));
        JobInfo third = Waits.overOf(test, job, Duration.ofSeconds(5));

        assertThat(third.attempt()).isEqualTo(3);
        assertThat(Waits.failures(third)).isEqualTo(Collections.nCopies(3, "DEPENDENCY"));
        assertThat(breaker().open()).isFalse();
        assertThat(test.finish(job).state()).isEqualTo(JobState.DEAD);
    }

    @Test
    void halfOfTwentyRunsInTenSecondsOpenIt() {
        declare(TypeRules.none());
        down = false;
        submit(10);
        down = true;
        submit(9);
        assertThat(breaker().open()).as("9 of 19").isFalse();

        submit(1);

        assertThat(breaker().open()).as("10 of 20").isTrue();
        assertThat(breaker().openedAt()).isPresent();
        assertThat(notices("dependency_circuit_open")).isEqualTo(1);
    }

    @Test
    void whileItIsOpenOnlyProbesGoThroughAndThreeGoodOnesCloseIt() {
        declare(TypeRules.none());
        List<JobHandle> jobs = submit(20);
        assertThat(runs).hasValue(20);

        Instant opened = breaker().openedAt().orElseThrow();
        advance(2);
        assertThat(breaker().heldBack()).as("retries were due after a second").isEqualTo(20);

        moveUntil(21);
        assertThat(seconds(opened, began.get(20)))
                .as("the probe after 10 s, which fails")
                .isBetween(9.5, 20.0);
        down = false;
        moveUntil(22);
        assertThat(seconds(began.get(20), began.get(21)))
                .as("the wait begins again; first good probe")
                .isBetween(9.5, 20.0);
        moveUntil(23);
        assertThat(seconds(began.get(21), began.get(22)))
                .as("second, 5 s later")
                .isBetween(4.5, 15.0);
        assertThat(breaker().open()).isTrue();
        for (int i = 0; i < 20 && notices("dependency_circuit_closed") == 0; i++) {
            advance(1);
        }
        assertThat(notices("dependency_circuit_closed")).isEqualTo(1);
        assertThat(seconds(began.get(22), began.get(23)))
                .as("closed by the third")
                .isBetween(4.5, 15.0);

        jobs.forEach(job -> assertThat(test.finish(job).state()).isEqualTo(JobState.SUCCEEDED));
        assertThat(runs).as("each once more, and the bad probe").hasValue(41);
    }

    @Test
    void firstAttemptsOfATypeThatDoesNotDeclareItGoOn() {
        declare(TypeRules.none());
        submit(20);
        assertThat(breaker().open()).isTrue();

        submit(1);

        assertThat(runs).hasValue(21);
    }

    @Test
    void firstAttemptsOfATypeThatDeclaresItWaitAndOtherTypesDoNot() {
        declare(TypeRules.builder().dependencies("stripe").build());
        submit(20);
        JobHandle first = submit(1).getFirst();
        JobHandle other = test.client().submit(Job.of("mail"));
        test.awaitIdle();

        assertThat(runs).hasValue(20);
        assertThat(first.state()).isEqualTo(JobState.QUEUED);
        assertThat(other.state()).isEqualTo(JobState.SUCCEEDED);
        Instant opened = breaker().openedAt().orElseThrow();

        down = false;
        moveUntil(21);
        assertThat(seconds(opened, began.get(20))).as("one probe").isBetween(9.5, 20.0);
        moveUntil(22);
        assertThat(seconds(began.get(20), began.get(21))).isBetween(4.5, 15.0);
        assertThat(test.finish(first).state()).isEqualTo(JobState.SUCCEEDED);
    }

    private List<JobHandle> submit(int count) {
        List<JobHandle> jobs = test.client().submitAll(Collections.nCopies(count, Job.of("pay"))).stream()
                .map(SubmitResult::orThrow)
                .toList();
        test.awaitIdle();
        return jobs;
    }

    /** Moves on step by step until so many have run. */
    private void moveUntil(int count) {
        for (int i = 0; i < 30 && runs.get() < count; i++) {
            test.clock().advance(STEP);
            test.awaitIdle();
        }
        assertThat(runs).hasValue(count);
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toMillis() / 1_000.0;
    }

    private void advance(int seconds) {
        test.clock().advance(Duration.ofSeconds(seconds));
        test.awaitIdle();
    }

    private void declare(TypeRules rules) {
        test.client().admin().putType(null, "pay", Pool.SHORT, 0, null, rules);
    }

    private BreakerInfo breaker() {
        return test.client().admin().type(null, "pay").breakers().getFirst();
    }

    private long notices(String kind) {
        return Alerts.told(test, kind);
    }
}
