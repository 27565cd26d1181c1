package dev.fairlane.sdk.internal;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands things on to code that may take its time, one at a time and in their order, on a virtual thread that lives for as long as there
 * are any. Whoever adds does not wait, so this is what stands between the network thread and code of users: one hand-off for what comes
 * alone, none for what comes while the thread is still at it.
 */
public final class OneByOne<T> {
    private final String name;
    private final Consumer<? super T> action;
    private final Queue<T> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile @Nullable Thread thread;

    /** @param action must not throw */
    public OneByOne(String name, Consumer<? super T> action) {
        this.name = name;
        this.action = action;
    }

    public void add(T next) {
        queue.add(next);
        if (waiting.getAndIncrement() == 0) {
            Thread.ofVirtual().name(name).start(this::run);
        }
    }

    private void run() {
        thread = Thread.currentThread();
        do {
            T next = queue.poll();
            if (next != null) {
                action.accept(next);
            }
        } while (waiting.decrementAndGet() > 0);
    }

    /** How many were added and are not done with, the one at hand included. */
    public int waiting() {
        return waiting.get();
    }

    /** Whether the caller is the code that things are handed to. */
    public boolean within() {
        return Thread.currentThread() == thread;
    }
}
