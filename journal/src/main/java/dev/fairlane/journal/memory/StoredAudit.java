package dev.fairlane.journal.memory;

import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.AuditHead;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.AuditQuery;
import dev.fairlane.journal.RecoverySink;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The audit: entries by chain, and both ends of each. */
final class StoredAudit {
    private final SortedMap<Integer, Chain> chains = new TreeMap<>();

    private static final class Chain {
        final Deque<AuditEntry> entries = new ArrayDeque<>();
        AuditHead head;

        Chain(TenantId tenant) {
            this.head = AuditHead.begin(tenant);
        }
    }

    void check(List<AuditEntry> entries) {
        Map<Integer, Long> sequences = new HashMap<>();
        for (AuditEntry entry : entries) {
            int number = entry.chain().number();
            Chain chain = chains.get(number);
            long last = sequences.getOrDefault(number, chain == null ? 0 : chain.head.sequence());
            if (entry.sequence() != last + 1) {
                throw new IllegalStateException("expected entry " + (last + 1) + " of the audit of " + number
                        + ", but got " + entry.sequence());
            }
            sequences.put(number, entry.sequence());
        }
    }

    void add(List<AuditEntry> entries) {
        for (AuditEntry entry : entries) {
            Chain chain = chains.computeIfAbsent(entry.chain().number(), number -> new Chain(entry.chain()));
            chain.entries.add(entry);
            chain.head = chain.head.with(entry);
        }
    }

    void tell(RecoverySink sink) {
        chains.values().forEach(chain -> sink.audit(chain.head));
    }

    List<AuditHead> heads(@Nullable TenantId of, int after, int limit) {
        return chains.values().stream()
                .map(chain -> chain.head)
                .filter(head -> of == null || of.equals(head.chain()))
                .filter(head -> head.chain().number() > after)
                .limit(limit)
                .toList();
    }

    List<AuditEntry> find(AuditQuery query) {
        TenantId of = query.chain();
        Comparator<AuditEntry> order = of == null ? AuditQuery.BY_TIME : Comparator.comparingLong(AuditEntry::sequence);
        Comparator<AuditEntry> asked = query.oldestFirst() ? order : order.reversed();
        AuditQuery.Place after = query.after();
        return chains.values().stream()
                .filter(chain -> of == null || of.equals(chain.head.chain()))
                .flatMap(chain -> chain.entries.stream())
                .filter(entry -> entry.at() >= query.fromAt() && entry.at() < query.until())
                .filter(entry -> after == null || asked.compare(entry, standIn(entry, after)) > 0)
                .sorted(asked)
                .limit(query.limit())
                .toList();
    }

    /** An entry at that place, to compare with. */
    private static AuditEntry standIn(AuditEntry any, AuditQuery.Place place) {
        return new AuditEntry(
                new TenantId(place.chain()), place.sequence(), place.at(), any.by(), any.deed(), "", any.hash());
    }

    boolean eraseReason(TenantId tenant, long sequence) {
        Chain chain = chains.get(tenant.number());
        if (chain == null
                || chain.entries.stream()
                        .noneMatch(entry -> entry.sequence() == sequence
                                && !entry.deed().reason().isEmpty())) {
            return false;
        }
        List<AuditEntry> all = chain.entries.stream()
                .map(entry -> entry.sequence() == sequence ? entry.withoutReason() : entry)
                .toList();
        chain.entries.clear();
        chain.entries.addAll(all);
        return true;
    }

    void drop(long before) {
        for (Chain chain : chains.values()) {
            while (!chain.entries.isEmpty() && chain.entries.getFirst().at() < before) {
                chain.head = chain.head.without(chain.entries.removeFirst());
            }
        }
    }

    /** Puts other entries in place of those of a chain, for a test that wants to see it found. */
    void falsify(TenantId tenant, Stream<AuditEntry> entries) {
        Chain chain = chains.get(tenant.number());
        if (chain != null) {
            List<AuditEntry> all = entries.toList();
            chain.entries.clear();
            chain.entries.addAll(all);
        }
    }
}
