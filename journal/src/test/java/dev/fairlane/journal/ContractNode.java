package dev.fairlane.journal;

import dev.fairlane.core.model.Fact;
import java.util.List;

/** One start of a node that has opened its log: the writer the port expects, without the engine. */
public final class ContractNode {
    public final Journal journal;
    public final Recovered recovered = new Recovered();
    public final OpenedLog opened;
    private final HashChain chain;
    private final FactCodec codec = new FactCodec();
    private long sequence;

    public ContractNode(Journal journal, String name) {
        this.journal = journal;
        this.opened = Outcome.of(journal.open(name, recovered));
        this.chain = new HashChain(opened.genesis());
    }

    public LogId log() {
        return opened.log();
    }

    /** Sequence of the last batch made. */
    public long sequence() {
        return sequence;
    }

    /** The next batch, not yet sent. */
    public Batch batch(long at, Fact... facts) {
        byte[] bytes = codec.encode(List.of(facts), at);
        return new Batch(++sequence, bytes, chain.extend(bytes));
    }

    public void append(Fact... facts) {
        appendAt(opened.nowAt(), facts);
    }

    public void appendAt(long at, Fact... facts) {
        Outcome.of(journal.append(log(), batch(at, facts)));
    }

    /** Flushes up to the last batch made. */
    public int flush(FlushDraft draft) {
        return Outcome.of(journal.flush(log(), draft.upTo(sequence))).segment();
    }

    public int compact(int segment) {
        return Outcome.of(journal.compact(log(), segment)).segment();
    }
}
