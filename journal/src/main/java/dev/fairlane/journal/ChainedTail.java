package dev.fairlane.journal;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the tail of a closed log: checks that nothing is missing, doubled or altered, and hands on the facts behind the flush position and, before them,
 * the jobs that the flushes left out.
 *
 * <p>A store feeds it the batches that are kept, in order, and then says that this was all. A fact reaches the sink only if its batch is sound.
 */
public final class ChainedTail {
    private final LogId log;
    private final HashChain chain;
    private final RecoverySink sink;
    private final Consumer<List<JobId>> far;
    private final long flushed;
    /** Those that may have been left out, as far as is read. Null behind the flush position. */
    private @Nullable Map<JobId, Fact.JobAdded> leftOut = new LinkedHashMap<>();

    private long sequence;
    private long highWaterAt;

    /**
     * @param keptFrom the first batch that is needed, as the last flush says; 1 if there was none
     * @param flushed the log's flush position, 0 if it was never flushed
     * @param head hash of the batch before the first one that is needed, the genesis hash for 1
     */
    public ChainedTail(LogId log, long keptFrom, long flushed, byte[] head, RecoverySink sink) {
        this(log, keptFrom, flushed, head, sink, ids -> {});
    }

    /** @param far tells the sink of those of these jobs that are at home in {@link Flush#FAR} */
    public ChainedTail(
            LogId log, long keptFrom, long flushed, byte[] head, RecoverySink sink, Consumer<List<JobId>> far) {
        this.far = far;
        this.log = log;
        this.chain = new HashChain(head);
        this.sink = sink;
        this.flushed = flushed;
        this.sequence = keptFrom - 1;
    }

    public void accept(Batch batch) {
        if (batch.sequence() != sequence + 1) {
            throw broken(
                    batch.sequence(), "expected batch " + (sequence + 1) + ", but found " + batch.sequence(), null);
        }
        if (!MessageDigest.isEqual(chain.extend(batch.bytes()), batch.hash())) {
            throw broken(batch.sequence(), "expected the hash stored with it, but its bytes give another", null);
        }
        FactCodec.Decoded decoded;
        try {
            decoded = FactCodec.decode(batch.bytes());
        } catch (JournalFault.Corrupt e) {
            throw broken(batch.sequence(), String.valueOf(e.getMessage()), e);
        }
        sequence = batch.sequence();
        highWaterAt = Math.max(highWaterAt, decoded.at());
        if (sequence <= flushed) {
            decoded.facts().forEach(this::gather);
        } else {
            tellLeftOut();
            tail(decoded.facts());
        }
    }

    /** There are no more batches. */
    public void end() {
        if (sequence < flushed) {
            throw broken(sequence + 1, "expected all batches up to " + flushed + " to be there", null);
        }
        tellLeftOut();
    }

    /** A job of which more is said than that it was added is in rows. */
    private void gather(Fact fact) {
        Map<JobId, Fact.JobAdded> jobs = Objects.requireNonNull(leftOut);
        switch (fact) {
            case Fact.JobAdded added -> {
                if (Flush.mayLeaveOut(added.spec(), added.status()) && !sink.knows(added.id())) {
                    jobs.put(added.id(), added);
                }
            }
            case Fact.JobChanged changed -> jobs.remove(changed.id());
            case Fact.JobRevised revised -> jobs.remove(revised.id());
            case Fact.JobEnded ended -> jobs.remove(ended.id());
            default -> {}
        }
    }

    private void tellLeftOut() {
        if (leftOut == null) {
            return;
        }
        leftOut.values().forEach(added -> sink.leftOut(added.spec(), added.status()));
        leftOut = null;
    }

    private void tail(List<Fact> facts) {
        List<JobId> unknown = unknown(facts);
        if (!unknown.isEmpty()) {
            far.accept(unknown);
        }
        facts.forEach(sink::tail);
    }

    /** Jobs the facts are about that neither they nor anything before them brought. */
    private List<JobId> unknown(List<Fact> facts) {
        Set<JobId> added = new HashSet<>();
        Set<JobId> unknown = new LinkedHashSet<>();
        for (Fact fact : facts) {
            JobId id = switch (fact) {
                case Fact.JobChanged changed -> changed.id();
                case Fact.JobRevised revised -> revised.id();
                case Fact.JobEnded ended -> ended.id();
                case Fact.JobAdded brought -> {
                    added.add(brought.id());
                    yield null;
                }
                case Fact.JobReplayed brought -> {
                    added.add(brought.id());
                    yield null;
                }
                default -> null;
            };
            if (id != null && !added.contains(id) && !sink.knows(id)) {
                unknown.add(id);
            }
        }
        return List.copyOf(unknown);
    }

    /** Sequence of the last batch read, or of the one before those that are needed. */
    public long sequence() {
        return sequence;
    }

    /** Hash of the last batch read. */
    public byte[] head() {
        return chain.head();
    }

    /** Greatest time of the batches read, 0 without any. */
    public long highWaterAt() {
        return highWaterAt;
    }

    private JournalFault.Corrupt broken(long at, String what, @Nullable Throwable cause) {
        return new JournalFault.Corrupt("log " + log.epoch() + " is broken at batch " + at + ": " + what, cause);
    }
}
