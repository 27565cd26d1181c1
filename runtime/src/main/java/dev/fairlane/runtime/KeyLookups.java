package dev.fairlane.runtime;

import dev.fairlane.core.model.KeyFinding;
import dev.fairlane.core.model.KeyProbe;
import dev.fairlane.core.model.StoredKey;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.Journal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keys on their way to the store and back: many at a time, and one look-up for all who ask for the same key meanwhile, so that they hear
 * in the order in which they asked. Owned by the loop.
 *
 * <p>A look-up sees what was stored when it began. Until it is back, no key may leave memory that was stored later: see
 * {@link #storedForAll}.
 */
final class KeyLookups {
    private static final int KEYS_AT_ONCE = 500;
    private static final int UNDER_WAY_MAX = 2;

    private final Journal journal;
    private final Inbox inbox;
    private final LongSupplier stored;
    private final Map<Name, Ask> asks = new HashMap<>();
    private final List<Ask> waiting = new ArrayList<>();
    private final List<Trip> underWay = new ArrayList<>();

    private record Name(TenantId tenant, String key) {}

    private record Trip(List<Ask> asks, long storedAtBegin) {}

    private static final class Ask {
        final KeyProbe probe;
        final List<Asker> askers = new ArrayList<>(1);

        Ask(KeyProbe probe) {
            this.probe = probe;
        }
    }

    /** Called on the loop. */
    interface Asker {
        void found(KeyFinding finding);

        void failed(Throwable fault);
    }

    /** @param stored all that happened up to this time is in the store */
    KeyLookups(Journal journal, Inbox inbox, LongSupplier stored) {
        this.journal = journal;
        this.inbox = inbox;
        this.stored = stored;
    }

    void ask(KeyProbe probe, Asker asker) {
        Ask ask = asks.computeIfAbsent(new Name(probe.tenant(), probe.key()), name -> {
            Ask made = new Ask(probe);
            waiting.add(made);
            return made;
        });
        ask.askers.add(asker);
    }

    /** Called every turn: what was asked for in it leaves together. */
    void poll() {
        while (!waiting.isEmpty() && underWay.size() < UNDER_WAY_MAX) {
            List<Ask> part = waiting.subList(0, Math.min(waiting.size(), KEYS_AT_ONCE));
            Trip trip = new Trip(List.copyOf(part), stored.getAsLong());
            part.clear();
            underWay.add(trip);
            journal.findKeys(trip.asks.stream().map(ask -> ask.probe).toList())
                    .whenComplete((found, fault) -> inbox.signal(() -> back(trip, found, fault)));
        }
    }

    /** All that happened up to this time is in the store, and was when any look-up under way began. */
    long storedForAll() {
        long least = stored.getAsLong();
        for (Trip trip : underWay) {
            least = Math.min(least, trip.storedAtBegin);
        }
        return least;
    }

    private void back(Trip trip, @Nullable List<Optional<StoredKey>> found, @Nullable Throwable fault) {
        for (int i = 0; i < trip.asks.size(); i++) {
            Ask ask = trip.asks.get(i);
            asks.remove(new Name(ask.probe.tenant(), ask.probe.key()));
            for (Asker asker : ask.askers) {
                if (found == null) {
                    asker.failed(fault == null ? new IllegalStateException("nothing came back") : fault);
                } else {
                    asker.found(new KeyFinding(ask.probe.key(), found.get(i).orElse(null)));
                }
            }
        }
        // Only now: what the askers decided rests on what was found.
        underWay.remove(trip);
    }

    /** Nobody will hear any more. */
    void end() {
        IllegalStateException over = new IllegalStateException("the node no longer serves");
        for (Ask ask : List.copyOf(asks.values())) {
            ask.askers.forEach(asker -> asker.failed(over));
        }
        asks.clear();
        waiting.clear();
        underWay.clear();
    }
}
