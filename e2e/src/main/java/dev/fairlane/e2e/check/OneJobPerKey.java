package dev.fairlane.e2e.check;

import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.History;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** I3: one idempotency key, one job, whatever became of the calls; and without a key one call, at most one job. */
final class OneJobPerKey implements Invariant {
    @Override
    public void check(History history, Consumer<Violation> found) {
        Map<Long, String> keyOfCall = new HashMap<>();
        Map<String, Set<String>> jobsOfKey = new HashMap<>();
        Map<Long, Set<String>> jobsOfCall = new HashMap<>();
        Set<Long> refused = new HashSet<>();
        Set<Long> perhapsDone = new HashSet<>();
        for (Event event : history.events()) {
            switch (event) {
                case Event.Submitting e -> keyOfCall.put(e.call(), e.key());
                case Event.Acked e -> {
                    perhapsDone.add(e.call());
                    note(e.call(), e.job(), keyOfCall.getOrDefault(e.call(), Event.NONE), jobsOfCall, jobsOfKey);
                }
                case Event.Unknown e -> perhapsDone.add(e.call());
                case Event.Refused e -> {
                    refused.add(e.call());
                    if (e.code().equals("IDEMPOTENCY_KEY_REUSED") && jobsOfCall.containsKey(e.call())) {
                        found.accept(new Violation(
                                Rule.KEY_FORGOTTEN,
                                "call " + e.call(),
                                "acked before, refused as reused when repeated"));
                    }
                }
                case Event.Read e -> {
                    if (!e.state().equals(Event.NOT_FOUND) && e.call() != Event.BY_CLOCK) {
                        note(e.call(), e.job(), e.key(), jobsOfCall, jobsOfKey);
                    }
                }
                default -> {}
            }
        }
        jobsOfKey.forEach((key, jobs) -> {
            if (jobs.size() > 1) {
                found.accept(new Violation(Rule.KEY_DOUBLED, key, "led to " + jobs));
            }
        });
        jobsOfCall.forEach((call, jobs) -> {
            String key = keyOfCall.get(call);
            if (key == null) {
                found.accept(new Violation(Rule.INVENTED, "call " + call, "never made, but there are " + jobs));
            } else if (key.equals(Event.NONE) && jobs.size() > 1) {
                found.accept(new Violation(Rule.INVENTED, "call " + call, "made once, but there are " + jobs));
            }
            if (refused.contains(call) && !perhapsDone.contains(call)) {
                found.accept(new Violation(Rule.REFUSED_BUT_DONE, "call " + call, "refused, but there is " + jobs));
            }
        });
    }

    private static void note(
            long call, String job, String key, Map<Long, Set<String>> jobsOfCall, Map<String, Set<String>> jobsOfKey) {
        jobsOfCall.computeIfAbsent(call, c -> new TreeSet<>()).add(job);
        if (!key.equals(Event.NONE)) {
            jobsOfKey.computeIfAbsent(key, k -> new TreeSet<>()).add(job);
        }
    }
}
