package dev.fairlane.core.lease;

import dev.fairlane.core.model.Resources;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The seats of workers that may run the same: for each demand that waiting jobs have, those with room for it. Seats say when they
 * change, so nobody looks for room.
 */
public final class Bench {
    /** Hears of slots that became free, or were taken if negative. */
    public interface SlotCount {
        void free(int slots);
    }

    private final boolean common;
    private final SlotCount count;
    private final List<Seat> seats = new ArrayList<>(1);
    /** By their index, with holes. */
    private final List<@Nullable SeatRing> rings = new ArrayList<>(1);

    private int ringCount;

    /** @param common whether its slots are the pool's */
    public Bench(boolean common, SlotCount count) {
        this.common = common;
        this.count = count;
    }

    /** A ring of the seats that have room for so much. */
    public SeatRing open(Resources demand, SeatRing.Listener listener) {
        int index = rings.indexOf(null);
        if (index < 0) {
            index = rings.size();
            rings.add(null);
        }
        SeatRing ring = new SeatRing(index, demand, listener);
        rings.set(index, ring);
        ringCount++;
        for (Seat seat : seats) {
            seat.judge(ring);
        }
        return ring;
    }

    public void close(SeatRing ring) {
        for (Seat seat : seats) {
            seat.forget(ring);
        }
        rings.set(ring.index, null);
        ringCount--;
    }

    public List<Seat> seats() {
        return seats;
    }

    /** Whether a seat could take such a job with nothing else to do. */
    public boolean couldHold(Resources demand) {
        for (Seat seat : seats) {
            if (seat.session().couldHold(demand)) {
                return true;
            }
        }
        return false;
    }

    boolean common() {
        return common;
    }

    /** Whether jobs demand nothing or all the same. */
    boolean single() {
        return ringCount == 1;
    }

    void judge(Seat seat) {
        for (int i = 0; i < rings.size(); i++) {
            SeatRing ring = rings.get(i);
            if (ring != null) {
                seat.judge(ring);
            }
        }
    }

    void add(Seat seat) {
        seats.add(seat);
        judge(seat);
    }

    void remove(Seat seat) {
        judge(seat);
        seats.remove(seat);
    }

    void free(int slots) {
        count.free(slots);
    }
}
