package dev.fairlane.journal;

import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.TenantId;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Which entries of the audit. Of one chain they come in the order of their sequence, of all chains in the order of time, chain and
 * sequence.
 *
 * @param chain null: all
 * @param fromAt microseconds, inclusive; 0: from the first
 * @param toAt exclusive; 0: to the last
 * @param after where a page before ended, in the order asked for; null: from the begin
 */
public record AuditQuery(
        @Nullable TenantId chain,
        long fromAt,
        long toAt,
        @Nullable Place after,
        boolean oldestFirst,
        int limit) {

    public static final Comparator<AuditEntry> BY_TIME = Comparator.comparingLong(AuditEntry::at)
            .thenComparingInt(entry -> entry.chain().number())
            .thenComparingLong(AuditEntry::sequence);

    public record Place(long at, int chain, long sequence) {
        public static Place of(AuditEntry entry) {
            return new Place(entry.at(), entry.chain().number(), entry.sequence());
        }
    }

    /** Everything of a chain that is kept. */
    public static AuditQuery whole(TenantId chain) {
        return new AuditQuery(chain, 0, 0, null, true, Integer.MAX_VALUE);
    }

    /** One entry of a chain, if it is kept; else the first behind it. */
    public static AuditQuery one(TenantId chain, long sequence) {
        return new AuditQuery(chain, 0, 0, new Place(0, chain.number(), sequence - 1), true, 1);
    }

    /** The end of the span, as a time. */
    public long until() {
        return toAt == 0 ? Long.MAX_VALUE : toAt;
    }
}
