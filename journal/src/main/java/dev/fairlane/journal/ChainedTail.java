package dev.fairlane.journal;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the tail of a closed log: checks that nothing is missing, doubled or altered, and hands on the facts.
 *
 * <p>A store feeds it the batches behind the flush position in order. A fact reaches the sink only if its batch is sound.
 */
public final class ChainedTail {
    private final LogId log;
    private final HashChain chain;
    private final RecoverySink sink;
    private final Consumer<List<JobId>> far;
    private long sequence;
    private long highWaterAt;

    /**
     * @param flushed the log's flush position, 0 if it was never flushed
     * @param head hash of the batch at that position, the genesis hash for 0
     */
    public ChainedTail(LogId log, long flushed, byte[] head, RecoverySink sink) {
        this(log, flushed, head, sink, ids -> {});
    }

    /** @param far tells the sink of those of these jobs that are at home in {@link Flush#FAR} */
    public ChainedTail(LogId log, long flushed, byte[] head, RecoverySink sink, Consumer<List<JobId>> far) {
        this.far = far;
        this.log = log;
        this.chain = new HashChain(head);
        this.sink = sink;
        this.sequence = flushed;
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
        List<JobId> unknown = unknown(decoded.facts());
        if (!unknown.isEmpty()) {
            far.accept(unknown);
        }
        for (Fact fact : decoded.facts()) {
            sink.tail(fact);
        }
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

    /** Sequence of the last batch read, or the flush position. */
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
