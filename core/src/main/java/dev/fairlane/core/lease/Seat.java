package dev.fairlane.core.lease;

/** The slots a session offers in one pool. Taken seats are live leases attached to it: they move only with those. */
public final class Seat {
    static final int NOT_IN_RING = -1;

    private final Session session;
    private final int pool;
    private final int slots;
    private final SeatRing ring;
    private int taken;
    private boolean open = true;
    int place = NOT_IN_RING;

    Seat(Session session, int pool, int slots, SeatRing ring) {
        this.session = session;
        this.pool = pool;
        this.slots = slots;
        this.ring = ring;
        if (slots > 0) {
            ring.add(this);
        }
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

    public SeatRing ring() {
        return ring;
    }

    void take() {
        if (++taken >= slots && place != NOT_IN_RING) {
            ring.remove(this);
        }
    }

    void giveBack() {
        if (--taken < slots && open && place == NOT_IN_RING) {
            ring.add(this);
        }
    }

    /** Takes no more jobs. */
    void close() {
        open = false;
        if (place != NOT_IN_RING) {
            ring.remove(this);
        }
    }

    boolean isOpen() {
        return open;
    }
}
