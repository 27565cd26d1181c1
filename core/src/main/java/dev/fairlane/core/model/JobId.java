package dev.fairlane.core.model;

import java.util.Optional;
import java.util.UUID;

/**
 * A job's id: a UUIDv7 whose random bits are not random, so that any node can route by it and no clock can repeat it.
 *
 * <pre>
 * hi  48 bits milliseconds | 4 bits version 7 | 6 bits cell | 6 bits shard
 * lo   2 bits variant      | 22 bits epoch    | 40 bits sequence
 * </pre>
 *
 * <p>Epoch and sequence alone are unique in a cell (an epoch belongs to one start of one node), hence {@link #lo} is the key
 * under which memory knows a job. The time in front keeps ids sorted by submission and picks the day's partition.
 */
public record JobId(long hi, long lo) implements Comparable<JobId> {
    public static final int SHARDS = 64;
    public static final int EPOCH_BITS = 22;
    public static final int SEQUENCE_BITS = 40;
    public static final long MAX_EPOCH = (1L << EPOCH_BITS) - 1;
    public static final long MAX_SEQUENCE = (1L << SEQUENCE_BITS) - 1;

    private static final long VERSION = 7L << 12;
    private static final long VARIANT = 1L << 63;

    public static JobId of(long millis, int cell, int shard, long epoch, long sequence) {
        if (millis < 0 || millis >>> 48 != 0 || cell < 0 || cell > 63 || shard < 0 || shard >= SHARDS) {
            throw new IllegalArgumentException(
                    "expected 48-bit millis, cell and shard in 0..63, but got " + millis + ", " + cell + ", " + shard);
        }
        if (epoch < 0 || epoch > MAX_EPOCH || sequence < 0 || sequence > MAX_SEQUENCE) {
            throw new IllegalArgumentException("expected epoch ≤ " + MAX_EPOCH + " and sequence ≤ " + MAX_SEQUENCE
                    + ", but got " + epoch + " and " + sequence);
        }
        return new JobId(
                millis << 16 | VERSION | (long) cell << 6 | shard, VARIANT | epoch << SEQUENCE_BITS | sequence);
    }

    /** The id this text is, or empty when it is none. */
    public static Optional<JobId> find(String text) {
        try {
            return Optional.of(parse(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * Reads a plain UUID as written by {@link #toString}.
     *
     * @throws IllegalArgumentException if it is no UUID of our layout
     */
    public static JobId parse(String text) {
        if (text.length() != 36) {
            throw new IllegalArgumentException("expected a UUID of 36 characters, but got " + text.length());
        }
        UUID uuid = UUID.fromString(text);
        if (uuid.version() != 7 || uuid.variant() != 2) {
            throw new IllegalArgumentException("expected a UUID of version 7, but got version " + uuid.version());
        }
        return new JobId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }

    public long millis() {
        return hi >>> 16;
    }

    public int cell() {
        return (int) (hi >>> 6) & 63;
    }

    public int shard() {
        return (int) hi & 63;
    }

    public long epoch() {
        return lo >>> SEQUENCE_BITS & MAX_EPOCH;
    }

    public long sequence() {
        return lo & MAX_SEQUENCE;
    }

    @Override
    public int compareTo(JobId other) {
        int byTime = Long.compareUnsigned(hi, other.hi);
        return byTime != 0 ? byTime : Long.compareUnsigned(lo, other.lo);
    }

    @Override
    public String toString() {
        return new UUID(hi, lo).toString();
    }
}
