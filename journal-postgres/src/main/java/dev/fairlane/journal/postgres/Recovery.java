package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.Batch;
import dev.fairlane.journal.ChainedTail;
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
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Tells a sink everything that is durable and not finished, from one snapshot taken after the old logs were closed. */
final class Recovery {
    private static final byte[] NO_PAYLOAD = {};

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
            List<Slot> slots = Slots.live(connection);
            keys(slots);
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
                sink.tenant(
                        new Tenant(new TenantId(rows.getInt(1)), rows.getString(2), rows.getInt(3), rows.getLong(4)));
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
                        rows.getLong(8)));
            }
        }
    }

    /** Keys of their own table; where its hours were dropped, those of jobs that are still open or dead. */
    private void keys(List<Slot> slots) throws SQLException {
        try (ResultSet rows = Streaming.query(connection, Sql.of("list_keys"))) {
            while (rows.next()) {
                sink.key(
                        new TenantId(rows.getInt(1)),
                        rows.getString(2),
                        Ids.of(rows, 3),
                        rows.getLong(4),
                        rows.getLong(5));
            }
        }
        long below = Partitions.droppedBelow(connection, Partitions.KEYS);
        if (below == Long.MIN_VALUE) {
            return;
        }
        UUID floor = Ids.firstOf(below * Partitions.KEYS.unitMillis());
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("list_dead_keys"))) {
            statement.setObject(1, floor);
            try (ResultSet rows = Streaming.rows(statement)) {
                while (rows.next()) {
                    key(RowCodec.decodeSpec(
                            Ids.of(rows, 2),
                            new TenantId(rows.getInt(1)),
                            rows.getString(3),
                            NO_PAYLOAD,
                            rows.getBytes(4)));
                }
            }
        }
        for (Slot slot : slots) {
            oldOpenKeys(slot, floor);
        }
    }

    private void oldOpenKeys(Slot slot, UUID floor) throws SQLException {
        LongNumbers ends = OpenFold.ends(connection, slot);
        try (PreparedStatement statement = connection.prepareStatement(Sql.on("list_old_open", slot.table()))) {
            statement.setObject(1, floor);
            try (ResultSet rows = Streaming.rows(statement)) {
                while (rows.next()) {
                    var id = Ids.of(rows, 2);
                    if (ends.get(id.lo()) <= rows.getLong(1)) {
                        key(RowCodec.decodeSpec(
                                id, new TenantId(rows.getInt(3)), rows.getString(4), NO_PAYLOAD, rows.getBytes(5)));
                    }
                }
            }
        }
    }

    private void key(JobSpec spec) {
        if (!spec.idempotencyKey().isEmpty()) {
            sink.key(spec.tenant(), spec.idempotencyKey(), spec.id(), spec.bodyHash(), spec.submittedAt());
        }
    }

    private record Tail(LogId log, long flushed, byte[] head) {}

    private void tails(LogId log) throws SQLException {
        List<Tail> tails = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("list_tails"))) {
            statement.setInt(1, (int) log.epoch());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    byte @Nullable [] hash = rows.getBytes(4);
                    tails.add(new Tail(
                            new LogId(rows.getInt(1)), rows.getLong(3), hash == null ? rows.getBytes(2) : hash));
                }
            }
        }
        for (Tail tail : tails) {
            read(tail);
        }
    }

    private void read(Tail tail) throws SQLException {
        ChainedTail chain = new ChainedTail(tail.log(), tail.flushed(), tail.head(), sink);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("read_tail"))) {
            statement.setInt(1, (int) tail.log().epoch());
            statement.setLong(2, tail.flushed());
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
        highWaterAt = Math.max(highWaterAt, chain.highWaterAt());
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
