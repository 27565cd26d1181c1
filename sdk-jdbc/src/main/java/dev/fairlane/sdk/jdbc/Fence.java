package dev.fairlane.sdk.jdbc;

import dev.fairlane.sdk.EffectKey;
import dev.fairlane.sdk.JobContext;
import dev.fairlane.sdk.LeaseLostException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes that only the newest attempt of a job may do. Tokens of different jobs say nothing about each other: fence what one job alone
 * writes.
 *
 * <p>Either the rows have a column for the token, and {@link #update} does it in one statement:
 *
 * <pre>{@code
 * Fence.update(connection, ctx, "UPDATE report SET body = ?, fence = :token WHERE id = ? AND fence <= :token", body, id);
 * }</pre>
 *
 * or a table of its own keeps the newest token per job, and guards any writes:
 *
 * <pre>{@code
 * Fence.inTable("fairlane_fence").run(connection, ctx, c -> …);
 * }</pre>
 */
public final class Fence {
    private static final String TOKEN = ":token";

    private final String table;

    private Fence(String table) {
        this.table = Transaction.tableName(table);
    }

    /** @param table name of the table of tokens, with its schema if need be; see {@link #ddl} */
    public static Fence inTable(String table) {
        return new Fence(table);
    }

    /** The statement that makes the table of tokens, for your migrations. */
    public String ddl() {
        return "CREATE TABLE " + table + " (effect_key varchar(255) NOT NULL PRIMARY KEY, token bigint NOT NULL)";
    }

    /**
     * Runs one statement with the attempt's token in place of every {@code :token}. It must compare: {@code AND fence <= :token}; an
     * attempt may write more than once, so equal is good.
     *
     * @param parameters of the other placeholders, {@code ?}, in their order
     * @return how many rows it changed; 0 says that a newer attempt was here, or that there is no such row
     * @throws LeaseLostException if the lease is lost; nothing was written
     */
    public static int update(Connection connection, JobContext context, String sql, Object... parameters)
            throws SQLException {
        List<Object> values = values(sql, context.fencingToken().value(), parameters);
        context.checkLease();
        try (PreparedStatement update = connection.prepareStatement(sql.replace(TOKEN, "?"))) {
            for (int i = 0; i < values.size(); i++) {
                update.setObject(i + 1, values.get(i));
            }
            return update.executeUpdate();
        }
    }

    /** One value per place of the statement; a question mark in a quoted text would count as a place, so texts go as parameters. */
    private static List<Object> values(String sql, long token, Object[] parameters) {
        List<Object> values = new ArrayList<>();
        int tokens = 0;
        for (int at = 0; at < sql.length(); at++) {
            if (sql.startsWith(TOKEN, at)) {
                values.add(token);
                tokens++;
            } else if (sql.charAt(at) == '?') {
                int given = values.size() - tokens;
                values.add(given < parameters.length ? parameters[given] : token);
            }
        }
        if (tokens == 0) {
            throw new IllegalArgumentException("expected a statement that compares with :token, but got: " + sql);
        }
        if (values.size() - tokens != parameters.length) {
            throw new IllegalArgumentException("expected " + (values.size() - tokens) + " parameters, but got "
                    + parameters.length + " for: " + sql);
        }
        return values;
    }

    /**
     * Does the writes unless a newer attempt of this job has passed here. A connection in auto-commit mode gets a transaction of its own,
     * committed when this returns; on any other this takes part in the transaction under way.
     *
     * @throws LeaseLostException if a newer attempt was here, or the lease is lost; nothing was written
     */
    public void run(Connection connection, JobContext context, Writes writes) throws SQLException {
        run(connection, context, context.effectKey(), writes);
    }

    /** The same for one of several things that a job writes. */
    public void run(Connection connection, JobContext context, EffectKey key, Writes writes) throws SQLException {
        Transaction.run(connection, context, c -> {
            pass(c, context, key);
            writes.on(c);
            return true;
        });
    }

    /** The row stays locked until the end of the transaction: an older attempt waits, and then finds that it is too late. */
    private void pass(Connection connection, JobContext context, EffectKey key) throws SQLException {
        long token = context.fencingToken().value();
        // Twice at most: between an update that finds no row and an insert that finds one, somebody made it.
        if (!raise(connection, key, token) && !add(connection, key, token) && !raise(connection, key, token)) {
            throw new LeaseLostException("job " + context.id() + ": a newer attempt than execution "
                    + context.execution() + " has written here; this one may not");
        }
    }

    private boolean raise(Connection connection, EffectKey key, long token) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE " + table + " SET token = ? WHERE effect_key = ? AND token <= ?")) {
            update.setLong(1, token);
            update.setString(2, key.value());
            update.setLong(3, token);
            return update.executeUpdate() > 0;
        }
    }

    private boolean add(Connection connection, EffectKey key, long token) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO " + table + " (effect_key, token) VALUES (?, ?)")) {
            insert.setString(1, key.value());
            insert.setLong(2, token);
            return Transaction.insert(connection, insert);
        }
    }
}
