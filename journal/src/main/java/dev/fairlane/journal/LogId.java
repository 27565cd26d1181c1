package dev.fairlane.journal;

/** A log: one start of one node. The epoch grows with every log of the cell; tokens and ids carry it. */
public record LogId(long epoch) implements Comparable<LogId> {
    @Override
    public int compareTo(LogId other) {
        return Long.compare(epoch, other.epoch);
    }
}
