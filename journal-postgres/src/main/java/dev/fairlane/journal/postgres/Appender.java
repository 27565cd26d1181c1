package dev.fairlane.journal.postgres;

import dev.fairlane.journal.Batch;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.LogId;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Appends batches over one connection, one round trip each, and finds out what became of those whose answer was lost. Runs on one
 * thread.
 */
final class Appender {
    private final Line line;
    private final Duration silence;
    private final Ring ring;
    private @Nullable PreparedStatement statement;
    private @Nullable LogId log;
    /** Last batch known to be durable; unknown while {@link #open} is set. */
    private long last;

    private boolean open;
    private long triedSequence;
    private int triedRing;

    Appender(Sessions sessions, Background background, Duration silence, Ring ring) {
        this.line = new Line(sessions, "append", silence, background::awaited);
        this.silence = silence;
        this.ring = ring;
    }

    void begin(LogId opened) {
        log = opened;
        last = 0;
        open = false;
        triedSequence = 0;
    }

    void append(LogId to, Batch batch) {
        boolean own = to.equals(log);
        if (own && !open && batch.sequence() != last + 1) {
            throw new IllegalStateException(
                    "expected batch " + (last + 1) + " of log " + to.epoch() + ", but got " + batch.sequence());
        }
        PreparedStatement prepared = prepare();
        if (batch.sequence() != triedSequence) {
            triedSequence = batch.sequence();
            triedRing = ring.take(batch.sequence(), batch.bytes().length);
        }
        send(prepared, to, batch);
        if (own) {
            last = batch.sequence();
            open = false;
        }
    }

    private void send(PreparedStatement prepared, LogId to, Batch batch) {
        try {
            prepared.setInt(1, (int) to.epoch());
            prepared.setLong(2, batch.sequence());
            prepared.setInt(3, triedRing);
            prepared.setBytes(4, batch.hash());
            prepared.setArray(5, BatchParts.of(prepared.getConnection(), batch.bytes()));
            boolean written;
            try (ResultSet rows = prepared.executeQuery()) {
                rows.next();
                written = rows.getBoolean(1);
            }
            if (prepared.getWarnings() != null) {
                throw new JournalFault.UnknownOutcome(
                        "append answered with a warning: "
                                + prepared.getWarnings().getMessage(),
                        prepared.getWarnings());
            }
            if (!written) {
                throw Transactions.fenced(to);
            }
        } catch (SQLException e) {
            if (Faults.is(e, Faults.UNIQUE_VIOLATION)) {
                confirm(to, batch);
                return;
            }
            if (!Faults.rolledBack(e)) {
                lose();
            }
            throw noted(Faults.ofCommit("append", e));
        } catch (JournalFault.UnknownOutcome e) {
            lose();
            throw noted(e);
        }
    }

    private JournalFault noted(JournalFault fault) {
        open |= fault instanceof JournalFault.UnknownOutcome;
        return fault;
    }

    /** The batch is there already: done if it is the same, and once a marker behind it is as durable as it has to be. */
    private void confirm(LogId to, Batch batch) {
        try {
            Connection connection = line.connection();
            try (PreparedStatement find = connection.prepareStatement(Sql.of("find_hash"))) {
                find.setInt(1, (int) to.epoch());
                find.setLong(2, batch.sequence());
                try (ResultSet rows = find.executeQuery()) {
                    if (!rows.next() || !MessageDigest.isEqual(rows.getBytes(1), batch.hash())) {
                        throw new JournalFault.Corrupt(
                                "log " + to.epoch() + " has another batch " + batch.sequence() + " than the one sent",
                                null);
                    }
                }
            }
            connection.setAutoCommit(false);
            mark(connection, to, batch.sequence());
            Transactions.commit(connection, "append, repeated");
            connection.setAutoCommit(true);
        } catch (SQLException | JournalFault.UnknownOutcome | JournalFault.Unavailable e) {
            lose();
            throw noted(new JournalFault.UnknownOutcome("append, repeated", e));
        }
    }

    private static void mark(Connection connection, LogId log, long sequence) throws SQLException {
        try (PreparedStatement mark = connection.prepareStatement(Sql.of("mark_resolution"))) {
            mark.setInt(1, (int) log.epoch());
            mark.setLong(2, sequence);
            mark.executeUpdate();
        }
    }

    boolean resolve(LogId of, long sequence) throws SQLException {
        lose();
        Connection connection = line.connection();
        try {
            connection.setAutoCommit(false);
            Transactions.waitAtMost(connection, silence);
            Transactions.call(connection, "shut_out_writers", (int) of.epoch());
            if (!Transactions.ask(connection, "is_open", (int) of.epoch())) {
                throw Transactions.fenced(of);
            }
            mark(connection, of, sequence);
            Transactions.commit(connection, "resolve");
            connection.setAutoCommit(true);
        } catch (JournalFault.UnknownOutcome e) {
            lose();
            throw new JournalFault.Unavailable("the marker behind batch " + sequence + " is not confirmed", e);
        } catch (SQLException | JournalFault.Fenced e) {
            lose();
            throw e;
        }
        boolean durable = askDurable(connection, of, sequence);
        if (of.equals(log)) {
            last = durable ? Math.max(last, sequence) : Math.min(last, sequence - 1);
            open = false;
        }
        return durable;
    }

    private static boolean askDurable(Connection connection, LogId of, long sequence) throws SQLException {
        try (PreparedStatement ask = connection.prepareStatement(Sql.of("ask_durable"))) {
            ask.setInt(1, (int) of.epoch());
            ask.setLong(2, sequence);
            ask.setInt(3, (int) of.epoch());
            ask.setLong(4, sequence);
            try (ResultSet rows = ask.executeQuery()) {
                rows.next();
                return rows.getBoolean(1);
            }
        }
    }

    private PreparedStatement prepare() {
        try {
            Connection connection = line.connection();
            if (statement == null) {
                statement = connection.prepareStatement(Sql.of("append"));
            }
            return statement;
        } catch (SQLException e) {
            // Nothing was sent yet.
            lose();
            throw Faults.unavailable("append", e);
        }
    }

    private void lose() {
        line.lose();
        statement = null;
    }

    void close() {
        lose();
    }
}
