package dev.fairlane.sdk.jdbc;

import dev.fairlane.sdk.EffectKey;
import dev.fairlane.sdk.JobContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Calendar;
import java.util.Locale;
import java.util.TimeZone;

/**
 * Writes once per job: the first attempt that commits leaves its effect key in a table, in the same transaction, and every later one
 * finds it there.
 *
 * <pre>{@code
 * Once once = Once.inTable("fairlane_effect");
 * …
 * .handle("book", Booking.class, (ctx, booking) -> {
 *     try (Connection connection = pool.getConnection()) {
 *         once.run(connection, ctx, c -> insert(c, booking));
 *     }
 *     return null;
 * })
 * }</pre>
 *
 * <p>Two attempts at the same moment: the second waits for the first to commit or roll back, as for any unique key. Works on every
 * database with unique keys and savepoints. Thread-safe.
 */
public final class Once {
    private final String table;

    private Once(String table) {
        this.table = Transaction.tableName(table);
    }

    /** @param table name of the guard table, with its schema if need be; see {@link #ddl} */
    public static Once inTable(String table) {
        return new Once(table);
    }

    /** The statement that makes the guard table, for your migrations. */
    public String ddl() {
        return "CREATE TABLE " + table
                + " (effect_key varchar(255) NOT NULL PRIMARY KEY, token bigint NOT NULL, done_at timestamp NOT NULL)";
    }

    /**
     * Does the writes unless an attempt of this job has done them. A connection in auto-commit mode gets a transaction of its own,
     * committed when this returns; on any other this takes part in the transaction under way, and the caller commits.
     *
     * @return whether the writes were done now
     * @throws dev.fairlane.sdk.LeaseLostException if the lease is lost; nothing was written
     */
    public boolean run(Connection connection, JobContext context, Writes writes) throws SQLException {
        return run(connection, context, context.effectKey(), writes);
    }

    /**
     * The same for one of several effects of a job.
     *
     * @param key from {@link EffectKey#of}, so that every attempt names it alike
     */
    public boolean run(Connection connection, JobContext context, EffectKey key, Writes writes) throws SQLException {
        return Transaction.run(connection, context, c -> {
            if (!mark(c, context, key)) {
                return false;
            }
            writes.on(c);
            return true;
        });
    }

    /**
     * Forgets effects done before a moment. Keep them longer than a job can live: its maximum age (7 days), and the time it may be
     * replayed from the dead letters (7 more).
     *
     * @return how many
     */
    public int forgetBefore(Connection connection, Instant moment) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("DELETE FROM " + table + " WHERE done_at < ?")) {
            delete.setTimestamp(1, Timestamp.from(moment), utc());
            return delete.executeUpdate();
        }
    }

    /** Workers in different time zones write the same time alike. */
    private static Calendar utc() {
        return Calendar.getInstance(TimeZone.getTimeZone("UTC"), Locale.ROOT);
    }

    private boolean mark(Connection connection, JobContext context, EffectKey key) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO " + table + " (effect_key, token, done_at) VALUES (?, ?, ?)")) {
            insert.setString(1, key.value());
            insert.setLong(2, context.fencingToken().value());
            insert.setTimestamp(3, Timestamp.from(Instant.now()), utc());
            return Transaction.insert(connection, insert);
        }
    }
}
