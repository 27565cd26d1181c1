package dev.fairlane.e2e.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The file one process writes its events to. {@link #record} returns when the event is on the disk; events that come at the same time
 * share one fsync. Thread-safe.
 */
public final class EventLog implements AutoCloseable {
    private static final int EVENTS_A_WRITE_MAX = 4_096;

    private record Pending(String line, CompletableFuture<Void> durable) {}

    private static final Pending END = new Pending("", new CompletableFuture<>());

    private final FileChannel channel;
    private final LinkedBlockingQueue<Pending> pending = new LinkedBlockingQueue<>(100_000);
    private final Thread writer;

    private EventLog(FileChannel channel, String name) {
        this.channel = channel;
        this.writer = Thread.ofPlatform().name("history-" + name).daemon().unstarted(this::write);
    }

    public static EventLog create(Path file) {
        try {
            EventLog log = new EventLog(
                    FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    String.valueOf(file.getFileName()));
            log.writer.start();
            return log;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write a history to " + file, e);
        }
    }

    /** The time an event carries. */
    public static long now() {
        return System.nanoTime();
    }

    /** Returns when the event is durable. */
    public void record(Event event) {
        put(event).join();
    }

    /** Returns when all of them are durable. */
    public void record(List<? extends Event> events) {
        List<CompletableFuture<Void>> waits = new ArrayList<>(events.size());
        events.forEach(event -> waits.add(put(event)));
        waits.forEach(CompletableFuture::join);
    }

    private CompletableFuture<Void> put(Event event) {
        CompletableFuture<Void> durable = new CompletableFuture<>();
        uninterruptibly(new Pending(event.line(), durable));
        return durable;
    }

    /** A handler that is being interrupted still has to be on record. */
    private void uninterruptibly(Pending entry) {
        boolean interrupted = false;
        while (true) {
            try {
                pending.put(entry);
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void write() {
        List<Pending> batch = new ArrayList<>();
        boolean more = true;
        while (more) {
            batch.clear();
            try {
                batch.add(pending.take());
            } catch (InterruptedException e) {
                return; // nobody interrupts this thread but the end of the JVM
            }
            pending.drainTo(batch, EVENTS_A_WRITE_MAX);
            more = !batch.contains(END);
            try {
                append(batch);
                batch.forEach(entry -> entry.durable.complete(null));
            } catch (IOException e) {
                batch.forEach(entry -> entry.durable.completeExceptionally(e));
            }
        }
    }

    private void append(List<Pending> batch) throws IOException {
        StringBuilder lines = new StringBuilder(batch.size() * 80);
        for (Pending entry : batch) {
            if (entry != END) {
                lines.append(entry.line).append('\n');
            }
        }
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(lines.toString());
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        channel.force(false);
    }

    @Override
    public void close() {
        uninterruptibly(END);
        try {
            writer.join();
            channel.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close a history", e);
        }
    }
}
