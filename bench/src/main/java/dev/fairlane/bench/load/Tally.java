package dev.fairlane.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * How many jobs the worker has finished, in memory that worker and client share: the client keeps the number of outstanding jobs
 * bounded without asking the server, so that watching costs what is watched nothing.
 */
final class Tally {
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer shared;

    private Tally(ByteBuffer shared) {
        this.shared = shared;
    }

    static Tally in(Path file) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new Tally(channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot share " + file, e);
        }
    }

    void set(long finished) {
        LONGS.setOpaque(shared, 0, finished);
    }

    long finished() {
        return (long) LONGS.getOpaque(shared, 0);
    }
}
