package dev.fairlane.journal.memory;

import dev.fairlane.core.model.AuditDeed;
import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.ContractStore;
import dev.fairlane.journal.Journal;
import dev.fairlane.journal.JournalContract;
import dev.fairlane.journal.LogId;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicLong;

class InMemoryJournalContract extends JournalContract {
    private static final long START = 1_790_000_000_000_000L;

    @Override
    protected ContractStore newStore(int segmentRows) {
        AtomicLong clock = new AtomicLong(START);
        InMemoryStore store = new InMemoryStore(() -> clock.getAndAdd(1_000), StepExecutor.immediate(), segmentRows);
        return new ContractStore() {
            @Override
            public Journal connect(String node) {
                return new InMemoryJournal(store, node);
            }

            @Override
            public void damage(LogId log, long sequence) {
                store.damage(log, sequence);
            }

            @Override
            public void falsifyAudit(TenantId chain, long sequence, Forgery how) {
                store.falsifyAudit(chain, entries -> switch (how) {
                    case ALTER -> entries.map(one -> one.sequence() == sequence ? altered(one) : one);
                    case ALTER_REASON ->
                        entries.map(one -> one.sequence() == sequence ? because(one, "ticket 6") : one);
                    case ERASE_REASON -> entries.map(one -> one.sequence() == sequence ? because(one, "") : one);
                    case REMOVE -> entries.filter(one -> one.sequence() != sequence);
                    case SWAP ->
                        entries.map(one -> one.sequence() == sequence
                                        ? at(one, sequence + 1)
                                        : one.sequence() == sequence + 1 ? at(one, sequence) : one)
                                .sorted(Comparator.comparingLong(AuditEntry::sequence));
                });
            }

            @Override
            public void close() {}
        };
    }

    private static AuditEntry altered(AuditEntry entry) {
        AuditDeed deed = entry.deed();
        return with(
                entry,
                new AuditDeed(
                        deed.action(), "tenant/other", deed.summary(), deed.reason(), deed.before(), deed.after()));
    }

    private static AuditEntry because(AuditEntry entry, String reason) {
        AuditDeed deed = entry.deed();
        return with(
                entry,
                new AuditDeed(deed.action(), deed.target(), deed.summary(), reason, deed.before(), deed.after()));
    }

    private static AuditEntry with(AuditEntry entry, AuditDeed deed) {
        return new AuditEntry(
                entry.chain(), entry.sequence(), entry.at(), entry.by(), deed, entry.reasonDigest(), entry.hash());
    }

    private static AuditEntry at(AuditEntry entry, long sequence) {
        return new AuditEntry(
                entry.chain(), sequence, entry.at(), entry.by(), entry.deed(), entry.reasonDigest(), entry.hash());
    }
}
