package dev.fairlane.sdk;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What was made from a client and ends with it. What was made from a view belongs to the client of the view as well. */
final class Belongings {
    /** For answers to those who wait for them. */
    private static final long LAST_ANSWERS_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final @Nullable Belongings whole;
    private final Set<Worker> workers = ConcurrentHashMap.newKeySet();
    private final Set<BatchStream> streams = ConcurrentHashMap.newKeySet();

    /** @param whole those of the client of a view */
    Belongings(@Nullable Belongings whole) {
        this.whole = whole;
    }

    void add(Worker worker) {
        workers.add(worker);
        if (whole != null) {
            whole.add(worker);
        }
    }

    void remove(Worker worker) {
        workers.remove(worker);
        if (whole != null) {
            whole.remove(worker);
        }
    }

    void add(BatchStream stream) {
        streams.add(stream);
        if (whole != null) {
            whole.add(stream);
        }
    }

    void remove(BatchStream stream) {
        streams.remove(stream);
        if (whole != null) {
            whole.remove(stream);
        }
    }

    /** Workers first: their handlers may still submit. */
    void end() {
        List.copyOf(workers).forEach(Worker::close);
        List<BatchStream> open = List.copyOf(streams);
        open.forEach(BatchStream::closing);
        long end = System.nanoTime() + LAST_ANSWERS_NANOS;
        open.forEach(stream -> stream.abandon(end));
    }
}
