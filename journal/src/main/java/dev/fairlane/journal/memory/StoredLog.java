package dev.fairlane.journal.memory;

import dev.fairlane.core.model.JobId;
import dev.fairlane.journal.Batch;
import dev.fairlane.journal.ChainedTail;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.LogId;
import dev.fairlane.journal.RecoverySink;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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
    private long keptFrom = 1;
    /** Of the batch before those that are kept. */
    private byte[] keptHash;

    private boolean everFlushed;
    private @Nullable Flush latest;
    private int receipt;
    private long marker;

    StoredLog(LogId id, byte[] genesis) {
        this.id = id;
        this.genesis = genesis;
        this.lastHash = genesis;
        this.keptHash = genesis;
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
    boolean isNew(Flush flush) {
        long upTo = flush.upTo();
        long kept = flush.keptFrom();
        if (upTo > last) {
            throw new IllegalStateException("expected a flush up to at most batch " + last + " of log " + id.epoch()
                    + ", but got one up to " + upTo);
        }
        if (everFlushed && upTo == flushed && kept == keptFrom && !flush.equals(latest)) {
            throw new IllegalStateException(
                    "expected the flush up to " + upTo + " again, but got another one that would be lost");
        }
        if (everFlushed && upTo <= flushed && kept <= keptFrom) {
            return false;
        }
        if (upTo < flushed || kept < keptFrom) {
            throw new IllegalStateException("expected a flush beyond batch " + flushed + " that keeps those from "
                    + keptFrom + " on at most, but got one up to " + upTo + " that keeps those from " + kept + " on");
        }
        return true;
    }

    boolean everFlushed() {
        return everFlushed;
    }

    void flushed(Flush flush) {
        keepFrom(flush.keptFrom());
        flushed = flush.upTo();
        everFlushed = true;
        latest = flush;
    }

    /** The log that came after has projected all of this one. */
    void cover() {
        keepFrom(last + 1);
        flushed = last;
    }

    private void keepFrom(long sequence) {
        Batch before = batches.get(sequence - 1);
        if (before != null) {
            keptHash = before.hash();
        }
        keptFrom = sequence;
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
        batches.headMap(keptFrom, false).clear();
        return !open && batches.isEmpty();
    }

    /** @return greatest time in what is kept */
    long readTail(RecoverySink sink, Consumer<List<JobId>> far) {
        ChainedTail tail = new ChainedTail(id, keptFrom, flushed, keptHash, sink, far);
        batches.tailMap(keptFrom, true).values().forEach(tail::accept);
        tail.end();
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
