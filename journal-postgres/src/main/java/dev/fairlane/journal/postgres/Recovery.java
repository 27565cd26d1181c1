package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.Batch;
import dev.fairlane.journal.ChainedTail;
import dev.fairlane.journal.FarJob;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.LogId;
import dev.fairlane.journal.RecoverySink;
import dev.fairlane.journal.RowCodec;
import dev.fairlane.journal.postgres.Slots.Slot;
import java.io.ByteArrayOutputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells a sink everything that is durable and not finished, from one snapshot taken after the old logs were closed. */
final class Recovery {
    private final Connection connection;
    private final RecoverySink sink;
    private long highWaterAt;

    Recovery(Connection connection, RecoverySink sink) {
        this.connection = connection;
        this.sink = sink;
    }

    /** @return the greatest time found in any log */
    long tell(LogId log) throws SQLException {
        connection.setAutoCommit(false);
        try {
            Transactions.run(connection, Sql.of("begin_reading"));
            sink.begin(log);
            highWaterAt = Transactions.number(connection, Sql.of("read_high_water"));
            tenants();
            types();
            GateRows.tell(connection, sink);
            GroupRows.tell(connection, sink);
            ScheduleRows.tell(connection, sink);
            UsageRows.tell(connection, sink, Transactions.number(connection, Sql.of("read_clock")));
            AuditRows.tell(connection, sink);
            List<Slot> slots = Slots.live(connection);
            keys();
            FarRows.tell(connection, sink);
            OpenFold fold = new OpenFold(connection);
            fold.read(slots, sink);
            tails(log);
            return highWaterAt;
        } finally {
            Transactions.rollback(connection);
            connection.setAutoCommit(true);
        }
    }

    private void tenants() throws SQLException {
        try (ResultSet rows = Streaming.query(connection, Sql.of("list_tenants"))) {
            while (rows.next()) {
                sink.tenant(new Tenant(
                        new TenantId(rows.getInt(1)),
                        rows.getString(2),
                        rows.getInt(3),
                        rows.getLong(4),
                        RowCodec.decodeTenantRules(rows.getBytes(5))));
            }
        }
    }

    private void types() throws SQLException {
        try (ResultSet rows = Streaming.query(connection, Sql.of("list_types"))) {
            while (rows.next()) {
                sink.type(new JobType(
                        new TenantId(rows.getInt(1)),
                        rows.getString(2),
                        rows.getString(3),
                        rows.getInt(4),
                        rows.getLong(5),
                        rows.getLong(6),
                        RowCodec.decodeRules(rows.getBytes(7)),
                        rows.getLong(8),
                        moved(rows.getString(9), rows.getLong(10))));
            }
        }
    }

    private static JobType.@Nullable Moved moved(String pool, long until) {
        return pool.isEmpty() ? null : new JobType.Moved(pool, until);
    }

    /** Recent keys whole; of older ones, and of those of dead jobs, only that they are there. */
    private void keys() throws SQLException {
        long recentFrom = Transactions.number(connection, Sql.of("read_clock")) - sink.recentKeysMicros();
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("list_sealed_keys"))) {
            statement.setLong(1, recentFrom);
            try (ResultSet rows = Streaming.rows(statement)) {
                while (rows.next()) {
                    sink.sealedKey(new TenantId(rows.getInt(1)), rows.getString(2), rows.getLong(3));
                }
            }
        }
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("list_keys"))) {
            statement.setLong(1, recentFrom);
            try (ResultSet rows = Streaming.rows(statement)) {
                while (rows.next()) {
                    sink.key(
                            new TenantId(rows.getInt(1)),
                            rows.getString(2),
                            Ids.of(rows, 3),
                            rows.getLong(4),
                            rows.getLong(5));
                }
            }
        }
        try (ResultSet rows = Streaming.query(connection, Sql.of("list_dead_keys"))) {
            while (rows.next()) {
                sink.deadKey(new TenantId(rows.getInt(1)), rows.getString(2), rows.getLong(3));
            }
        }
    }

    private record Tail(LogId log, long keptFrom, long flushed, byte[] head) {}

    private void tails(LogId log) throws SQLException {
        List<Tail> tails = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("list_tails"))) {
            statement.setInt(1, (int) log.epoch());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    LogId of = new LogId(rows.getInt(1));
                    byte @Nullable [] hash = rows.getBytes(5);
                    tails.add(
                            hash == null
                                    ? new Tail(of, 1, 0, rows.getBytes(2))
                                    : new Tail(of, rows.getLong(4), rows.getLong(3), hash));
                }
            }
        }
        for (Tail tail : tails) {
            read(tail);
        }
    }

    private void read(Tail tail) throws SQLException {
        ChainedTail chain = new ChainedTail(tail.log(), tail.keptFrom(), tail.flushed(), tail.head(), sink, this::far);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("read_tail"))) {
            statement.setInt(1, (int) tail.log().epoch());
            statement.setLong(2, tail.keptFrom());
            long sequence = 0;
            byte[] hash = null;
            try (ResultSet rows = Streaming.rows(statement)) {
                while (rows.next()) {
                    if (rows.getLong(1) != sequence) {
                        if (hash != null) {
                            chain.accept(new Batch(sequence, bytes.toByteArray(), hash));
                        }
                        bytes.reset();
                        sequence = rows.getLong(1);
                        hash = rows.getBytes(2);
                        if (hash == null) {
                            throw new JournalFault.Corrupt(
                                    "log " + tail.log().epoch() + " is broken at batch " + sequence
                                            + ": its first part is missing",
                                    null);
                        }
                    }
                    bytes.writeBytes(rows.getBytes(3));
                }
            }
            if (hash != null) {
                chain.accept(new Batch(sequence, bytes.toByteArray(), hash));
            }
        }
        chain.end();
        highWaterAt = Math.max(highWaterAt, chain.highWaterAt());
    }

    private void far(List<JobId> ids) {
        try {
            for (FarJob job : FarRows.find(connection, ids)) {
                sink.open(job.spec(), job.status(), Flush.FAR);
            }
        } catch (SQLException e) {
            throw Faults.unavailable("reading far jobs", e);
        }
    }

    /** Which journal tables hold nothing. */
    static boolean[] emptyJournals(Connection connection) throws SQLException {
        boolean[] empty = new boolean[Ring.TABLES];
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(Sql.of("find_empty_journals"))) {
            rows.next();
            for (int i = 0; i < empty.length; i++) {
                empty[i] = rows.getBoolean(i + 1);
            }
        }
        return empty;
    }
}
