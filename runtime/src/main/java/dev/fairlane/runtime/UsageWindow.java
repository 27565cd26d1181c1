package dev.fairlane.runtime;

import dev.fairlane.core.model.Usage;
import dev.fairlane.core.model.UsageAccount;
import dev.fairlane.core.model.UsageRow;
import dev.fairlane.core.shard.Bookings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/** Sums the bookings of committed batches until the next flush. A booking costs a few array writes, and no look-up by name. */
final class UsageWindow {
    private static final int SUMS = 6;
    private static final int EXECUTIONS = 0;
    private static final int SLOT_MICROS = 1;
    private static final int SUCCEEDED = 2;
    private static final int DEAD = 3;
    private static final int CANCELLED = 4;
    private static final int EXPIRED = 5;

    /** By account: one more than its place among the sums; 0 for none. */
    private int[] places = new int[64];

    private int[] accounts = new int[64];
    private long[] sums = new long[64 * SUMS];
    private int size;
    private long hourAt;

    /** Of hours that ended meanwhile. */
    private List<UsageRow> earlier = new ArrayList<>();

    void add(Bookings bookings, IntFunction<UsageAccount> names) {
        for (int i = 0; i < bookings.size(); i++) {
            if (bookings.hourAt(i) != hourAt) {
                close(names);
                hourAt = bookings.hourAt(i);
            }
            int at = place(bookings.account(i)) * SUMS;
            if (bookings.execution(i)) {
                sums[at + EXECUTIONS]++;
                sums[at + SLOT_MICROS] += bookings.slotMicros(i);
            }
            switch (bookings.became(i)) {
                case SUCCEEDED -> sums[at + SUCCEEDED]++;
                case DEAD -> sums[at + DEAD]++;
                case CANCELLED -> sums[at + CANCELLED]++;
                case EXPIRED -> sums[at + EXPIRED]++;
                case SCHEDULED, QUEUED, LEASED, RUNNING, RETRY_WAIT -> {}
            }
        }
    }

    private int place(int account) {
        if (account >= places.length) {
            places = Arrays.copyOf(places, Math.max(account + 1, places.length * 2));
        }
        if (places[account] == 0) {
            if (size == accounts.length) {
                accounts = Arrays.copyOf(accounts, 2 * size);
                sums = Arrays.copyOf(sums, 2 * size * SUMS);
            }
            Arrays.fill(sums, size * SUMS, (size + 1) * SUMS, 0);
            accounts[size] = account;
            places[account] = ++size;
        }
        return places[account] - 1;
    }

    private void close(IntFunction<UsageAccount> names) {
        for (int i = 0; i < size; i++) {
            places[accounts[i]] = 0;
            int at = i * SUMS;
            earlier.add(new UsageRow(
                    hourAt,
                    names.apply(accounts[i]),
                    new Usage(
                            sums[at + EXECUTIONS],
                            sums[at + SLOT_MICROS],
                            sums[at + SUCCEEDED],
                            sums[at + DEAD],
                            sums[at + CANCELLED],
                            sums[at + EXPIRED])));
        }
        size = 0;
    }

    /** Everything since the last call, one row for each hour and account. */
    List<UsageRow> cut(IntFunction<UsageAccount> names) {
        close(names);
        List<UsageRow> rows = earlier;
        earlier = rows.isEmpty() ? rows : new ArrayList<>();
        return rows;
    }
}
