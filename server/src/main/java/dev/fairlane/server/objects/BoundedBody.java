package dev.fairlane.server.objects;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A body that may have so many bytes and no more. */
final class BoundedBody extends FilterInputStream {
    private final long max;
    private long left;

    /** More came than is taken. */
    static final class TooLarge extends IOException {
        private static final long serialVersionUID = 1;

        private final long max;
        private final long came;

        TooLarge(long max, long came) {
            super("expected at most " + max + " bytes, but more came");
            this.max = max;
            this.came = came;
        }

        long max() {
            return max;
        }

        /** Until nobody read any further. */
        long came() {
            return came;
        }
    }

    BoundedBody(InputStream body, long max) {
        super(body);
        this.max = max;
        this.left = max;
    }

    @Override
    public int read() throws IOException {
        int one = in.read();
        if (one >= 0) {
            count(1);
        }
        return one;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int n = in.read(into, offset, length);
        if (n > 0) {
            count(n);
        }
        return n;
    }

    private void count(int n) throws IOException {
        left -= n;
        if (left < 0) {
            throw new TooLarge(max, max - left);
        }
    }
}
