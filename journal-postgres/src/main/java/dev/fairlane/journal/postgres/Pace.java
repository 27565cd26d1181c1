package dev.fairlane.journal.postgres;

import dev.fairlane.journal.Flush;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How a flush uses the machine. A large one hurries: behind it waits the next. A small one works for about half a millisecond at a time and then
 * lets others have the processor, its own and the store's: jobs that are to run at once would else wait behind it for as long as it takes.
 */
final class Pace {
    static final Pace BRISK = new Pace(false);

    /** More than this is large: the rests alone would take a quarter of a second. */
    private static final int SMALL = 20_000;

    /** Of a statement's rows: about half a millisecond of the store's. */
    private static final int ROWS = 100;

    /** The same in bytes of rows that are copied in. */
    private static final int BYTES = 16 * 1024;

    private static final long REST_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    private final boolean gentle;
    private int made;

    private Pace(boolean gentle) {
        this.gentle = gentle;
    }

    static Pace of(Flush flush) {
        int changes = flush.added().size()
                + flush.revised().size()
                + flush.changed().size()
                + flush.ended().size();
        return changes > SMALL ? BRISK : gentle();
    }

    static Pace gentle() {
        return new Pace(true);
    }

    boolean isGentle() {
        return gentle;
    }

    /** How many rows one statement may change. */
    int rows(int most) {
        return gentle ? ROWS : most;
    }

    /** How many bytes are copied in one go. */
    int bytes(int most) {
        return gentle ? BYTES : most;
    }

    /** A row was made here, which takes a fraction of what the store takes for it. */
    void made() {
        if (gentle && ++made % (4 * ROWS) == 0) {
            rest();
        }
    }

    /** A piece of work was done. */
    void rest() {
        if (gentle) {
            LockSupport.parkNanos(REST_NANOS);
        }
    }
}
