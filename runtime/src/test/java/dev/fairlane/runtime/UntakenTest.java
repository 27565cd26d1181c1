package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class UntakenTest {
    private final Untaken untaken = new Untaken();

    @Test
    void who_is_held_back_goes_on_when_half_is_taken() {
        int said = 0;
        while (untaken.listens()) {
            untaken.said();
            said++;
        }
        assertThat(said).isEqualTo(Untaken.MOST);
        for (int i = 0; i < Untaken.MOST / 2 - 1; i++) {
            assertThat(untaken.taken()).isFalse();
        }
        assertThat(untaken.taken()).isTrue();
        assertThat(untaken.taken()).as("told once").isFalse();
        assertThat(untaken.listens()).isTrue();
    }

    @Test
    void nobody_is_told_who_was_not_held_back() {
        for (int i = 0; i < 10; i++) {
            untaken.said();
            assertThat(untaken.listens()).isTrue();
        }
        for (int i = 0; i < 10; i++) {
            assertThat(untaken.taken()).isFalse();
        }
    }

    /** A speaker that waited for a wake-up which never came would hang here. */
    @Test
    @Timeout(60)
    void no_wake_up_is_lost_and_the_bound_holds() throws InterruptedException {
        int messages = 300_000;
        Semaphore awake = new Semaphore(0);
        ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
        int[] most = {0};
        Thread loop = Thread.ofPlatform().start(() -> {
            for (int expected = 0; expected < messages; ) {
                Integer next = queue.poll();
                if (next == null) {
                    Thread.onSpinWait();
                    continue;
                }
                most[0] = Math.max(most[0], untaken.count());
                expected = next + 1;
                if (untaken.taken()) {
                    awake.release();
                }
            }
        });
        for (int said = 0; said < messages; said++) {
            while (!untaken.listens()) {
                assertThat(awake.tryAcquire(30, TimeUnit.SECONDS))
                        .as("told to go on after %s", said)
                        .isTrue();
            }
            untaken.said();
            queue.add(said);
        }
        loop.join();
        assertThat(most[0]).isLessThanOrEqualTo(Untaken.MOST);
        assertThat(untaken.count()).isZero();
    }
}
