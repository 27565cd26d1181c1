package dev.fairlane.core.shard;

import dev.fairlane.core.model.JobTerms;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the end of an open job leads to, for those jobs whose end leads to something: kept here because their specs may be
 * evicted. Jobs with equal ties share one. Hard, and made anew from the specs that are loaded.
 */
final class Ties {
    private final SlotNotes<Shared> bySlot = new SlotNotes<>();
    private final Map<Tie, Shared> shared = new HashMap<>();

    /**
     * @param group id of the group it belongs to, or empty
     * @param webhook address that hears of its end, or empty
     */
    record Tie(String group, String webhook) {}

    private static final class Shared {
        final Tie tie;
        int uses;

        Shared(Tie tie) {
            this.tie = tie;
        }
    }

    void tie(int slot, JobTerms terms) {
        if (terms.group().isEmpty() && terms.webhook().isEmpty()) {
            return;
        }
        Shared one = shared.computeIfAbsent(new Tie(terms.group(), terms.webhook()), Shared::new);
        one.uses++;
        bySlot.put(slot, one);
    }

    @Nullable Tie of(int slot) {
        if (bySlot.isEmpty()) {
            return null;
        }
        Shared one = bySlot.get(slot);
        return one == null ? null : one.tie;
    }

    /** None of these slots is in use. */
    void forget(int first, int count) {
        bySlot.forget(first, count);
    }

    /** Pages in memory. */
    int pages() {
        return bySlot.pages();
    }

    void untie(int slot) {
        Shared one = bySlot.isEmpty() ? null : bySlot.remove(slot);
        if (one != null && --one.uses == 0) {
            shared.remove(one.tie);
        }
    }
}
