package dev.fairlane.journal.memory;

import dev.fairlane.journal.ContractStore;
import dev.fairlane.journal.Journal;
import dev.fairlane.journal.JournalContract;
import dev.fairlane.journal.LogId;
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
            public void close() {}
        };
    }
}
