package dev.fairlane.journal.postgres;

import java.nio.ByteBuffer;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgArray;

/**
 * A batch cut into parts, each about as large as a page can take in line, as an array of bytea in the form in which PostgreSQL reads it.
 * Made with one copy: an array of arrays would be copied once to be cut and once more by the driver.
 */
final class BatchParts {
    static final int PART = 8_000;

    /** Dimensions, whether there are nulls, type of elements, number of elements, index of the first. */
    private static final int HEADER = 5 * Integer.BYTES;

    private BatchParts() {}

    static Array of(Connection connection, byte[] batch) throws SQLException {
        return new PgArray(connection.unwrap(BaseConnection.class), Oid.BYTEA_ARRAY, encode(batch));
    }

    /** One part at least. */
    static byte[] encode(byte[] batch) {
        int parts = Math.max(1, (batch.length + PART - 1) / PART);
        ByteBuffer into = ByteBuffer.allocate(HEADER + parts * Integer.BYTES + batch.length);
        into.putInt(1).putInt(0).putInt(Oid.BYTEA).putInt(parts).putInt(1);
        for (int from = 0; parts > 0; from += PART, parts--) {
            int length = Math.min(PART, batch.length - from);
            into.putInt(length).put(batch, from, length);
        }
        return into.array();
    }
}
