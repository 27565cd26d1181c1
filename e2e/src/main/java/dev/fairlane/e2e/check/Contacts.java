package dev.fairlane.e2e.check;

import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.History;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** When each worker was in touch with a healthy server. */
final class Contacts {
    private static final Set<String> SHARED = Set.of("server", "postgres");

    /** @param until when it broke; {@link Long#MAX_VALUE} if it never did */
    record Span(long from, long until) {}

    private final Map<String, List<Span>> spans = new HashMap<>();
    private final Map<String, Long> since = new HashMap<>();
    private final Set<String> connected = new HashSet<>();
    private final Set<String> down = new HashSet<>();
    /** Killed workers: another name takes their place, and the end of a pause does not bring them back. */
    private final Set<String> dead = new HashSet<>();

    private Contacts() {}

    static Contacts in(History history) {
        Contacts contacts = new Contacts();
        long last = 0;
        for (Event event : history.events()) {
            last = event.at();
            switch (event) {
                case Event.Contact e when e.connected() -> contacts.connected.add(e.worker());
                case Event.Contact e -> contacts.connected.remove(e.worker());
                case Event.Struck e -> contacts.struck(e);
                case Event.Healed e -> contacts.healed(e.target());
                default -> {
                    continue;
                }
            }
            contacts.update(last);
        }
        contacts.connected.clear();
        contacts.update(last);
        return contacts;
    }

    List<Span> of(String worker) {
        return spans.getOrDefault(worker, List.of());
    }

    private void struck(Event.Struck fault) {
        down.add(fault.target());
        if (!SHARED.contains(fault.target()) && !fault.fault().equals(Pauses.FAULT)) {
            dead.add(fault.target());
        }
    }

    private void healed(String target) {
        if (!dead.contains(target)) {
            down.remove(target);
        }
    }

    private void update(long at) {
        boolean healthy = SHARED.stream().noneMatch(down::contains);
        since.entrySet().removeIf(open -> {
            boolean broken = !healthy || !connected.contains(open.getKey()) || down.contains(open.getKey());
            if (broken) {
                spans.computeIfAbsent(open.getKey(), w -> new ArrayList<>()).add(new Span(open.getValue(), at));
            }
            return broken;
        });
        if (healthy) {
            connected.stream().filter(worker -> !down.contains(worker)).forEach(w -> since.putIfAbsent(w, at));
        }
    }
}
