package dev.fairlane.worker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/** Reads what a process writes, keeping a bounded part of it. */
final class Capture {
    private final InputStream from;
    private final int bytesMax;
    private final boolean tail;
    private final Runnable onOverflow;
    private final Thread reader;

    // Guarded by this.
    private byte[] kept = new byte[1024];
    private int size;
    private boolean overflowed;

    private Capture(InputStream from, int bytesMax, boolean tail, Runnable onOverflow) {
        this.from = from;
        this.bytesMax = bytesMax;
        this.tail = tail;
        this.onOverflow = onOverflow;
        this.reader = Thread.ofVirtual().unstarted(this::read);
    }

    /** Keeps the beginning; more than that is an overflow. */
    static Capture beginning(InputStream from, int bytesMax, Runnable onOverflow) {
        Capture capture = new Capture(from, bytesMax, false, onOverflow);
        capture.reader.start();
        return capture;
    }

    /** Keeps the end. */
    static Capture tail(InputStream from, int bytesMax) {
        Capture capture = new Capture(from, bytesMax, true, () -> {});
        capture.reader.start();
        return capture;
    }

    /** Waits for the end of the stream; whoever still holds it open after the time is not heard any more. */
    void await(Duration atMost) throws InterruptedException {
        if (!reader.join(atMost)) {
            reader.interrupt();
        }
    }

    synchronized boolean overflowed() {
        return overflowed && !tail;
    }

    synchronized byte[] bytes() {
        return Arrays.copyOf(kept, size);
    }

    /** As UTF-8; a character cut at the beginning of a tail becomes a replacement mark. */
    String text() {
        String text = new String(bytes(), StandardCharsets.UTF_8);
        synchronized (this) {
            return overflowed ? "… " + text : text;
        }
    }

    private void read() {
        byte[] chunk = new byte[8192];
        try (from) {
            int count;
            while ((count = from.read(chunk)) >= 0) {
                if (!keep(chunk, count)) {
                    onOverflow.run();
                    return;
                }
            }
        } catch (IOException closed) {
            return; // the process is gone; what was read until then stands
        }
    }

    /** Returns false when there is no point in reading on. */
    private synchronized boolean keep(byte[] chunk, int count) {
        if (size + count > bytesMax) {
            overflowed = true;
            if (!tail) {
                return false;
            }
            int drop = Math.min(size, size + count - bytesMax);
            System.arraycopy(kept, drop, kept, 0, size - drop);
            size -= drop;
        }
        int from = Math.max(0, count - bytesMax);
        int length = count - from;
        if (size + length > kept.length) {
            kept = Arrays.copyOf(kept, Math.max(size + length, Math.min(bytesMax, kept.length * 2)));
        }
        System.arraycopy(chunk, from, kept, size, length);
        size += length;
        return true;
    }
}
