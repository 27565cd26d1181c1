package dev.fairlane.journal.postgres;

import dev.fairlane.journal.postgres.Slots.Slot;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What ended in the segments that are asked for payloads, so that each question reads only what ended since the last one. Bounded: the
 * segment asked for least recently is forgotten first.
 *
 * <p>It may know of ends younger than the asker's snapshot. That suits those who want payloads of jobs that are open now; those who
 * show a consistent picture read the ends themselves.
 */
final class EndsCache {
    private static final int MAX_ENDS = 1 << 20;

    private final Map<Integer, Ends> bySegment = new LinkedHashMap<>(16, 0.75f, true);
    private int size;

    private static final class Ends {
        final LongNumbers numbers = new LongNumbers(64);
        long upTo;
    }

    synchronized LongNumbers of(Connection connection, Slot slot) throws SQLException {
        Ends ends = bySegment.computeIfAbsent(slot.segment(), segment -> new Ends());
        int before = ends.numbers.size();
        try (PreparedStatement statement = connection.prepareStatement(Sql.on("list_new_ends", slot.table()))) {
            statement.setLong(1, ends.upTo);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    long number = rows.getLong(1);
                    OpenFold.note(ends.numbers, number, rows.getBytes(2));
                    ends.upTo = Math.max(ends.upTo, number);
                }
            }
        }
        size += ends.numbers.size() - before;
        evict();
        return ends.numbers;
    }

    private void evict() {
        Iterator<Ends> oldest = bySegment.values().iterator();
        while (size > MAX_ENDS && bySegment.size() > 1) {
            size -= oldest.next().numbers.size();
            oldest.remove();
        }
    }
}
