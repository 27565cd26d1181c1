package dev.fairlane.journal.memory;

import dev.fairlane.journal.JournalFault;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call on its way through the store, as steps. Two parties are in it and may part: the caller, who waits for the future, and the
 * store's transaction, which holds locks and may commit.
 *
 * <pre>
 *   step()   the transaction goes on, with or without its caller
 *   lose()   the caller's connection breaks: it hears UnknownOutcome (a read: Unavailable), the transaction lives on
 *   forget() the caller dies: it hears nothing, the transaction lives on
 *   abort()  the transaction ends: rolled back if it has not committed, its locks are free
 * </pre>
 */
public final class StoreOperation<T> {
    /** What a step does; {@link #next} names the one that comes. */
    public enum Stage {
        LOCK,
        CHECK,
        WRITE,
        COMMIT,
        RELEASE,
        READ,
        REPORT,
        DONE
    }

    private final long number;
    private final String node;
    private final String name;
    private final boolean changing;
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private final Deque<Step> steps = new ArrayDeque<>();
    private final Set<LockQueue> held = new LinkedHashSet<>();
    private boolean waiting;
    private boolean connected = true;
    private boolean committed;
    private @Nullable T value;

    private record Step(Stage stage, Runnable deed) {}

    /** @param changing whether it leaves something behind in the store */
    StoreOperation(long number, String node, String name, boolean changing) {
        this.number = number;
        this.node = node;
        this.name = name;
        this.changing = changing;
    }

    // ---- for the executor

    /** Counts up over all operations of a store. */
    public long number() {
        return number;
    }

    /** Whose connection it came over. */
    public String node() {
        return node;
    }

    /** What it is, for a trace: {@code append 3/17}. */
    public String name() {
        return name;
    }

    public Stage next() {
        return steps.isEmpty() ? Stage.DONE : steps.getFirst().stage();
    }

    /** False while it waits for a lock, and when it is done. */
    public boolean runnable() {
        return !waiting && !steps.isEmpty();
    }

    public boolean done() {
        return !waiting && steps.isEmpty();
    }

    /** Whether it has left its mark in the store for good. */
    public boolean committed() {
        return committed;
    }

    /** Whether somebody still waits for its answer. */
    public boolean connected() {
        return connected;
    }

    /** Runs the next step. */
    public void step() {
        if (!runnable()) {
            throw new IllegalStateException("expected a runnable operation, but " + this + " is not");
        }
        Step step = steps.removeFirst();
        try {
            step.deed().run();
        } catch (RuntimeException | Error fault) {
            // An Error comes from a sink that checks what it hears; it belongs to the caller, not to the executor.
            end();
            steps.add(new Step(Stage.REPORT, () -> future.completeExceptionally(fault)));
        }
        if (!connected && (next() == Stage.READ || next() == Stage.REPORT)) {
            steps.clear();
        }
    }

    /** See the class. Nothing when the caller is gone already. */
    public void lose() {
        if (connected) {
            forget();
            future.completeExceptionally(
                    changing
                            ? new JournalFault.UnknownOutcome("connection lost during " + name, null)
                            : new JournalFault.Unavailable("connection lost during " + name, null));
        }
    }

    /** See the class. */
    public void forget() {
        connected = false;
        if (!waiting && (next() == Stage.READ || next() == Stage.REPORT)) {
            steps.clear();
        }
    }

    /** See the class. A caller that still listens hears Unavailable, or UnknownOutcome if it had committed. */
    public void abort() {
        end();
        if (connected) {
            connected = false;
            future.completeExceptionally(
                    committed
                            ? new JournalFault.UnknownOutcome("the store ended " + name + " after its commit", null)
                            : new JournalFault.Unavailable("the store ended " + name, null));
        }
    }

    private void end() {
        steps.clear();
        waiting = false;
        releaseAll();
    }

    private void releaseAll() {
        for (LockQueue lock : held) {
            lock.release(this);
        }
        held.clear();
    }

    @Override
    public String toString() {
        return "#" + number + " " + node + " " + name + " " + (waiting ? "waiting" : next());
    }

    // ---- for those who make operations

    CompletableFuture<T> future() {
        return future;
    }

    void granted() {
        waiting = false;
    }

    StoreOperation<T> lock(Supplier<LockQueue> lock, LockQueue.Mode mode) {
        return then(Stage.LOCK, () -> acquire(lock.get(), mode));
    }

    /** Puts a lock in front of the remaining steps. */
    void lockFirst(LockQueue lock, LockQueue.Mode mode) {
        steps.addFirst(new Step(Stage.LOCK, () -> acquire(lock, mode)));
    }

    private void acquire(LockQueue lock, LockQueue.Mode mode) {
        held.add(lock);
        waiting = !lock.request(this, mode);
    }

    StoreOperation<T> then(Stage stage, Runnable deed) {
        steps.add(new Step(stage, deed));
        return this;
    }

    /** Commits, keeps what it gives for the report, then releases the locks in a step of its own. */
    StoreOperation<T> commit(Supplier<T> deed) {
        then(Stage.COMMIT, () -> {
            value = deed.get();
            committed = true;
        });
        return then(Stage.RELEASE, this::releaseAll);
    }

    StoreOperation<T> read(Supplier<T> deed) {
        return then(Stage.READ, () -> value = deed.get());
    }

    @SuppressWarnings("NullAway") // a Void operation reports null
    StoreOperation<T> report() {
        return then(Stage.REPORT, () -> future.complete(value));
    }
}
