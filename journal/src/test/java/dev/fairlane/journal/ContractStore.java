package dev.fairlane.journal;

/** A store under test: empty at first, reached over any number of connections. */
public interface ContractStore extends AutoCloseable {

    /** Another node's connection. The suite closes it. */
    Journal connect(String node);

    /** Alters the stored bytes of a batch, keeping the stored hash. */
    void damage(LogId log, long sequence);

    @Override
    void close();
}
