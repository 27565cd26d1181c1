package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.JobId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Rows in PostgreSQL's binary COPY format, gathered and then sent at once. They lie in chunks, which are kept for the next time: one
 * array for all of them would be copied whenever it grows, and the collector runs at once for every array of megabytes.
 */
final class CopyRows {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final byte[] SIGNATURE = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0};
    private static final int HEADER = SIGNATURE.length + 8;
    private static final int CHUNK = 256 * 1024;
    private static final int KEPT = 12;
    /** Most tables get few rows. */
    private static final int FIRST_CHUNK = 64 * 1024;

    /** Microseconds from 1970 to PostgreSQL's 2000. */
    private static final long EPOCH_2000 = 946_684_800_000_000L;

    private final List<byte[]> chunks = new ArrayList<>();
    /** How much of each chunk before the present one is used. */
    private int[] ends = new int[KEPT];

    private int present;
    /** The present chunk. */
    private byte[] bytes = new byte[FIRST_CHUNK];

    /** Of the present chunk. */
    private int length;

    /** In the chunks before the present one. */
    private long before;

    private int rows;

    CopyRows() {
        chunks.add(bytes);
        clear();
    }

    void clear() {
        if (chunks.size() > KEPT) {
            chunks.subList(KEPT, chunks.size()).clear();
        }
        present = 0;
        bytes = chunks.getFirst();
        before = 0;
        System.arraycopy(SIGNATURE, 0, bytes, 0, SIGNATURE.length);
        Arrays.fill(bytes, SIGNATURE.length, HEADER, (byte) 0);
        length = HEADER;
        rows = 0;
    }

    int rows() {
        return rows;
    }

    long length() {
        return before + length;
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
        room(4);
        INT.set(bytes, length, value.length);
        length += 4;
        for (int at = 0; at < value.length; ) {
            if (length == bytes.length) {
                nextChunk();
            }
            int part = Math.min(value.length - at, bytes.length - length);
            System.arraycopy(value, at, bytes, length, part);
            length += part;
            at += part;
        }
        return this;
    }

    /** The numbers of a row are not cut; the end of a chunk may stay empty. */
    private void room(int count) {
        if (bytes.length - length < count) {
            nextChunk();
        }
    }

    private void nextChunk() {
        if (present == ends.length) {
            ends = Arrays.copyOf(ends, present * 2);
        }
        ends[present++] = length;
        before += length;
        if (present == chunks.size()) {
            chunks.add(new byte[CHUNK]);
        }
        bytes = chunks.get(present);
        length = 0;
    }

    void send(Connection connection, String copy) throws SQLException {
        send(connection, copy, Pace.BRISK);
    }

    /** Sends the rows, if there are any, and forgets them. */
    void send(Connection connection, String copy, Pace pace) throws SQLException {
        if (rows == 0) {
            return;
        }
        room(2);
        SHORT.set(bytes, length, (short) -1);
        length += 2;
        CopyIn in = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(copy);
        try {
            for (int i = 0; i < present; i++) {
                write(in, chunks.get(i), ends[i], pace);
            }
            write(in, bytes, length, pace);
            in.endCopy();
        } finally {
            if (in.isActive()) {
                in.cancelCopy();
            }
        }
        clear();
    }

    private static void write(CopyIn in, byte[] chunk, int end, Pace pace) throws SQLException {
        int most = pace.bytes(end);
        for (int at = 0; at < end; at += most) {
            if (at > 0) {
                in.flushCopy();
                pace.rest();
            }
            in.writeToCopy(chunk, at, Math.min(most, end - at));
        }
    }
}
