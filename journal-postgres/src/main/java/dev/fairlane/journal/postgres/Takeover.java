package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.JobId;
import dev.fairlane.journal.HashChain;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.LogId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes every log that is open and opens a new one, in one transaction.
 *
 * <p>The exclusive lock on a log waits for whoever is in the middle of an append or a flush; who does not end in time loses its
 * connection, which ends its transaction one way or the other. Behind this commit nobody can write to the old logs, and because it
 * takes the same synchronous path, everything they committed is as durable as it.
 */
final class Takeover {
    private static final Logger LOG = LoggerFactory.getLogger(Takeover.class);
    private static final int FENCE = 571_700_001;
    private static final int OPENERS = 571_700_003;
    private static final int TRIES = 30;

    private final Connection connection;
    private final Duration patience;

    Takeover(Connection connection, Duration patience) {
        this.connection = connection;
        this.patience = patience;
    }

    record Opened(LogId log, byte[] genesis, long nowAt) {}

    Opened open(String node) throws SQLException {
        connection.setAutoCommit(false);
        boolean done = false;
        try {
            Transactions.waitAtMost(connection, patience);
            lock(OPENERS, 0, Sql.of("queue_openers"));
            for (int epoch : openLogs()) {
                lock(FENCE, epoch, Sql.of("shut_out_writers").replace("?", Integer.toString(epoch)));
                Transactions.call(connection, "close_log", epoch);
            }
            Opened opened = openLog(node);
            Transactions.commit(connection, "open");
            done = true;
            return opened;
        } finally {
            if (!done) {
                Transactions.rollback(connection);
            }
            connection.setAutoCommit(true);
        }
    }

    /** Closes one log in an orderly way. */
    void close(LogId log) throws SQLException {
        connection.setAutoCommit(false);
        boolean done = false;
        try {
            Transactions.waitAtMost(connection, Duration.ofSeconds(TRIES));
            Transactions.call(connection, "shut_out_writers", (int) log.epoch());
            if (!Transactions.ask(connection, "is_open", (int) log.epoch())) {
                throw Transactions.fenced(log);
            }
            Transactions.call(connection, "close_log", (int) log.epoch());
            Transactions.commit(connection, "close");
            done = true;
        } finally {
            if (!done) {
                Transactions.rollback(connection);
            }
            connection.setAutoCommit(true);
        }
    }

    private List<Integer> openLogs() throws SQLException {
        List<Integer> epochs = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(Sql.of("list_open_logs"))) {
            while (rows.next()) {
                epochs.add(rows.getInt(1));
            }
        }
        return epochs;
    }

    private void lock(int kind, int which, String sql) throws SQLException {
        for (int i = 0; i < TRIES; i++) {
            Savepoint before = connection.setSavepoint();
            try {
                Transactions.run(connection, sql);
                return;
            } catch (SQLException e) {
                if (!Faults.is(e, Faults.LOCK_NOT_AVAILABLE)) {
                    throw e;
                }
                connection.rollback(before);
                endHolders(kind, which);
            }
        }
        throw new JournalFault.Unavailable(
                "expected log " + which + " to be free, but somebody holds it; end its server process by hand", null);
    }

    private void endHolders(int kind, int which) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("end_writers"))) {
            statement.setInt(1, kind);
            statement.setInt(2, which);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    LOG.warn("ended a connection that held log {} for longer than {}", which, patience);
                }
            }
        }
    }

    private Opened openLog(String node) throws SQLException {
        long epoch = 1;
        byte[] before = {};
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(Sql.of("find_last_log"))) {
            if (rows.next()) {
                epoch = rows.getInt(1) + 1L;
                before = rows.getBytes(2);
            }
        }
        if (epoch > JobId.MAX_EPOCH) {
            throw new JournalFault.Corrupt("expected an epoch up to " + JobId.MAX_EPOCH + ", but all are used", null);
        }
        LogId log = new LogId(epoch);
        byte[] genesis = HashChain.genesis(log, before);
        try (PreparedStatement statement = connection.prepareStatement(Sql.of("open_log"))) {
            statement.setInt(1, (int) epoch);
            statement.setString(2, node);
            statement.setBytes(3, genesis);
            statement.executeUpdate();
        }
        return new Opened(log, genesis, Transactions.number(connection, Sql.of("read_clock")));
    }
}
