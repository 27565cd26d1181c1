package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.RowCodec;
import dev.fairlane.journal.postgres.Partitions.Attached;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Finished jobs, inside one reading transaction. Days are read from their own tables: each question touches the few it must, and takes
 * no lock that upkeep would have to wait for on the others.
 */
final class HistoryReads {
    private static final String LATE = "job_done_late";
    private static final String DEAD = "job_dead";
    private static final long FIRST_WINDOW_MILLIS = 250;
    private static final long WINDOW_GROWTH = 16;

    private final Connection connection;
    private final List<Long> days = new ArrayList<>();

    /** A finished job without its contents. */
    record Entry(JobId id, int tenant, JobState state, String type, long size, String table) {}

    HistoryReads(Connection connection) throws SQLException {
        this.connection = connection;
        for (Attached one : Partitions.attached(connection, Partitions.HISTORY)) {
            if (!one.detaching()) {
                days.addFirst(one.unit());
            }
        }
    }

    Optional<JobView> find(@Nullable TenantId scope, JobId id) throws SQLException {
        for (String table : tables(id)) {
            String deed = scope == null ? "find_done" : "find_done_of_tenant";
            try (PreparedStatement statement = connection.prepareStatement(Sql.on(deed, table))) {
                int at = 1;
                if (scope != null) {
                    statement.setInt(at++, scope.number());
                }
                statement.setObject(at, Ids.uuid(id));
                try (ResultSet rows = statement.executeQuery()) {
                    if (rows.next()) {
                        return Optional.of(view(rows));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private List<String> tables(JobId id) {
        long day = Partitions.HISTORY.unitOf(id.millis());
        return days.contains(day) ? List.of(Partitions.HISTORY.table(day), LATE, DEAD) : List.of(LATE, DEAD);
    }

    /** The newest with an id below {@code before}, at most {@code count}. */
    List<Entry> page(@Nullable TenantId scope, UUID before, int count, boolean onlyDead) throws SQLException {
        List<Entry> page = new ArrayList<>();
        page(scope, Ids.LEAST, before, count, DEAD, page);
        if (!onlyDead) {
            page(scope, Ids.LEAST, before, count, LATE, page);
            long newest = Partitions.HISTORY.unitOf(Ids.of(before).millis());
            int found = 0;
            for (long day : days) {
                if (day <= newest && found < count) {
                    found += scope == null
                            ? windows(day, before, count - found, page)
                            : page(scope, Ids.LEAST, before, count - found, Partitions.HISTORY.table(day), page);
                }
            }
        }
        page.sort(Comparator.comparing(Entry::id).reversed());
        return page.subList(0, Math.min(count, page.size()));
    }

    /**
     * Over all tenants the index gives no order, and the newest of every tenant would be read to find the newest of all: so the end of the
     * day is searched in a short window, then in longer ones.
     */
    private int windows(long day, UUID before, int count, List<Entry> into) throws SQLException {
        long first = day * Partitions.HISTORY.unitMillis();
        long last = Math.min(
                first + Partitions.HISTORY.unitMillis(), Math.min(Ids.of(before).millis(), System.currentTimeMillis()));
        List<Entry> found = new ArrayList<>();
        for (long window = FIRST_WINDOW_MILLIS; found.size() < count; window *= WINDOW_GROWTH) {
            found.clear();
            page(
                    null,
                    Ids.firstOf(Math.max(first, last - window)),
                    before,
                    count,
                    Partitions.HISTORY.table(day),
                    found);
            if (last - window <= first) {
                break;
            }
        }
        into.addAll(found);
        return found.size();
    }

    private int page(@Nullable TenantId scope, UUID from, UUID before, int count, String table, List<Entry> into)
            throws SQLException {
        int found = 0;
        String deed = scope == null ? "page_done" : "page_done_of_tenant";
        try (PreparedStatement statement = connection.prepareStatement(Sql.on(deed, table))) {
            int at = 1;
            if (scope != null) {
                statement.setInt(at++, scope.number());
            }
            statement.setObject(at++, from);
            statement.setObject(at++, before);
            statement.setInt(at++, count);
            if (scope == null) {
                statement.setInt(at, count);
            }
            try (ResultSet rows = statement.executeQuery()) {
                for (; rows.next(); found++) {
                    into.add(new Entry(
                            Ids.of(rows, 1),
                            rows.getInt(2),
                            JobState.of(rows.getInt(3)),
                            rows.getString(4),
                            rows.getLong(5),
                            table));
                }
            }
        }
        return found;
    }

    /** With their contents. */
    Map<JobId, JobView> read(Collection<Entry> entries) throws SQLException {
        Map<String, List<Entry>> byTable = new TreeMap<>();
        entries.forEach(entry ->
                byTable.computeIfAbsent(entry.table, table -> new ArrayList<>()).add(entry));
        Map<JobId, JobView> views = new HashMap<>();
        for (var group : byTable.entrySet()) {
            try (PreparedStatement statement = connection.prepareStatement(Sql.on("read_done", group.getKey()))) {
                pairs(statement, group.getValue());
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        JobView view = view(rows);
                        views.put(view.spec().id(), view);
                    }
                }
            }
        }
        return views;
    }

    private void pairs(PreparedStatement statement, List<Entry> entries) throws SQLException {
        statement.setArray(
                1,
                connection.createArrayOf(
                        "int4", entries.stream().map(Entry::tenant).toArray(Integer[]::new)));
        statement.setArray(
                2,
                connection.createArrayOf(
                        "uuid", Ids.array(entries.stream().map(Entry::id).toList())));
    }

    /** From a row of {@code find_done} and its like. */
    static JobView view(ResultSet rows) throws SQLException {
        RowCodec.Ending ending = RowCodec.decodeEnding(rows.getBytes(6));
        return new JobView(
                RowCodec.decodeSpec(
                        Ids.of(rows, 1),
                        new TenantId(rows.getInt(2)),
                        rows.getString(3),
                        rows.getBytes(7),
                        rows.getBytes(4)),
                RowCodec.decodeStatus(rows.getBytes(5)),
                ending.result(),
                ending.failure());
    }
}
