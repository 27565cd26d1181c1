package dev.fairlane.journal;

import dev.fairlane.core.model.TenantId;

/** A store under test: empty at first, reached over any number of connections. */
public interface ContractStore extends AutoCloseable {

    /** Another node's connection. The suite closes it. */
    Journal connect(String node);

    /** Alters the stored bytes of a batch, keeping the stored hash. */
    void damage(LogId log, long sequence);

    /** Alters a stored entry of the audit, leaving the ends of its chain as they are. */
    void falsifyAudit(TenantId chain, long sequence, Forgery how);

    enum Forgery {
        /** Its target is another. */
        ALTER,
        /** Its reason is another. */
        ALTER_REASON,
        /** Its reason is gone, as one may wish. */
        ERASE_REASON,
        REMOVE,
        /** It changes places with the one behind it. */
        SWAP
    }

    @Override
    void close();
}
