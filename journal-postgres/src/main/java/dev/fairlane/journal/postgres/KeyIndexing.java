package dev.fairlane.journal.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Gives the keys of an hour an index once the hour is over and nobody writes there any more: the hot path pays for none. Until then
 * those who would look there have the keys in memory; a look-up that comes early reads the whole hour.
 */
final class KeyIndexing implements AutoCloseable {
    /** Rows of an hour come with the flush after the submit, a moment later. */
    private static final long SETTLED_MILLIS = Duration.ofMinutes(1).toMillis();

    private final Lane lane;
    private final Line line;
    private final AtomicBoolean underWay = new AtomicBoolean();

    KeyIndexing(Sessions sessions, Background background) {
        this.lane = new Lane("index", 1, background::here);
        this.line = Line.givingWay(sessions, "index", Duration.ZERO, background);
    }

    /** Beside everything else, one run at a time; what fails is done another time. */
    void begin() {
        if (underWay.compareAndSet(false, true)) {
            lane.perform("index keys", this::index).whenComplete((done, fault) -> underWay.set(false));
        }
    }

    private void index() throws SQLException {
        boolean done = false;
        try {
            Connection connection = line.connection();
            Transactions.run(connection, Sql.of("be_patient_briefly"));
            long millis = Transactions.number(connection, Sql.of("read_clock")) / 1_000;
            long settled = Partitions.KEYS.unitOf(millis - SETTLED_MILLIS);
            for (String table : unindexed(connection)) {
                if (Partitions.KEYS.unit(table) < settled) {
                    Transactions.run(connection, Sql.on("index_keys", table));
                }
            }
            done = true;
        } finally {
            if (!done) {
                line.lose();
            }
        }
    }

    private static List<String> unindexed(Connection connection) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(Sql.of("list_unindexed_keys"))) {
            while (rows.next()) {
                tables.add(rows.getString(1));
            }
        }
        return tables;
    }

    @Override
    public void close() {
        lane.close();
        line.lose();
    }
}
