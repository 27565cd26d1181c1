package dev.fairlane.sdk.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a client and all its views share: a connection for calls, and others for bulk streams, so that streams and calls do not stand in
 * each other's way. A bulk connection is opened when the first stream needs it and kept for those that come later, all of them until the
 * client is closed.
 *
 * <p>Streams of one connection share its flow-control window, so one whose bytes nobody reads could hold up the others. None does: a
 * stream has never more under way than the server reads ahead ({@link #STREAM_BATCHES_MAX}, {@link #STREAM_BYTES_MAX}), and what the server
 * answers is taken in by the network thread at once, however long callbacks take.
 */
public final class Connections implements AutoCloseable {
    /** As many batches of one stream the server takes before it has answered the first. */
    public static final int STREAM_BATCHES_MAX = 16;

    /** While a stream has less than this without an answer the server takes one batch more. */
    public static final long STREAM_BYTES_MAX = 16 << 20;

    private final Rpc.Target target;
    private final Duration deadline;
    private final int streamsEach;
    private final Wire calls;
    private final List<Bulk> bulks = new ArrayList<>();

    /** A bulk connection and how many streams use it. */
    private static final class Bulk {
        final Wire wire;
        int streams;

        Bulk(Wire wire) {
            this.wire = wire;
        }
    }

    /** @param streamsEach most streams of one connection */
    public Connections(Rpc.Target target, Duration deadline, int streamsEach) {
        this.target = target;
        this.deadline = deadline;
        this.streamsEach = streamsEach;
        this.calls = Wire.open(target, false);
    }

    /** For calls in the name of that key. Closing it ends nothing but itself. */
    public Rpc calls(Rpc.Target as) {
        return new Rpc(calls, as, deadline, () -> {});
    }

    /** For one stream in the name of that key, which closes it in the end to make room for another. */
    public synchronized Rpc stream(Rpc.Target as) {
        if (calls.closed()) {
            throw new IllegalStateException("this client is closed");
        }
        Bulk bulk = bulks.stream()
                .filter(open -> open.streams < streamsEach)
                .findFirst()
                .orElseGet(this::another);
        bulk.streams++;
        return new Rpc(bulk.wire, as, deadline, () -> left(bulk));
    }

    private Bulk another() {
        Bulk bulk = new Bulk(Wire.open(target, true));
        bulks.add(bulk);
        return bulk;
    }

    private synchronized void left(Bulk bulk) {
        bulk.streams--;
    }

    @Override
    public void close() {
        calls.close();
        List<Bulk> open;
        synchronized (this) {
            open = List.copyOf(bulks);
        }
        open.forEach(bulk -> bulk.wire.close());
    }
}
