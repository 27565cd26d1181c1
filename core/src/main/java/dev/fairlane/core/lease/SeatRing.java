package dev.fairlane.core.lease;

import java.util.Arrays;

/** Seats of workers that may run the same, with a free slot each; they are served in turn. */
public final class SeatRing {
    /** Hears when the first free slot appears and when the last goes. */
    public interface Listener {
        void free(boolean any);
    }

    private final Listener listener;
    private Seat[] seats = new Seat[4];
    private int size;
    private int turn;

    public SeatRing(Listener listener) {
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
        seat.place = size;
        seats[size++] = seat;
        if (size == 1) {
            listener.free(true);
        }
    }

    void remove(Seat seat) {
        Seat last = seats[--size];
        seats[seat.place] = last;
        last.place = seat.place;
        seat.place = Seat.NOT_IN_RING;
        if (size == 0) {
            listener.free(false);
        }
    }
}
