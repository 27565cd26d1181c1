package dev.fairlane.core.model;

/**
 * Both ends of a chain of the audit.
 *
 * @param anchor sequence of the last entry that was dropped because of its age; 0 if the chain is whole
 * @param anchorHash its hash, what the first entry that is kept is chained to; that of {@link #NONE} if the chain is whole
 * @param sequence of the newest entry; that of the anchor when none is kept
 * @param hash its hash
 * @param at when the newest entry was made
 */
public record AuditHead(TenantId chain, long anchor, String anchorHash, long sequence, String hash, long at) {
    /** What the first entry of a chain is chained to. */
    public static final String NONE = "0".repeat(64);

    public static AuditHead begin(TenantId chain) {
        return new AuditHead(chain, 0, NONE, 0, NONE, 0);
    }

    /** With this entry as its newest. */
    public AuditHead with(AuditEntry entry) {
        return new AuditHead(chain, anchor, anchorHash, entry.sequence(), entry.hash(), entry.at());
    }

    /** With this entry as the last that was dropped. */
    public AuditHead without(AuditEntry dropped) {
        return new AuditHead(chain, dropped.sequence(), dropped.hash(), sequence, hash, at);
    }
}
