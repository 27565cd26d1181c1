package dev.fairlane.core.lease;

import dev.fairlane.core.model.Resources;
import java.util.Arrays;

/** Seats of a bench with room for a job that demands so much; they are served in turn. */
public final class SeatRing {
    /** Hears when the first seat with room appears and when the last goes. */
    public interface Listener {
        void room(boolean any);
    }

    private final Listener listener;
    final Resources demand;
    /** Place on its bench, by which seats know where they are in it. */
    final int index;

    private Seat[] seats = new Seat[4];
    private int size;
    private int turn;

    SeatRing(int index, Resources demand, Listener listener) {
        this.index = index;
        this.demand = demand;
        this.listener = listener;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** The seat whose turn it is; the next call names another if there is one. */
    public Seat next() {
        if (turn >= size) {
            turn = 0;
        }
        return seats[turn++];
    }

    void add(Seat seat) {
        if (size == seats.length) {
            seats = Arrays.copyOf(seats, size * 2);
        }
        seat.setPlace(index, size);
        seats[size++] = seat;
        if (size == 1) {
            listener.room(true);
        }
    }

    void remove(Seat seat) {
        int place = seat.place(index);
        Seat last = seats[--size];
        seats[place] = last;
        last.setPlace(index, place);
        seat.setPlace(index, Seat.NOT_IN_RING);
        if (size == 0) {
            listener.room(false);
        }
    }
}
