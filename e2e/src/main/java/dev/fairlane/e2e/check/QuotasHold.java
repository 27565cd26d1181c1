package dev.fairlane.e2e.check;

import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.History;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** I9: no more jobs are accepted than a quota says. A call whose outcome was not heard counts if its job is there. */
final class QuotasHold implements Invariant {
    @Override
    public void check(History history, Consumer<Violation> found) {
        Map<String, Set<String>> accepted = accepted(history);
        allowed(history).forEach((type, most) -> {
            int jobs = accepted.getOrDefault(type, Set.of()).size();
            if (jobs > most) {
                found.accept(new Violation(
                        Rule.OVER_QUOTA, type, "expected at most " + most + " jobs, but " + jobs + " were accepted"));
            }
        });
    }

    /** How many quotas were used up. */
    static long reached(History history) {
        Map<String, Set<String>> accepted = accepted(history);
        return allowed(history).entrySet().stream()
                .filter(quota -> accepted.getOrDefault(quota.getKey(), Set.of()).size() >= quota.getValue())
                .count();
    }

    private static Map<String, Long> allowed(History history) {
        Map<String, Long> allowed = new TreeMap<>();
        history.events(Event.Allowed.class).forEach(quota -> allowed.merge(quota.type(), quota.jobs(), Long::sum));
        return allowed;
    }

    private static Map<String, Set<String>> accepted(History history) {
        Map<Long, String> typeOfCall = new HashMap<>();
        Map<String, Set<String>> accepted = new HashMap<>();
        for (Event event : history.events()) {
            switch (event) {
                case Event.Submitting e -> typeOfCall.put(e.call(), e.type());
                case Event.Acked e -> note(typeOfCall.get(e.call()), e.job(), accepted);
                case Event.Read e -> note(typeOfCall.get(e.call()), e.job(), accepted);
                default -> {}
            }
        }
        return accepted;
    }

    private static void note(@Nullable String type, String job, Map<String, Set<String>> accepted) {
        if (type != null) {
            accepted.computeIfAbsent(type, t -> new TreeSet<>()).add(job);
        }
    }
}
