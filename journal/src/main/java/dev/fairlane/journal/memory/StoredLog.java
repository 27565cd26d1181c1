package dev.fairlane.journal.memory;

import dev.fairlane.core.model.JobId;
import dev.fairlane.journal.Batch;
import dev.fairlane.journal.ChainedTail;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.LogId;
import dev.fairlane.journal.RecoverySink;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A log as the store keeps it. */
final class StoredLog {
    final LogId id;
    final LockQueue lock = new LockQueue();
    private final byte[] genesis;
    private final NavigableMap<Long, Batch> batches = new TreeMap<>();
    private boolean open = true;
    private long last;
    private byte[] lastHash;
    private long flushed;
    private byte[] flushedHash;
    private boolean everFlushed;
    private int receipt;
    private long marker;

    StoredLog(LogId id, byte[] genesis) {
        this.id = id;
        this.genesis = genesis;
        this.lastHash = genesis;
        this.flushedHash = genesis;
    }

    byte[] genesis() {
        return genesis;
    }

    boolean isOpen() {
        return open;
    }

    void checkOpen() {
        if (!open) {
            throw new JournalFault.Fenced("log " + id.epoch() + " is closed: another start took over");
        }
    }

    void close() {
        open = false;
    }

    void checkNext(Batch batch) {
        if (batch.sequence() != last + 1) {
            throw new IllegalStateException(
                    "expected batch " + (last + 1) + " of log " + id.epoch() + ", but got " + batch.sequence());
        }
    }

    void append(Batch batch) {
        checkNext(batch);
        batches.put(batch.sequence(), batch);
        last = batch.sequence();
        lastHash = batch.hash();
    }

    boolean has(long sequence) {
        return sequence <= last;
    }

    /** Everything sent before marker {@code number} and not yet committed is refused from now on. */
    void mark(long number) {
        marker = Math.max(marker, number);
    }

    void checkMarker(long number) {
        if (number < marker) {
            throw new JournalFault.Unavailable(
                    "log " + id.epoch() + " was resolved after this was sent: it is too late", null);
        }
    }

    /** Whether a flush says something new; a repeated one does not. */
    boolean isNew(long upTo) {
        if (upTo > last) {
            throw new IllegalStateException("expected a flush up to at most batch " + last + " of log " + id.epoch()
                    + ", but got one up to " + upTo);
        }
        return !everFlushed || upTo > flushed;
    }

    boolean everFlushed() {
        return everFlushed;
    }

    void flushed(long upTo) {
        Batch batch = batches.get(upTo);
        if (batch != null) {
            flushedHash = batch.hash();
        }
        flushed = Math.max(flushed, upTo);
        everFlushed = true;
    }

    /** The log that came after has projected all of this one. */
    void cover() {
        flushed = last;
        flushedHash = lastHash;
    }

    int receipt() {
        return receipt;
    }

    void receipt(int segment) {
        receipt = segment;
    }

    byte[] head() {
        return lastHash;
    }

    /** Drops projected batches; true when nothing is left and nothing can come. */
    boolean trim() {
        batches.headMap(flushed, true).clear();
        return !open && batches.isEmpty();
    }

    /** @return greatest time in the tail */
    long readTail(RecoverySink sink, Consumer<List<JobId>> far) {
        ChainedTail tail = new ChainedTail(id, flushed, flushedHash, sink, far);
        batches.tailMap(flushed, false).values().forEach(tail::accept);
        return tail.highWaterAt();
    }

    void damage(long sequence) {
        Batch sound = batches.get(sequence);
        if (sound == null) {
            throw new IllegalArgumentException("log " + id.epoch() + " has no batch " + sequence);
        }
        byte[] bytes = sound.bytes().clone();
        bytes[bytes.length / 2] ^= 1;
        batches.put(sequence, new Batch(sequence, bytes, sound.hash()));
    }
}
