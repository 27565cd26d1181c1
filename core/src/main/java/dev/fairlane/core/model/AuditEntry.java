package dev.fairlane.core.model;

/**
 * One change of the control plane by a person or a key, chained to the one before it.
 *
 * @param chain the tenant it concerns; {@link #SYSTEM} for what concerns no single one
 * @param sequence from 1 on, without gaps
 * @param at microseconds; never before that of the entry before
 * @param reasonDigest SHA-256 of the deed's reason as it was given, in hexadecimal; empty if there was none. It stays when the reason
 *     is erased
 * @param hash over the hash of the entry before and all of this entry but the text of its reason, in hexadecimal
 */
public record AuditEntry(
        TenantId chain, long sequence, long at, Author by, AuditDeed deed, String reasonDigest, String hash) {
    public static final TenantId SYSTEM = new TenantId(0);

    /** The same with its reason erased. */
    public AuditEntry withoutReason() {
        AuditDeed bare = new AuditDeed(deed.action(), deed.target(), deed.summary(), "", deed.before(), deed.after());
        return new AuditEntry(chain, sequence, at, by, bare, reasonDigest, hash);
    }
}
