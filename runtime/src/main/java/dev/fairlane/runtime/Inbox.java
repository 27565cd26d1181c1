package dev.fairlane.runtime;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How the rest of the world reaches the loop: any number of writers, one reader.
 *
 * <p><em>Calls</em> are what edges ask. Every caller has a queue of its own, and the queues take turns by bytes (deficit round robin), so
 * that nobody's flood makes another wait longer than one round. A caller may fill as much as is still free ({@link SharedRoom}).
 * <em>Workers'</em> messages are everybody's: they take part in the round with a queue of their own, have room always (connections bound
 * what they say, see {@link Untaken}), and keep their order, by which the loop knows that it has heard all heartbeats sent before a
 * lease ran out. <em>Signals</em> are what the node tells itself (a commit is done, a timer of an executor); they are few, and always
 * taken, also while calls have to wait for a commit.
 */
final class Inbox {
    /** The caller of calls that are nobody's in particular. */
    static final int NOBODY = 0;

    /** What a queue may take in one round; a large call waits for as many rounds as it is worth. */
    private static final int QUANTUM_BYTES = 64 * 1024;

    /** What a call costs beside the bytes it brings. */
    private static final int CALL_BYTES = 256;

    private final ConcurrentHashMap<Integer, Queue> callers = new ConcurrentHashMap<>();
    private final Queue workers = new Queue();

    /** Queues that have something again; the reader takes them into its round. */
    private final ConcurrentLinkedQueue<Queue> arrivals = new ConcurrentLinkedQueue<>();

    private final ConcurrentLinkedQueue<Runnable> signals = new ConcurrentLinkedQueue<>();
    private final AtomicInteger weight = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong heard = new AtomicLong();
    private final SharedRoom room;
    private final Runnable wake;

    // the reader's own
    private final Deque<Queue> round = new ArrayDeque<>();
    private long taken;

    /** @param wake called after something was put in; must be cheap when the loop is awake */
    Inbox(int maxWeight, Runnable wake) {
        this.room = new SharedRoom(maxWeight);
        this.wake = wake;
    }

    /**
     * Null when it was taken. A call on its own is always taken by an empty queue of an inbox that is not full, whatever its weight.
     *
     * @param bytes about what it brings
     */
    SharedRoom.@Nullable Full offer(int caller, int callWeight, int bytes, Runnable action) {
        int before = weight.getAndAdd(callWeight);
        Queue queue = callers.get(caller);
        if (queue == null) {
            queue = callers.computeIfAbsent(caller, number -> new Queue());
        }
        int own = queue.weight.getAndAdd(callWeight);
        SharedRoom.Full full = room.refusal(before, own, callWeight);
        if (full != null) {
            queue.weight.addAndGet(-callWeight);
            weight.addAndGet(-callWeight);
            return full;
        }
        put(queue, new Call(callWeight, CALL_BYTES + bytes, action));
        return null;
    }

    /** A worker's message: taken whatever the weight, because it must not be lost. */
    void hear(Runnable action) {
        // Counted before it is visible: a reader that saw `heard` has all of these in front of it or already taken.
        heard.incrementAndGet();
        put(workers, new Call(0, CALL_BYTES, action));
    }

    private void put(Queue queue, Call call) {
        waiting.incrementAndGet();
        queue.calls.add(call);
        if (queue.inRound.compareAndSet(false, true)) {
            arrivals.add(queue);
        }
        wake.run();
    }

    void signal(Runnable action) {
        signals.add(action);
        wake.run();
    }

    @Nullable Runnable nextSignal() {
        return signals.poll();
    }

    /** The next call in turn, null when there is none. */
    @Nullable Runnable nextCall() {
        while (true) {
            for (Queue queue = arrivals.poll(); queue != null; queue = arrivals.poll()) {
                round.addLast(queue);
            }
            Queue queue = round.peekFirst();
            if (queue == null) {
                return null;
            }
            Call call = queue.calls.peek();
            if (call == null) {
                leave(queue);
            } else if (queue.credit < call.bytes) {
                queue.credit += QUANTUM_BYTES;
                if (round.size() > 1) {
                    round.addLast(round.removeFirst());
                }
            } else {
                queue.calls.poll();
                queue.credit -= call.bytes;
                return took(queue, call);
            }
        }
    }

    /** An empty queue goes, with no credit to come back with; one that was filled meanwhile comes again. */
    private void leave(Queue queue) {
        round.removeFirst();
        queue.credit = 0;
        queue.inRound.set(false);
        if (!queue.calls.isEmpty() && queue.inRound.compareAndSet(false, true)) {
            arrivals.add(queue);
        }
    }

    private Runnable took(Queue queue, Call call) {
        waiting.decrementAndGet();
        if (queue == workers) {
            taken++;
        } else {
            weight.addAndGet(-call.weight);
            queue.weight.addAndGet(-call.weight);
        }
        return call.action;
    }

    /** Runs what is left after the last turn, on any thread: every call then finds a node that no longer serves. */
    void runAll() {
        runAll(workers);
        callers.values().forEach(this::runAll);
    }

    private void runAll(Queue queue) {
        for (Call call = queue.calls.poll(); call != null; call = queue.calls.poll()) {
            waiting.decrementAndGet();
            weight.addAndGet(-call.weight);
            queue.weight.addAndGet(-call.weight);
            call.action.run();
        }
    }

    /** Workers' messages ever put in. */
    long heard() {
        return heard.get();
    }

    /** Workers' messages ever taken out; for the reader only. */
    long taken() {
        return taken;
    }

    boolean isEmpty() {
        return waiting.get() == 0 && signals.isEmpty();
    }

    private record Call(int weight, int bytes, Runnable action) {}

    /** Of one caller. It stays when it is empty: a few hundred bytes for each tenant that ever called. */
    private static final class Queue {
        final ConcurrentLinkedQueue<Call> calls = new ConcurrentLinkedQueue<>();
        final AtomicInteger weight = new AtomicInteger();
        final AtomicBoolean inRound = new AtomicBoolean();
        /** Bytes it may still take in this round; the reader's own. */
        long credit;
    }
}
