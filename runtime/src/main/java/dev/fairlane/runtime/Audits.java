package dev.fairlane.runtime;

import dev.fairlane.core.model.AuditDeed;
import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.AuditHead;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.shard.Engine;
import dev.fairlane.journal.AuditHash;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The ends of the audit's chains, and the next entry of each. The loop puts an entry among the facts of the change it is about, so both
 * stand in one batch and become durable together or not at all. Owned by the loop.
 *
 * <p>Hard: the ends; recovery brings them back from the store and the journal's tail. Soft: which calls were written down lately; a
 * failover costs a second entry for a call about what the node does not keep itself (a webhook secret) that comes again.
 */
final class Audits {
    private static final int CALLS_KEPT = 10_000;
    /** Much less than answers are remembered: a call that is done again is written down again. */
    private static final long CALL_KEPT_MICROS = 3_600_000_000L;

    private static final HexFormat HEX = HexFormat.of();

    private final AuditDeeds deeds;
    private final Map<Integer, End> ends = new HashMap<>();
    /** When they were written down; the oldest first. */
    private final Map<Call, Long> calls = new LinkedHashMap<>();

    /** The newest entry of a chain, small: there may be one for each of 100,000 tenants. */
    private record End(long sequence, long at, byte[] hash) {
        static final End NONE = new End(0, 0, HEX.parseHex(AuditHead.NONE));
    }

    /** Keys of calls are not the same for all: what is asked, and of whom, tells calls apart too. */
    private record Call(int chain, String keyId, String request, String digest, String action, String target) {}

    /** @param heads as recovered */
    Audits(Engine engine, Collection<AuditHead> heads) {
        this.deeds = new AuditDeeds(engine);
        heads.forEach(head ->
                ends.put(head.chain().number(), new End(head.sequence(), head.at(), HEX.parseHex(head.hash()))));
    }

    /** The entry about a command, to be put behind the facts that follow from it; they are not applied yet. */
    Fact.Audited of(Command command, List<Fact> facts, Author by, long now) {
        return next(deeds.of(command, facts), by, now);
    }

    /** The entry about what leaves no facts. */
    Fact.Audited note(TenantId chain, AuditDeed deed, Author by, long now) {
        return next(deeds.of(chain, deed), by, now);
    }

    /** The same, for what may be asked again before it is done; empty for a call that came a short while ago. */
    Optional<Fact.Audited> noteOnce(TenantId chain, AuditDeed deed, Author by, long now) {
        if (!by.request().isEmpty()) {
            calls.values().removeIf(at -> at + CALL_KEPT_MICROS <= now);
            Call call = new Call(chain.number(), by.keyId(), by.request(), by.digest(), deed.action(), deed.target());
            if (calls.putIfAbsent(call, now) != null) {
                return Optional.empty();
            }
            if (calls.size() > CALLS_KEPT) {
                calls.remove(calls.keySet().iterator().next());
            }
        }
        return Optional.of(note(chain, deed, by, now));
    }

    private Fact.Audited next(AuditDeeds.Described described, Author by, long now) {
        TenantId chain = described.chain();
        End end = ends.getOrDefault(chain.number(), End.NONE);
        String reason = AuditHash.ofReason(described.deed().reason());
        AuditEntry bare =
                new AuditEntry(chain, end.sequence + 1, Math.max(now, end.at), by, described.deed(), reason, "");
        String hash = AuditHash.of(HEX.formatHex(end.hash), described.name(), bare);
        ends.put(chain.number(), new End(bare.sequence(), bare.at(), HEX.parseHex(hash)));
        return new Fact.Audited(new AuditEntry(chain, bare.sequence(), bare.at(), by, bare.deed(), reason, hash));
    }
}
