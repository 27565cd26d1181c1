package dev.fairlane.core.shard;

import dev.fairlane.core.lease.Hold;
import dev.fairlane.core.share.Queue;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * Lets long executions make room (semantics §6). Where a tenant waits below its share and no slot comes free, the newest execution of the
 * tenant that has most beyond its share is asked to hand over, if its type opted in: it saves a checkpoint, its job goes back to the
 * head of its queue at no cost, and whoever is next by fair share has the slot. Nobody is stopped: one that does not listen runs on.
 *
 * <p>It costs only those who opted in. Their executions are listed here, and while there are any their pool is looked at once a second.
 *
 * <p>Soft: a failover costs that an execution may be asked a second time.
 */
final class Preemption {
    /** Untold ones before nobody else is asked. */
    private static final int MOST_UNTOLD = 1_000;

    private final ShardState state;
    private final RoomSearch[] searches;
    private final ArrayDeque<HandOverCall> untold = new ArrayDeque<>();

    Preemption(ShardState state, Deadlines deadlines) {
        this.state = state;
        searches = new RoomSearch[state.pools.length];
        for (int i = 0; i < searches.length; i++) {
            searches[i] = new RoomSearch(state, state.pools[i], deadlines, this::call);
        }
    }

    /** An execution of a type that opted in began. */
    void began(Hold hold, Queue queue, long now) {
        searches[queue.account().pool()].began(hold, queue, now);
    }

    /** It ended, in whatever way. */
    void ended(Hold hold, Queue queue) {
        searches[queue.account().pool()].ended(hold);
    }

    /** Whether the execution of a leased job was asked. */
    boolean asked(int slot) {
        return state.hold(slot).preemptible() && searches[state.pool(slot).number()].asked(state.hold(slot));
    }

    private boolean call(HandOverCall call) {
        return untold.size() < MOST_UNTOLD && untold.add(call);
    }

    void drain(Consumer<HandOverCall> sink) {
        while (!untold.isEmpty()) {
            sink.accept(untold.removeFirst());
        }
    }
}
