package dev.fairlane.journal.postgres;

import dev.fairlane.journal.LogId;
import dev.fairlane.journal.postgres.Slots.Slot;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Small chores between two flushes, on the flush thread: emptying tables nobody needs, indexing segments that stay. Each is a short
 * fenced transaction that gives up rather than wait for a reader, and comes back later.
 */
final class Tidying {
    private static final Logger LOG = LoggerFactory.getLogger(Tidying.class);
    private static final Duration LOCK_WAIT = Duration.ofMillis(20);
    private static final long PUT_OFF_NANOS = 2_000_000_000L;

    private final Ring ring;
    private final FlushRing flushes;
    private final Slots slots;
    private long notBefore = System.nanoTime();

    Tidying(Ring ring, FlushRing flushes, Slots slots) {
        this.ring = ring;
        this.flushes = flushes;
        this.slots = slots;
    }

    /** @param spared last batch of the log that no recovery needs any more */
    void tidy(Connection connection, LogId log, long spared) throws SQLException {
        if (System.nanoTime() - notBefore < 0) {
            return;
        }
        try {
            slots.know(connection);
            journal(connection, log, spared);
            positions(connection, log);
            leftSlot(connection, log);
            index(connection, log);
        } catch (SQLException e) {
            notBefore = System.nanoTime() + PUT_OFF_NANOS;
            if (!Faults.is(e, Faults.LOCK_NOT_AVAILABLE)) {
                throw e;
            }
            LOG.debug("put off, somebody is in the way", e);
        }
    }

    private void journal(Connection connection, LogId log, long spared) throws SQLException {
        int table = ring.emptiable(spared);
        if (table < 0) {
            return;
        }
        boolean[] emptied = new boolean[1];
        Transactions.fenced(connection, log, "empty a journal table", () -> {
            Transactions.waitAtMost(connection, LOCK_WAIT);
            if (projected(connection, Ring.table(table))) {
                Transactions.run(connection, Sql.on("empty_table", Ring.table(table)));
                emptied[0] = true;
            }
        });
        if (emptied[0]) {
            ring.emptied(table);
        }
    }

    private static boolean projected(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(Sql.on("is_projected", table))) {
            return rows.next() && rows.getBoolean(1);
        }
    }

    private void positions(Connection connection, LogId log) throws SQLException {
        int table = flushes.emptiable();
        if (table < 0) {
            return;
        }
        Transactions.fenced(connection, log, "empty a table of positions", () -> {
            Transactions.waitAtMost(connection, LOCK_WAIT);
            Transactions.run(connection, Sql.on("empty_table", FlushRing.table(table)));
        });
        flushes.emptied(table);
    }

    private void leftSlot(Connection connection, LogId log) throws SQLException {
        Slot slot = slots.dirty();
        if (slot == null) {
            return;
        }
        Transactions.fenced(connection, log, "empty a segment's table", () -> {
            Transactions.waitAtMost(connection, LOCK_WAIT);
            Transactions.run(connection, Sql.of("keep_readers_out"));
            Transactions.run(connection, Sql.on("empty_slot", slot.table()));
            note(connection, "free_slot", slot);
        });
        slots.freed(slot);
    }

    private void index(Connection connection, LogId log) throws SQLException {
        Slot slot = slots.unindexed();
        if (slot == null) {
            return;
        }
        Transactions.fenced(connection, log, "index a segment", () -> {
            Transactions.waitAtMost(connection, LOCK_WAIT);
            Transactions.run(connection, Sql.on("index_slot", slot.table()));
            note(connection, "note_index", slot);
        });
        slots.indexed(slot);
    }

    private static void note(Connection connection, String deed, Slot slot) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.of(deed))) {
            statement.setInt(1, slot.slot());
            statement.executeUpdate();
        }
    }
}
