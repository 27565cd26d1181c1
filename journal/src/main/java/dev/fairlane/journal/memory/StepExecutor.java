package dev.fairlane.journal.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Decides when the steps of store operations run. All operations of a store go to the same executor. */
@FunctionalInterface
public interface StepExecutor {

    /**
     * Takes an operation over: calls {@link StoreOperation#step} whenever it is {@link StoreOperation#runnable}, until it is
     * {@link StoreOperation#done}. Steps of all operations of a store run one at a time.
     */
    void execute(StoreOperation<?> operation);

    /**
     * Runs everything at once on the caller's thread. When several threads call, the one that came first runs the others' steps too;
     * when a step calls back into the store, the new operation runs after it, so that chains of calls do not grow the stack.
     */
    static StepExecutor immediate() {
        return new StepExecutor() {
            private final Queue<StoreOperation<?>> arrived = new ArrayDeque<>();
            private final List<StoreOperation<?>> waiting = new ArrayList<>();
            private boolean running;

            @Override
            public void execute(StoreOperation<?> operation) {
                synchronized (arrived) {
                    arrived.add(operation);
                    if (running) {
                        return;
                    }
                    running = true;
                }
                StoreOperation<?> next;
                while ((next = next()) != null) {
                    waiting.add(next);
                    advanceAll();
                }
            }

            private @Nullable StoreOperation<?> next() {
                synchronized (arrived) {
                    StoreOperation<?> next = arrived.poll();
                    running = next != null;
                    return next;
                }
            }

            private void advanceAll() {
                boolean advanced = true;
                while (advanced) {
                    advanced = false;
                    for (Iterator<StoreOperation<?>> all = waiting.iterator(); all.hasNext(); ) {
                        StoreOperation<?> one = all.next();
                        while (one.runnable()) {
                            one.step();
                            advanced = true;
                        }
                        if (one.done()) {
                            all.remove();
                        }
                    }
                }
            }
        };
    }
}
