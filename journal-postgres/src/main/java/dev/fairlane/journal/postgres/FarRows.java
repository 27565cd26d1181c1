package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.KeyName;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.FarJob;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.RecoverySink;
import dev.fairlane.journal.RowCodec;
import dev.fairlane.journal.postgres.Slots.Filling;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Jobs far from due, one row each: written once, changed only by hand, and removed when the job is near. How many there are of each
 * tenant is written with them. One instance per flush, in the order {@link #replace}, {@link #change}, {@link #move}, {@link #add},
 * {@link #end}.
 */
final class FarRows {
    private static final int AT_ONCE = 10_000;
    private static final byte[] NO_PAYLOAD = {};

    private final Connection connection;
    private final Flush flush;
    private final Pace pace;
    private final Map<Integer, Long> counts = new TreeMap<>();

    FarRows(Connection connection, Flush flush, Pace pace) {
        this.connection = connection;
        this.flush = flush;
        this.pace = pace;
    }

    /** Takes out what is revised. */
    void replace() throws SQLException {
        remove(flush.revised().stream()
                .filter(job -> job.segment() == Flush.FAR)
                .map(job -> job.spec().id())
                .toList());
    }

    /** Gives their new images to those that stay. */
    void change(long number, RowCodec codec) throws SQLException {
        List<Flush.Changed> staying =
                flush.changed().stream().filter(Flush.Changed::staysFar).toList();
        for (List<Flush.Changed> some : portions(staying)) {
            images(Sql.of("change_far"), number, some, codec);
            pace.rest();
        }
    }

    /** Brings what is no longer far to the segment that is being filled. */
    Filling move(long number, Filling to, RowCodec codec) throws SQLException {
        List<Flush.Changed> near = flush.changed().stream()
                .filter(job -> job.far() && !job.staysFar())
                .toList();
        Filling filling = to;
        for (List<Flush.Changed> some : portions(near)) {
            List<JobId> ids = images(Sql.on("move_far", to.table()), number, some, codec);
            for (JobId id : ids) {
                filling = filling.with(id, true);
            }
            remove(ids);
            pace.rest();
        }
        return filling;
    }

    /** Runs a statement that takes a number, ids and their images, and has to find all of them. */
    private List<JobId> images(String sql, long number, List<Flush.Changed> some, RowCodec codec) throws SQLException {
        Transactions.run(connection, Sql.of("find_by_index"));
        List<JobId> ids = some.stream().map(Flush.Changed::id).toList();
        byte[][] images =
                some.stream().map(job -> codec.encodeStatus(job.status())).toArray(byte[][]::new);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, number);
            statement.setArray(2, connection.createArrayOf("uuid", Ids.array(ids)));
            statement.setArray(3, connection.createArrayOf("bytea", images));
            int found = statement.executeUpdate();
            if (found != ids.size()) {
                throw new IllegalStateException("expected " + ids.size() + " far jobs, but there were " + found);
            }
        }
        return ids;
    }

    private <T> List<List<T>> portions(List<T> all) {
        List<List<T>> portions = new ArrayList<>();
        int most = pace.rows(AT_ONCE);
        for (int from = 0; from < all.size(); from += most) {
            portions.add(all.subList(from, Math.min(all.size(), from + most)));
        }
        return portions;
    }

    private record Row(JobSpec spec, JobStatus status, long wakeAt) {}

    /** In the order in which they wake up, so that the index by time is written page by page. */
    void add(long number, CopyRows rows, RowCodec codec) throws SQLException {
        List<Row> far = new ArrayList<>();
        for (Flush.Added job : flush.added()) {
            if (job.wakeAt() > 0) {
                far.add(new Row(job.spec(), job.status(), job.wakeAt()));
            }
        }
        for (Flush.Revised job : flush.revised()) {
            if (job.wakeAt() > 0) {
                far.add(new Row(job.spec(), job.status(), job.wakeAt()));
            }
        }
        if (far.isEmpty()) {
            return;
        }
        far.sort(Comparator.comparingLong(Row::wakeAt));
        rows.clear();
        for (Row row : far) {
            JobSpec spec = row.spec;
            rows.row(9)
                    .int8(number)
                    .int8(row.wakeAt)
                    .int4(spec.tenant().number())
                    .bool(KeyName.isGiven(spec.idempotencyKey()))
                    .uuid(spec.id())
                    .text(spec.type())
                    .bytea(codec.encodeSpecExtras(spec))
                    .bytea(codec.encodeStatus(row.status))
                    .bytea(spec.payload().bytes());
            pace.made();
            counts.merge(spec.tenant().number(), 1L, Long::sum);
        }
        rows.send(connection, Sql.of("copy_far"), pace);
    }

    /** Takes out what ended, once nobody needs its spec any more, and writes the numbers. */
    void end() throws SQLException {
        remove(flush.ended().stream()
                .filter(job -> job.segment() == Flush.FAR)
                .map(Flush.Ended::id)
                .toList());
        counts.values().removeIf(count -> count == 0);
        if (counts.isEmpty()) {
            return;
        }
        Object[] tenants = counts.keySet().toArray();
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("count_far"))) {
            statement.setArray(1, connection.createArrayOf("int4", tenants));
            statement.setArray(
                    2, connection.createArrayOf("int8", counts.values().toArray()));
            statement.executeUpdate();
        }
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("drop_far_counts"))) {
            statement.setArray(1, connection.createArrayOf("int4", tenants));
            statement.executeUpdate();
        }
    }

    private void remove(List<JobId> ids) throws SQLException {
        if (ids.isEmpty()) {
            return;
        }
        // the session may have planned when there were few
        Transactions.run(connection, Sql.of("find_by_index"));
        for (List<JobId> some : portions(ids)) {
            try (PreparedStatement statement = connection.prepareStatement(Sql.of("remove_far"))) {
                statement.setArray(1, connection.createArrayOf("uuid", Ids.array(some)));
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        counts.merge(rows.getInt(1), -1L, Long::sum);
                    }
                }
            }
            pace.rest();
        }
    }

    // ---- recovery

    /** How many there are, and their keys. */
    static void tell(Connection connection, RecoverySink sink) throws SQLException {
        boolean any = false;
        try (ResultSet rows = Streaming.query(connection, Sql.of("list_far_counts"))) {
            while (rows.next()) {
                sink.far(new TenantId(rows.getInt(1)), rows.getLong(2));
                any = true;
            }
        }
        if (!any) {
            return;
        }
        try (ResultSet rows = Streaming.query(connection, Sql.of("list_far_keys"))) {
            while (rows.next()) {
                JobSpec spec = RowCodec.decodeSpec(
                        Ids.of(rows, 1), new TenantId(rows.getInt(2)), rows.getString(3), NO_PAYLOAD, rows.getBytes(4));
                sink.farKey(spec.tenant(), spec.idempotencyKey(), spec.id(), spec.bodyHash(), spec.submittedAt());
            }
        }
    }

    /** Of these jobs those that are far. */
    static List<FarJob> find(Connection connection, List<JobId> ids) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("find_far"))) {
            statement.setArray(1, connection.createArrayOf("uuid", Ids.array(ids)));
            return read(statement);
        }
    }

    /** From statements that give wake_at, id, tenant, type, spec, status. */
    static List<FarJob> read(PreparedStatement statement) throws SQLException {
        return read(statement, false);
    }

    /** From statements that give the payload, or null to leave it, behind these. */
    static List<FarJob> readWhole(PreparedStatement statement) throws SQLException {
        return read(statement, true);
    }

    private static List<FarJob> read(PreparedStatement statement, boolean withPayloads) throws SQLException {
        List<FarJob> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                byte[] payload = withPayloads ? rows.getBytes(7) : null;
                JobSpec spec = RowCodec.decodeSpec(
                        Ids.of(rows, 2),
                        new TenantId(rows.getInt(3)),
                        rows.getString(4),
                        payload == null ? NO_PAYLOAD : payload,
                        rows.getBytes(5));
                found.add(new FarJob(
                        payload == null ? OpenFold.withoutPayload(spec) : spec,
                        RowCodec.decodeStatus(rows.getBytes(6)),
                        rows.getLong(1),
                        payload != null));
            }
        }
        return found;
    }
}
