package dev.fairlane.core.lease;

import dev.fairlane.core.model.Resources;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The slots a session offers in one pool. Taken seats are live leases attached to it: they move only with those. */
public final class Seat {
    static final int NOT_IN_RING = -1;

    private final Session session;
    private final int pool;
    private final int slots;
    private final Bench bench;
    private int taken;
    private boolean open = true;
    /** Place in each ring of the bench, by the ring's index. */
    private int[] places = {NOT_IN_RING};
    /** The only ring that may have its room, while it is kept for a big job. */
    private @Nullable SeatRing keptFor;

    Seat(Session session, int pool, int slots, Bench bench) {
        this.session = session;
        this.pool = pool;
        this.slots = slots;
        this.bench = bench;
    }

    /** Takes its place on the bench. */
    void enter() {
        bench.free(slots);
        bench.add(this);
    }

    public Session session() {
        return session;
    }

    public int pool() {
        return pool;
    }

    public int slots() {
        return slots;
    }

    public int taken() {
        return taken;
    }

    /** Whether its slots are the pool's, of which tenants have shares. */
    public boolean common() {
        return bench.common();
    }

    public boolean isOpen() {
        return open;
    }

    void take(Resources demand) {
        taken++;
        if (open && taken <= slots) {
            bench.free(-1);
        }
        if (keptFor != null && keptFor.demand.equals(demand)) {
            keptFor = null;
            session.keepFor(null);
        }
        if (!demand.isNone()) {
            session.use(demand);
        } else if (taken >= slots) {
            changed();
        }
    }

    void giveBack(Resources demand) {
        taken--;
        if (open && taken < slots) {
            bench.free(1);
        }
        if (!demand.isNone()) {
            session.giveBack(demand);
        } else if (taken == slots - 1) {
            changed();
        }
    }

    /** What it has room for may be different. */
    void changed() {
        if (bench.single() && keptFor == null && session.unbounded()) {
            boolean room = open && taken < slots;
            if (room == (places[0] == NOT_IN_RING)) {
                bench.judge(this);
            }
        } else {
            bench.judge(this);
        }
    }

    /** Keeps its room for jobs of one ring, until one has it, and what its worker has of resources with it. */
    public void keepFor(@Nullable SeatRing ring) {
        keptFor = ring;
        session.keepFor(ring);
        session.judge();
    }

    public boolean keptFor(SeatRing ring) {
        return keptFor == ring;
    }

    void judge() {
        bench.judge(this);
    }

    void judge(SeatRing ring) {
        boolean room = open && taken < slots && (keptFor == null || keptFor == ring) && session.hasRoom(ring);
        boolean in = place(ring.index) != NOT_IN_RING;
        if (room && !in) {
            ring.add(this);
        } else if (!room && in) {
            ring.remove(this);
        }
    }

    /** Whether a job of the ring would fit if one that takes so much were gone. */
    boolean fitsWithout(Resources given, Bench of, SeatRing ring) {
        return bench == of
                && open
                && taken <= slots
                && (keptFor == null || keptFor == ring)
                && session.hasRoom(ring, given);
    }

    void forget(SeatRing ring) {
        if (keptFor == ring) {
            keepFor(null);
        }
        setPlace(ring.index, NOT_IN_RING);
    }

    int place(int ring) {
        return ring < places.length ? places[ring] : NOT_IN_RING;
    }

    void setPlace(int ring, int place) {
        if (ring >= places.length) {
            int had = places.length;
            places = Arrays.copyOf(places, ring + 1);
            Arrays.fill(places, had, places.length, NOT_IN_RING);
        }
        places[ring] = place;
    }

    /** Takes no more jobs. */
    void close() {
        if (open) {
            open = false;
            if (keptFor != null) {
                keptFor = null;
                session.keepFor(null);
            }
            bench.free(-Math.max(0, slots - taken));
            bench.remove(this);
        }
    }
}
