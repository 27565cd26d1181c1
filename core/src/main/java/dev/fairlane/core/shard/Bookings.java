package dev.fairlane.core.shard;

import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.UsageRow;
import java.util.Arrays;

/** Use that was booked, in order: two longs each. */
public final class Bookings {
    private static final int ACCOUNT_BITS = 32;
    private static final int STATE_BITS = 4;
    private static final int STATE_MASK = (1 << STATE_BITS) - 1;
    /** Of an end that was no execution's. */
    private static final long NO_EXECUTION = -1;

    /** Nothing; nobody adds to it. */
    public static final Bookings NONE = new Bookings();

    private long[] packed = new long[64];
    private int size;

    Bookings() {}

    /** @param slotMicros below 0: no execution ended */
    void add(int account, long hour, JobState became, long slotMicros) {
        if (2 * size == packed.length) {
            packed = Arrays.copyOf(packed, 2 * packed.length);
        }
        packed[2 * size] = hour << ACCOUNT_BITS + STATE_BITS | (long) account << STATE_BITS | became.ordinal();
        packed[2 * size + 1] = slotMicros;
        size++;
    }

    void addEnd(int account, long hour, JobState became) {
        add(account, hour, became, NO_EXECUTION);
    }

    public int size() {
        return size;
    }

    /** Begin of the hour it is booked in. */
    public long hourAt(int i) {
        return (packed[2 * i] >>> ACCOUNT_BITS + STATE_BITS) * UsageRow.HOUR_MICROS;
    }

    /** Number of the account, as {@link Engine#usageAccount} knows it. */
    public int account(int i) {
        return (int) (packed[2 * i] >>> STATE_BITS);
    }

    /** What the job became; it ended if that is terminal. */
    public JobState became(int i) {
        return JobState.of((int) packed[2 * i] & STATE_MASK);
    }

    public boolean execution(int i) {
        return packed[2 * i + 1] != NO_EXECUTION;
    }

    public long slotMicros(int i) {
        return Math.max(0, packed[2 * i + 1]);
    }
}
