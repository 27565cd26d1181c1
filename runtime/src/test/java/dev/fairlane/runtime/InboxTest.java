package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InboxTest {
    private static final int FLOODING = 1;
    private static final int MODEST = 2;

    private final List<String> order = new ArrayList<>();
    private final Inbox inbox = new Inbox(1_000, () -> {});

    @Test
    void a_flood_delays_another_caller_by_no_more_than_a_round() {
        offer(FLOODING, 400, 1_000);
        offer(MODEST, 1, 1_000);

        drain();
        // a round of the flood is 64 KiB, so about 52 of its calls of 1,256 bytes
        assertThat(order.indexOf("2")).isLessThan(60);
    }

    @Test
    void callers_take_turns_by_bytes_not_by_calls() {
        offer(FLOODING, 200, 10_000);
        offer(MODEST, 300, 1_000);

        List<String> first = drain().subList(0, 220);
        long large = first.stream().filter("1"::equals).count();
        long small = first.size() - large;
        assertThat(large * 10_256.0 / (small * 1_256.0)).isBetween(0.6, 1.6);
    }

    @Test
    void alone_a_caller_may_fill_half_and_others_still_find_room() {
        int taken = 0;
        while (inbox.offer(FLOODING, 1, 0, () -> {}) == null) {
            taken++;
        }
        assertThat(taken).isEqualTo(500);
        assertThat(inbox.offer(MODEST, 200, 0, () -> {})).isNull();
        assertThat(inbox.offer(FLOODING, 1, 0, () -> {}))
                .as("no more than before, and told by its own numbers")
                .isEqualTo(new SharedRoom.Full(400, 500, true));
    }

    @Test
    void what_was_refused_takes_no_room() {
        while (inbox.offer(FLOODING, 100, 0, () -> {}) == null) {
            // until it is refused
        }
        drain();
        assertThat(inbox.isEmpty()).isTrue();
        assertThat(inbox.offer(FLOODING, 400, 0, () -> {})).isNull();
    }

    @Test
    void a_call_larger_than_everything_is_taken_when_the_caller_has_nothing_else() {
        assertThat(inbox.offer(FLOODING, 5_000, 0, () -> order.add("large"))).isNull();
        assertThat(inbox.offer(FLOODING, 1, 0, () -> {})).isEqualTo(new SharedRoom.Full(1_000, 5_000, false));
        assertThat(drain()).containsExactly("large");
    }

    @Test
    void workers_are_always_heard_and_in_order() {
        while (inbox.offer(FLOODING, 1, 1_000, () -> order.add("1")) == null) {
            // until it is refused
        }
        for (int i = 0; i < 5; i++) {
            String name = "worker " + i;
            inbox.hear(() -> order.add(name));
        }
        assertThat(inbox.heard()).isEqualTo(5);

        drain();
        assertThat(inbox.taken()).isEqualTo(5);
        assertThat(order).containsSubsequence("worker 0", "worker 1", "worker 2", "worker 3", "worker 4");
        assertThat(order.indexOf("worker 4")).isLessThan(70);
    }

    @Test
    void many_writers_lose_nothing_and_keep_their_own_order() throws InterruptedException {
        Inbox wide = new Inbox(Integer.MAX_VALUE / 2, () -> {});
        int writers = 4;
        int each = 5_000;
        AtomicInteger refused = new AtomicInteger();
        int[] last = new int[writers];
        List<Thread> threads = new ArrayList<>();
        for (int writer = 0; writer < writers; writer++) {
            int caller = writer;
            threads.add(Thread.ofVirtual().start(() -> {
                for (int i = 1; i <= each; i++) {
                    int number = i;
                    SharedRoom.Full full = wide.offer(caller, 1, number % 700, () -> {
                        assertThat(number).isEqualTo(last[caller] + 1);
                        last[caller] = number;
                    });
                    refused.addAndGet(full == null ? 0 : 1);
                }
            }));
        }
        int taken = 0;
        while (taken < writers * each) {
            Runnable call = wide.nextCall();
            if (call == null) {
                Thread.onSpinWait();
            } else {
                call.run();
                taken++;
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(refused).hasValue(0);
        assertThat(last).containsOnly(each);
        assertThat(wide.isEmpty()).isTrue();
    }

    private void offer(int caller, int calls, int bytes) {
        for (int i = 0; i < calls; i++) {
            assertThat(inbox.offer(caller, 1, bytes, () -> order.add(String.valueOf(caller))))
                    .isNull();
        }
    }

    private List<String> drain() {
        for (Runnable call = inbox.nextCall(); call != null; call = inbox.nextCall()) {
            call.run();
        }
        return order;
    }
}
