package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.JobId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** Rows in PostgreSQL's binary COPY format, gathered and then sent at once. The buffer is kept for the next time. */
final class CopyRows {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final byte[] SIGNATURE = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0};
    private static final int HEADER = SIGNATURE.length + 8;
    private static final int SENT_AT_ONCE = 256 * 1024;
    private static final int KEPT = 16 << 20;
    private static final int FIRST_SIZE = 64 * 1024;

    /** Microseconds from 1970 to PostgreSQL's 2000. */
    private static final long EPOCH_2000 = 946_684_800_000_000L;

    private byte[] bytes = new byte[FIRST_SIZE];
    private int length;
    private int rows;

    CopyRows() {
        clear();
    }

    void clear() {
        if (bytes.length > KEPT) {
            bytes = new byte[FIRST_SIZE];
        }
        System.arraycopy(SIGNATURE, 0, bytes, 0, SIGNATURE.length);
        Arrays.fill(bytes, SIGNATURE.length, HEADER, (byte) 0);
        length = HEADER;
        rows = 0;
    }

    int rows() {
        return rows;
    }

    int length() {
        return length;
    }

    CopyRows row(int columns) {
        room(2);
        SHORT.set(bytes, length, (short) columns);
        length += 2;
        rows++;
        return this;
    }

    CopyRows none() {
        room(4);
        INT.set(bytes, length, -1);
        length += 4;
        return this;
    }

    CopyRows bool(boolean value) {
        room(5);
        INT.set(bytes, length, 1);
        bytes[length + 4] = (byte) (value ? 1 : 0);
        length += 5;
        return this;
    }

    CopyRows int2(int value) {
        room(6);
        INT.set(bytes, length, 2);
        SHORT.set(bytes, length + 4, (short) value);
        length += 6;
        return this;
    }

    CopyRows int4(int value) {
        room(8);
        INT.set(bytes, length, 4);
        INT.set(bytes, length + 4, value);
        length += 8;
        return this;
    }

    CopyRows int8(long value) {
        room(12);
        INT.set(bytes, length, 8);
        LONG.set(bytes, length + 4, value);
        length += 12;
        return this;
    }

    /** @param micros since 1970 */
    CopyRows timestamp(long micros) {
        return int8(micros - EPOCH_2000);
    }

    CopyRows uuid(JobId id) {
        room(20);
        INT.set(bytes, length, 16);
        LONG.set(bytes, length + 4, id.hi());
        LONG.set(bytes, length + 12, id.lo());
        length += 20;
        return this;
    }

    CopyRows text(@Nullable String value) {
        return value == null ? none() : bytea(value.getBytes(StandardCharsets.UTF_8));
    }

    CopyRows bytea(byte[] value) {
        room(4 + value.length);
        INT.set(bytes, length, value.length);
        System.arraycopy(value, 0, bytes, length + 4, value.length);
        length += 4 + value.length;
        return this;
    }

    private void room(int count) {
        // Two more for the end of the copy.
        if (bytes.length - length < count + 2) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, count + 2), (int)
                    Math.min(Integer.MAX_VALUE - 8L, 2L * bytes.length)));
        }
    }

    /** Sends the rows, if there are any, and forgets them. */
    void send(Connection connection, String copy) throws SQLException {
        if (rows == 0) {
            return;
        }
        SHORT.set(bytes, length, (short) -1);
        int end = length + 2;
        CopyIn in = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(copy);
        try {
            for (int at = 0; at < end; at += SENT_AT_ONCE) {
                in.writeToCopy(bytes, at, Math.min(SENT_AT_ONCE, end - at));
            }
            in.endCopy();
        } finally {
            if (in.isActive()) {
                in.cancelCopy();
            }
        }
        clear();
    }
}
