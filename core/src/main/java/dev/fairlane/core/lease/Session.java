package dev.fairlane.core.lease;

import dev.fairlane.core.model.WorkerOffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connected worker. Soft state: a failover costs a reconnect. */
public final class Session {
    private final int id;
    private final WorkerOffer offer;
    private final List<Seat> seats = new ArrayList<>(3);

    public Session(int id, WorkerOffer offer) {
        this.id = id;
        this.offer = offer;
    }

    public int id() {
        return id;
    }

    public WorkerOffer offer() {
        return offer;
    }

    public List<Seat> seats() {
        return seats;
    }

    public void addSeat(int pool, int slots, SeatRing ring) {
        seats.add(new Seat(this, pool, slots, ring));
    }

    public @Nullable Seat seat(int pool) {
        for (int i = 0; i < seats.size(); i++) {
            if (seats.get(i).pool() == pool) {
                return seats.get(i);
            }
        }
        return null;
    }

    /** Takes no more jobs; returns false if it did not before either. */
    public boolean close() {
        boolean closed = false;
        for (Seat seat : seats) {
            closed |= seat.isOpen();
            seat.close();
        }
        return closed;
    }
}
