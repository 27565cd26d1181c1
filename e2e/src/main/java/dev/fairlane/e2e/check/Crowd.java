package dev.fairlane.e2e.check;

import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The moment at which the most executions with live leases ran under a limit.
 *
 * <p>A worker says again and again that it runs and that its lease is valid as far as it knows; the lease was live from the first such
 * word to the last. A server counts from when it gave a lease, a worker from when it came, so a lease that was never renewed is taken
 * for live during half of its time only; one that lived longer than that was renewed, and a worker counts a renewal from when it asked.
 *
 * @param most how many the limit allows; 0 if nobody was told of it
 * @param at when there were the most of them
 */
record Crowd(String limit, long most, long at, Set<String> executions) {

    /** One execution, as far as one limit is concerned. */
    private record Holder(String limit, String worker, String job, long token) {
        @Override
        public String toString() {
            return job + " on " + worker + " with token " + token;
        }
    }

    private record Span(long from, long until) {
        Span to(long later) {
            return new Span(from, later);
        }
    }

    private record Edge(long at, boolean begins, String execution) {}

    boolean full() {
        return most > 0 && executions.size() >= most;
    }

    /** One for each limit that was named. */
    static List<Crowd> in(History history) {
        Pauses pauses = Pauses.in(history);
        Map<String, Event.Capped> caps = new TreeMap<>();
        history.events(Event.Capped.class).forEach(cap -> caps.put(cap.limit(), cap));
        Map<Holder, Span> held = new LinkedHashMap<>();
        history.events(Event.Held.class)
                .forEach(word -> held.merge(
                        new Holder(word.limit(), word.worker(), word.job(), word.token()),
                        new Span(word.at(), word.at()),
                        (before, now) -> before.to(now.until)));
        Map<String, List<Edge>> edges = new TreeMap<>();
        caps.keySet().forEach(limit -> edges.put(limit, new ArrayList<>()));
        held.forEach((holder, span) -> {
            if (!pauses.excuse(holder.worker, span.from)) {
                Event.Capped cap = caps.get(holder.limit);
                long lease = cap == null ? 0 : cap.leaseNanos();
                List<Edge> of = edges.computeIfAbsent(holder.limit, limit -> new ArrayList<>());
                of.add(new Edge(span.from, true, holder.toString()));
                of.add(new Edge(sure(span, lease), false, holder.toString()));
            }
        });
        List<Crowd> crowds = new ArrayList<>();
        edges.forEach((limit, of) -> {
            Event.Capped cap = caps.get(limit);
            crowds.add(largest(limit, cap == null ? 0 : cap.most(), of));
        });
        return crowds;
    }

    private static long sure(Span span, long lease) {
        return span.until - span.from > lease ? span.until : Math.min(span.until, span.from + lease / 2);
    }

    private static Crowd largest(String limit, long most, List<Edge> edges) {
        edges.sort(Comparator.comparingLong(Edge::at).thenComparing(edge -> !edge.begins));
        Set<String> running = new TreeSet<>();
        Crowd largest = new Crowd(limit, most, 0, Set.of());
        for (Edge edge : edges) {
            if (!edge.begins) {
                running.remove(edge.execution);
            } else if (running.add(edge.execution) && running.size() > largest.executions.size()) {
                largest = new Crowd(limit, most, edge.at, Set.copyOf(running));
            }
        }
        return largest;
    }
}
