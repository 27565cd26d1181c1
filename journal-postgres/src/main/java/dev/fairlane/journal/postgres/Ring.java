package dev.fairlane.journal.postgres;

/**
 * Which journal table takes the next batch. The writer moves on when a table is full and the next is empty; upkeep empties tables that
 * nobody needs any more. A table is emptied only while it is neither current nor known to be empty, so the two never meet in one.
 */
final class Ring {
    static final int TABLES = 4;

    private final long tableBytes;
    private final boolean[] empty = new boolean[TABLES];
    private final long[] lastSequence = new long[TABLES];
    private int current;
    private long bytes;

    Ring(long tableBytes) {
        this.tableBytes = tableBytes;
    }

    static String table(int ring) {
        return "journal_" + ring;
    }

    /** For a log that was just opened: begins in an empty table where there is one. */
    synchronized void begin(boolean[] found) {
        current = 0;
        bytes = tableBytes;
        for (int i = TABLES - 1; i >= 0; i--) {
            empty[i] = found[i];
            lastSequence[i] = 0;
            if (found[i]) {
                current = i;
                bytes = 0;
            }
        }
        empty[current] = false;
    }

    /** The table for a batch; asked once per batch. */
    synchronized int take(long sequence, int length) {
        int next = (current + 1) % TABLES;
        if (bytes >= tableBytes && empty[next]) {
            current = next;
            empty[next] = false;
            bytes = 0;
        }
        bytes += length;
        lastSequence[current] = sequence;
        return current;
    }

    /** A table that holds only batches up to {@code spared} and takes none, or -1. */
    synchronized int emptiable(long spared) {
        for (int i = 1; i < TABLES; i++) {
            int ring = (current + i) % TABLES;
            if (!empty[ring] && lastSequence[ring] <= spared) {
                return ring;
            }
        }
        return -1;
    }

    synchronized void emptied(int ring) {
        empty[ring] = true;
        lastSequence[ring] = 0;
    }
}
