package dev.fairlane.journal.memory;

import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.DeadCount;
import dev.fairlane.journal.DeadFilter;
import dev.fairlane.journal.DeadIds;
import dev.fairlane.journal.DeadQuery;
import dev.fairlane.journal.DeadQuery.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The dead letters among the finished jobs. */
final class DeadRows {
    private static final long HOUR_MICROS = 3_600_000_000L;
    private static final int MOST_GROUPS = 1_000;

    private final Map<JobId, JobView> done;

    /** @param done all finished jobs, of which only the dead ones are looked at */
    DeadRows(Map<JobId, JobView> done) {
        this.done = done;
    }

    DeadIds page(DeadQuery query) {
        Comparator<Place> order = query.newestFirst() ? Comparator.reverseOrder() : Comparator.naturalOrder();
        Place after = query.after();
        List<Place> fitting = matching(query.filter())
                .map(DeadRows::place)
                .filter(place -> after == null || order.compare(place, after) > 0)
                .sorted(order)
                .limit(query.limit() + 1L)
                .toList();
        boolean more = fitting.size() > query.limit();
        List<Place> page = more ? fitting.subList(0, query.limit()) : fitting;
        return new DeadIds(page.stream().map(Place::id).toList(), more ? page.getLast() : null);
    }

    Map<JobId, JobView> find(@Nullable TenantId scope, List<JobId> ids) {
        Map<JobId, JobView> found = new LinkedHashMap<>();
        for (JobId id : ids) {
            JobView job = done.get(id);
            if (job != null
                    && isDead(job)
                    && (scope == null || scope.equals(job.spec().tenant()))) {
                found.put(id, job);
            }
        }
        return found;
    }

    int purge(@Nullable TenantId scope, List<JobId> ids) {
        Map<JobId, JobView> found = find(scope, ids);
        found.keySet().forEach(done::remove);
        return found.size();
    }

    List<DeadCount> count(DeadFilter filter, long now) {
        record Group(TenantId tenant, String type, @Nullable FailureClass failureClass) {}
        Map<Group, List<JobView>> groups = new HashMap<>();
        matching(filter)
                .forEach(job -> groups.computeIfAbsent(
                                new Group(job.spec().tenant(), job.spec().type(), failureClass(job)),
                                group -> new ArrayList<>())
                        .add(job));
        List<DeadCount> counts = new ArrayList<>();
        groups.forEach((group, jobs) -> counts.add(new DeadCount(
                group.tenant(),
                group.type(),
                group.failureClass(),
                jobs.size(),
                jobs.stream().filter(job -> diedAt(job) > now - HOUR_MICROS).count(),
                jobs.stream().mapToLong(DeadRows::diedAt).min().orElse(0),
                jobs.stream().mapToLong(DeadRows::diedAt).max().orElse(0))));
        counts.sort(Comparator.comparingLong(DeadCount::count)
                .reversed()
                .thenComparing(count -> count.tenant().number())
                .thenComparing(DeadCount::type)
                .thenComparing(count -> String.valueOf(count.failureClass())));
        return counts.subList(0, Math.min(MOST_GROUPS, counts.size()));
    }

    /** Removes the oldest of every tenant that has more than it may have. */
    void bound(int perTenant) {
        Map<TenantId, List<Place>> byTenant = new HashMap<>();
        done.values().stream()
                .filter(DeadRows::isDead)
                .forEach(job -> byTenant.computeIfAbsent(job.spec().tenant(), tenant -> new ArrayList<>())
                        .add(place(job)));
        for (List<Place> places : byTenant.values()) {
            places.stream()
                    .sorted()
                    .limit(Math.max(0, places.size() - perTenant))
                    .forEach(place -> done.remove(place.id()));
        }
    }

    private Stream<JobView> matching(DeadFilter filter) {
        String text = filter.text().toLowerCase(Locale.ROOT);
        return done.values().stream()
                .filter(DeadRows::isDead)
                .filter(job -> filter.scope() == null
                        || filter.scope().equals(job.spec().tenant()))
                .filter(job -> filter.type().isEmpty()
                        || filter.type().equals(job.spec().type()))
                .filter(job -> filter.failureClass() == null || filter.failureClass() == failureClass(job))
                .filter(job -> diedAt(job) >= filter.from() && (filter.to() == 0 || diedAt(job) < filter.to()))
                .filter(job ->
                        text.isEmpty() || message(job).toLowerCase(Locale.ROOT).contains(text));
    }

    private static boolean isDead(JobView job) {
        return job.status().state() == JobState.DEAD;
    }

    private static long diedAt(JobView job) {
        return job.status().changedAt();
    }

    private static Place place(JobView job) {
        return new Place(diedAt(job), job.spec().id());
    }

    private static @Nullable FailureClass failureClass(JobView job) {
        Failure failure = job.failure();
        return failure == null ? null : failure.failureClass();
    }

    private static String message(JobView job) {
        Failure failure = job.failure();
        return failure == null ? "" : failure.message();
    }
}
