package dev.fairlane.journal;

import java.io.OutputStream;
import java.util.Arrays;

/** A reusable, unsynchronised byte buffer whose content can be read in place. */
final class Growing extends OutputStream {
    /** What an unusually large turn made it grow to is given back at the next {@link #clear}. */
    private static final int KEPT = 1 << 20;

    byte[] bytes = new byte[16 * 1024];
    int length;

    void clear() {
        length = 0;
        if (bytes.length > KEPT) {
            bytes = new byte[KEPT];
        }
    }

    @Override
    public void write(int value) {
        room(1);
        bytes[length++] = (byte) value;
    }

    @Override
    public void write(byte[] source, int offset, int count) {
        room(count);
        System.arraycopy(source, offset, bytes, length, count);
        length += count;
    }

    private void room(int count) {
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, count), (int)
                    Math.min(Integer.MAX_VALUE - 8L, 2L * bytes.length)));
        }
    }
}
