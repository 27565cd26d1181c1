package dev.fairlane.sdk.testing.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fairlane.sdk.FairlaneException;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.TypeRules;
import dev.fairlane.sdk.TypeRules.UniqueBy;
import dev.fairlane.sdk.TypeRules.UniqueConflict;
import dev.fairlane.sdk.TypeRules.UniqueDuring;
import dev.fairlane.sdk.testing.FairlaneExtension;
import dev.fairlane.sdk.testing.TestFairlane;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Semantics §3: one job of a kind, by its arguments or by a key; while queued, while running, for a time; and what becomes of a second. */
@ExtendWith(FairlaneExtension.class)
class UniqueJobsTest {
    private final List<Integer> indexed = new CopyOnWriteArrayList<>();
    private TestFairlane test;

    @BeforeEach
    void start(TestFairlane given) {
        test = given;
    }

    @Test
    void theExistingJobIsReturned() {
        declare(UniqueBy.KEY, UniqueDuring.RUNNING, Duration.ZERO, UniqueConflict.RETURN_EXISTING);
        JobHandle first = submit("shop", 1);
        JobHandle second = submit("shop", 2);

        assertThat(second.id()).isEqualTo(first.id());
        assertThat(second.existing()).isTrue();
        assertThat(submit("other", 3).id()).as("of another kind").isNotEqualTo(first.id());
        work();
        assertThat(indexed).containsExactlyInAnyOrder(1, 3);
        JobHandle third = submit("shop", 4);
        assertThat(third.existing()).as("the first is at its end").isFalse();
    }

    @Test
    void theSecondIsRejected() {
        declare(UniqueBy.ARGS, UniqueDuring.A_TIME, Duration.ofHours(1), UniqueConflict.REJECT);
        JobHandle first = submit("a", 1);
        work();
        test.awaitIdle();
        assertThat(first.state()).isEqualTo(JobState.SUCCEEDED);

        rejected("b", 1);
        submit("a", 2);
        test.clock().advance(Duration.ofMinutes(59));
        rejected("a", 1);
        test.clock().advance(Duration.ofMinutes(2));

        assertThat(submit("a", 1).existing()).isFalse();
        test.awaitIdle();
        assertThat(indexed).containsExactly(1, 2, 1);
    }

    @Test
    void theSecondReplacesTheOneThatWaits() throws InterruptedException {
        declare(UniqueBy.KEY, UniqueDuring.RUNNING, Duration.ZERO, UniqueConflict.REPLACE);
        JobHandle first = submit("shop", 1);
        JobHandle second = submit("shop", 2);

        assertThat(first.state()).isEqualTo(JobState.CANCELLED);
        assertThat(second.existing()).isFalse();
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        test.worker("index", Integer.class, (ctx, number) -> {
            indexed.add(number);
            began.countDown();
            go.await();
            return null;
        });
        began.await();
        rejected("shop", 3);
        go.countDown();
        test.awaitIdle();
        assertThat(indexed).as("one that runs is not replaced").containsExactly(2);
    }

    @Test
    void whileQueuedMeansUntilItIsTaken() throws InterruptedException {
        declare(UniqueBy.KEY, UniqueDuring.QUEUED, Duration.ZERO, UniqueConflict.REJECT);
        submit("shop", 1);
        rejected("shop", 2);
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        test.worker("index", Integer.class, (ctx, number) -> {
            began.countDown();
            go.await();
            return null;
        });
        began.await();

        assertThat(submit("shop", 3).existing()).isFalse();
        go.countDown();
        test.awaitIdle();
    }

    @Test
    void aBurstBecomesOneJobWithTheLastPayload() {
        declare(UniqueBy.KEY, UniqueDuring.RUNNING, Duration.ofSeconds(30), UniqueConflict.DEBOUNCE);
        work();
        JobHandle first = submit("shop", 1);
        test.clock().advance(Duration.ofSeconds(20));
        JobHandle second = submit("shop", 2);
        test.clock().advance(Duration.ofSeconds(20));
        assertThat(indexed).as("it waits for another 30 s after each").isEmpty();
        JobHandle third = submit("shop", 3);
        test.clock().advance(Duration.ofSeconds(31));
        test.awaitIdle();

        assertThat(indexed).containsExactly(3);
        assertThat(List.of(second.id(), third.id())).containsOnly(first.id());
        assertThat(first.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(first.get().payload(Integer.class)).isEqualTo(3);
    }

    private void declare(UniqueBy by, UniqueDuring during, Duration period, UniqueConflict conflict) {
        TypeRules rules =
                TypeRules.builder().unique(by, during, period, conflict).build();
        test.client().admin().putType(null, "index", Pool.SHORT, 0, null, rules);
    }

    private void work() {
        test.worker("index", Integer.class, (ctx, number) -> {
            indexed.add(number);
            return null;
        });
        test.awaitIdle();
    }

    private JobHandle submit(String key, int number) {
        return test.client().submit(Job.of("index", number).uniqueKey(key));
    }

    private void rejected(String key, int number) {
        assertThatExceptionOfType(FairlaneException.Conflict.class)
                .isThrownBy(() -> submit(key, number))
                .satisfies(refused -> assertThat(refused.code()).isEqualTo("UNIQUE_CONFLICT"));
    }
}
