package dev.fairlane.core.shard;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A number of each slot of a page, for numbers that most jobs of a page have in common: as long as all of them do it is kept once. From the
 * first that differs on each has its own, until the page goes.
 */
final class EvenLongs {
    private long same;
    private long @Nullable [] each;

    long get(int at) {
        long[] numbers = each;
        return numbers == null ? same : numbers[at];
    }

    /** @param alone none of the others is in use, so that theirs may change with it */
    void set(int at, long number, boolean alone) {
        long[] numbers = each;
        if (numbers != null) {
            numbers[at] = number;
        } else if (alone) {
            same = number;
        } else if (number != same) {
            numbers = new long[SlotPages.SLOTS];
            Arrays.fill(numbers, same);
            numbers[at] = number;
            each = numbers;
        }
    }

    /** Whether all have the same. */
    boolean isEven() {
        return each == null;
    }
}
