package dev.fairlane.core.lease;

import dev.fairlane.core.model.Resources;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All live leases of the node, by number and by worker's name. */
public final class LeaseTable {
    private Hold[] holds = new Hold[64];
    private int made;
    private int[] free = new int[64];
    private int freeCount;
    private final Map<String, WorkerHolds> workers = new HashMap<>();
    /** Asked for last; jobs go to the same worker one after the other. */
    private @Nullable WorkerHolds last;

    public int size() {
        return made - freeCount;
    }

    public Hold get(int index) {
        return holds[index];
    }

    /**
     * A lease begins.
     *
     * @param leasedAt when; it ends {@code leaseMicros} later unless renewed
     * @param limitAt when the server ends the execution in any case
     * @param demand what it takes of its worker's resources
     */
    public Hold grant(
            int slot, long token, String worker, long leasedAt, long leaseMicros, long limitAt, Resources demand) {
        Hold hold = freeCount > 0 ? holds[free[--freeCount]] : make();
        hold.slot = slot;
        hold.token = token;
        hold.leaseMicros = leaseMicros;
        hold.untilAt = leasedAt + leaseMicros;
        hold.limitAt = limitAt;
        hold.cancelBy = 0;
        hold.aside = false;
        hold.preemptible = false;
        if (hold.demand != demand) {
            hold.demand = demand;
        }
        hold.watchProgress(0);
        hold.forgetScope();
        named(worker).add(hold, holds);
        return hold;
    }

    /** A lease ends; its seat, if it has one, is free again. */
    public void release(Hold hold) {
        detach(hold);
        WorkerHolds named = Objects.requireNonNull(hold.worker);
        named.remove(hold, holds);
        forget(named);
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, freeCount * 2);
        }
        free[freeCount++] = hold.index;
    }

    /** A worker of this name is connected: its entry stays while it holds nothing. */
    public void pin(String worker) {
        named(worker).pins++;
    }

    public void unpin(String worker) {
        WorkerHolds named = named(worker);
        named.pins--;
        forget(named);
    }

    private WorkerHolds named(String worker) {
        WorkerHolds named = last;
        if (named != null && named.name.equals(worker)) {
            return named;
        }
        named = workers.get(worker);
        if (named == null) {
            named = new WorkerHolds(worker);
            workers.put(worker, named);
        }
        last = named;
        return named;
    }

    private void forget(WorkerHolds named) {
        if (named.first == Hold.NONE && named.pins == 0) {
            workers.remove(named.name);
            last = null;
        }
    }

    /** The lease's worker is reached by this session; {@code seat} is null if it offers none in the job's pool. */
    public void attach(Hold hold, Session by, @Nullable Seat seat) {
        int session = by.id();
        if (hold.session == session && (hold.seated ? hold.seat == seat : seat == null)) {
            return;
        }
        detach(hold);
        hold.session = session;
        hold.scope = by.scope();
        if (seat != null) {
            if (hold.seat != seat) {
                hold.seat = seat;
            }
            hold.seated = true;
            seat.take(hold.demand);
        }
    }

    private static void detach(Hold hold) {
        if (hold.seated) {
            hold.seated = false;
            Objects.requireNonNull(hold.seat).giveBack(hold.demand);
        }
        hold.session = Hold.NO_SESSION;
    }

    /** The stream is gone: its leases stay until they end or the worker comes back. */
    public void detachAll(String worker, int session) {
        forEachOf(worker, hold -> {
            if (hold.session == session) {
                detach(hold);
            }
        });
    }

    public void forEachOf(String worker, Consumer<Hold> action) {
        WorkerHolds named = workers.get(worker);
        if (named != null) {
            forEachOf(named, action);
        }
    }

    public void forEach(Consumer<Hold> action) {
        for (WorkerHolds named : workers.values()) {
            forEachOf(named, action);
        }
    }

    private void forEachOf(WorkerHolds named, Consumer<Hold> action) {
        for (int index = named.first; index != Hold.NONE; index = holds[index].next) {
            action.accept(holds[index]);
        }
    }

    private Hold make() {
        if (made == holds.length) {
            holds = Arrays.copyOf(holds, made * 2);
        }
        Hold hold = new Hold(made);
        holds[made++] = hold;
        return hold;
    }
}
