package dev.fairlane.runtime;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Things the node itself wants to do later (retry a commit, end a wait). Few; jobs' timers live in the engine. */
final class LoopTimers {
    private final PriorityQueue<Timer> queue = new PriorityQueue<>(
            Comparator.<Timer>comparingLong(timer -> timer.at).thenComparingLong(timer -> timer.number));
    private long number;

    Timer at(long at, Runnable action) {
        Timer timer = new Timer(at, number++, action);
        queue.add(timer);
        return timer;
    }

    void fire(long now) {
        while (true) {
            Timer next = queue.peek();
            if (next == null || next.at > now) {
                return;
            }
            queue.remove();
            Runnable action = next.action;
            if (action != null) {
                action.run();
            }
        }
    }

    long nextAt() {
        Timer next = queue.peek();
        return next == null ? Long.MAX_VALUE : next.at;
    }

    static final class Timer {
        private final long at;
        private final long number;
        private @Nullable Runnable action;

        private Timer(long at, long number, Runnable action) {
            this.at = at;
            this.number = number;
            this.action = action;
        }

        /** It will not fire, and holds nothing any more; its place in the queue goes when its time comes. */
        void cancel() {
            action = null;
        }
    }
}
