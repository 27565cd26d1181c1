package dev.fairlane.journal.postgres;

/** Which of the two tables of flush positions is written. The other is emptied once this one holds enough of them to stand alone. */
final class FlushRing {
    private static final int ROWS = 4_096;

    private int current;
    private long rows;

    int current() {
        return current;
    }

    static String table(int ring) {
        return "flush_" + ring;
    }

    void begin(int ring) {
        current = ring;
        rows = 0;
    }

    void wrote() {
        rows++;
    }

    /** The table to empty and write next, or -1. */
    int emptiable() {
        return rows >= ROWS ? 1 - current : -1;
    }

    void emptied(int ring) {
        begin(ring);
    }
}
