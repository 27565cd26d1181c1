package dev.fairlane.journal;

import dev.fairlane.core.model.Usage;
import dev.fairlane.core.model.UsageAccount;
import dev.fairlane.core.model.UsageRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Sums of use by time and account, in that order. */
public final class UsageSums {
    private static final Comparator<Key> ORDER = Comparator.comparingLong(Key::fromAt)
            .thenComparingInt(key -> key.account.tenant().number())
            .thenComparing(key -> key.account.pool())
            .thenComparing(key -> key.account.lane())
            .thenComparing(key -> key.account.type());

    private final Map<Key, Usage> sums = new TreeMap<>(ORDER);

    private record Key(long fromAt, UsageAccount account) {}

    public void add(UsageRow row) {
        sums.merge(new Key(row.fromAt(), row.account()), row.used(), Usage::plus);
    }

    public int size() {
        return sums.size();
    }

    public List<UsageRow> rows() {
        List<UsageRow> rows = new ArrayList<>(sums.size());
        sums.forEach((key, used) -> rows.add(new UsageRow(key.fromAt, key.account, used)));
        return rows;
    }

    /** At most so many. */
    public List<UsageRow> rows(int limit) {
        List<UsageRow> rows = rows();
        return rows.size() <= limit ? rows : List.copyOf(rows.subList(0, limit));
    }
}
