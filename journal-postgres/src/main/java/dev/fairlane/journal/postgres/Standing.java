package dev.fairlane.journal.postgres;

/**
 * What right the process that flushes has to a processor. While flushes are small it gives way to everybody: nobody waits for them. Behind a large one
 * waits the next, so it has the same right as others. Owned by the flush thread.
 */
final class Standing {
    /** So many small ones in a row: about a second's. */
    static final int CALM = 4;

    private final Background background;
    private int backend;
    private boolean givesWay;
    private int small;

    Standing(Background background) {
        this.background = background;
    }

    /** The process behind a new connection has the usual right. */
    void connected(int process) {
        backend = process;
        givesWay = false;
        small = 0;
    }

    /** A flush begins. */
    void flushing(Pace pace) {
        small = pace.isGentle() ? Math.min(CALM, small + 1) : 0;
        boolean now = small == CALM;
        if (now != givesWay && backend != 0) {
            givesWay = now;
            background.givesWay(backend, now);
        }
    }
}
