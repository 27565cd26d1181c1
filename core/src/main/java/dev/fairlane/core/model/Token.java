package dev.fairlane.core.model;

/**
 * The fencing number of a lease: it grows with every lease of a job, over restarts and changes of owner, and never repeats,
 * because the epoch in front belongs to one start of one node and the number behind only counts up inside it.
 *
 * <p>Carried as a {@code long}: 22 bits epoch, 41 bits number, never negative; 0 means "no lease".
 */
public final class Token {
    public static final int NUMBER_BITS = 41;
    public static final long NONE = 0;

    private Token() {}

    public static long of(long epoch, long number) {
        if (epoch < 0 || epoch > JobId.MAX_EPOCH || number < 0 || number >>> NUMBER_BITS != 0) {
            throw new IllegalArgumentException("token out of range: epoch " + epoch + ", number " + number);
        }
        return epoch << NUMBER_BITS | number;
    }

    public static long epoch(long token) {
        return token >>> NUMBER_BITS;
    }

    public static long number(long token) {
        return token & (1L << NUMBER_BITS) - 1;
    }
}
