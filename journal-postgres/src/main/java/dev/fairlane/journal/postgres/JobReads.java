package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.Fetched;
import dev.fairlane.journal.JobPage;
import dev.fairlane.journal.JobQuery;
import dev.fairlane.journal.StoredJob;
import dev.fairlane.journal.postgres.Slots.Slot;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What people ask. Every question is answered from one snapshot: a job is open or finished in it, never both and never neither.
 *
 * <p>A page costs a bounded number of rows and bytes. Where a filter lets few through, it may come back short, or even empty, with a
 * cursor to go on from.
 */
final class JobReads {
    private static final int FILTERED_CHUNK = 2_000;
    private static final int SCANNED_ROWS = 50_000;
    private static final long PAGE_BYTES = 16L << 20;

    private final DataSource pool;
    private final RecentBundles recent;
    private final IntConsumer wanted;

    /** @param wanted is told of a segment whose payloads are asked for and that has no index */
    JobReads(DataSource pool, RecentBundles recent, IntConsumer wanted) {
        this.pool = pool;
        this.recent = recent;
        this.wanted = wanted;
    }

    private interface Reading<T> {
        T read(Connection connection) throws SQLException;
    }

    private <T> T read(Reading<T> reading) throws SQLException {
        try {
            return readOnce(reading);
        } catch (SQLException e) {
            if (Faults.is(e, Faults.UNDEFINED_TABLE)) {
                // A day was dropped between looking for it and looking into it.
                return readOnce(reading);
            }
            throw e;
        }
    }

    private <T> T readOnce(Reading<T> reading) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try {
                Transactions.run(connection, Sql.of("begin_reading"));
                return reading.read(connection);
            } finally {
                Transactions.rollback(connection);
            }
        }
    }

    /** First among what was stored lately, then in the tables. */
    Fetched fetch(List<StoredJob> jobs) throws SQLException {
        Map<JobId, JobSpec> specs = new HashMap<>();
        List<JobSpec> beside = new ArrayList<>();
        List<StoredJob> left = recent.find(jobs, specs, beside);
        if (!left.isEmpty()) {
            Fetched read = read(connection -> readSpecs(connection, left));
            specs.putAll(read.asked());
            beside.addAll(read.beside());
        }
        return new Fetched(specs, beside);
    }

    /** First where they are said to be at home; what left that segment meanwhile is looked for in all of them. */
    private Fetched readSpecs(Connection connection, List<StoredJob> jobs) throws SQLException {
        Transactions.run(connection, Sql.of("find_by_index"));
        OpenReads open = new OpenReads(connection);
        List<JobSpec> beside = new ArrayList<>();
        Map<JobId, OpenReads.Stored> stored = open.atHome(jobs, beside);
        wantIndexes(stored.values());
        List<StoredJob> left =
                jobs.stream().filter(job -> !stored.containsKey(job.id())).toList();
        Map<JobId, JobSpec> specs = new HashMap<>();
        stored.forEach((id, job) -> specs.put(id, job.spec()));
        if (!left.isEmpty()) {
            open.views(left).forEach((id, job) -> specs.put(id, job.spec()));
        }
        return new Fetched(specs, beside);
    }

    private void wantIndexes(Collection<OpenReads.Stored> stored) {
        stored.stream()
                .map(OpenReads.Stored::slot)
                .distinct()
                .filter(slot -> !slot.indexed())
                .forEach(slot -> wanted.accept(slot.segment()));
    }

    /** Who looks around makes the segments that take no more rows worth an index. */
    private OpenReads openReads(Connection connection) throws SQLException {
        OpenReads open = new OpenReads(connection);
        List<Slot> slots = open.segments();
        for (Slot slot : slots.subList(0, Math.max(0, slots.size() - 1))) {
            if (!slot.indexed()) {
                wanted.accept(slot.segment());
            }
        }
        return open;
    }

    Optional<JobView> find(@Nullable TenantId scope, JobId id) throws SQLException {
        return read(connection -> {
            int tenant = scope == null ? StoredJob.ANYBODY : scope.number();
            StoredJob job = new StoredJob(id, tenant, StoredJob.ANYWHERE);
            JobView open = openReads(connection).views(List.of(job)).get(id);
            if (open != null) {
                return scope == null || scope.equals(open.spec().tenant()) ? Optional.of(open) : Optional.empty();
            }
            return new HistoryReads(connection).find(scope, id);
        });
    }

    JobPage list(JobQuery query) throws SQLException {
        return read(connection -> new Listing(openReads(connection), new HistoryReads(connection), query).page());
    }

    /** One page in the making: chunks of open and of finished jobs, merged by id down to where both are known. */
    private static final class Listing {
        private final JobQuery query;
        private final OpenReads open;
        private final HistoryReads history;
        private final boolean wantsOpen;
        private final boolean wantsDone;
        private final boolean onlyDead;
        private final int chunk;
        private final List<JobView> page = new ArrayList<>();
        private long bytes;

        Listing(OpenReads open, HistoryReads history, JobQuery query) {
            this.query = query;
            this.open = open;
            this.history = history;
            var states = query.states();
            this.wantsOpen = states.isEmpty() || states.stream().anyMatch(state -> !state.terminal());
            this.wantsDone = states.isEmpty() || states.stream().anyMatch(JobState::terminal);
            this.onlyDead = wantsDone
                    && !states.isEmpty()
                    && states.stream().noneMatch(state -> state.terminal() && state != JobState.DEAD);
            boolean filtered = !states.isEmpty() || !query.type().isEmpty();
            this.chunk = Math.max(query.limit() + 1, filtered ? FILTERED_CHUNK : 0);
        }

        JobPage page() throws SQLException {
            JobId start = query.before();
            UUID before = start == null ? Ids.GREATEST : Ids.uuid(start);
            int scanned = 0;
            while (true) {
                List<OpenReads.Entry> openChunk = wantsOpen ? open.page(query.scope(), before, chunk) : List.of();
                List<HistoryReads.Entry> doneChunk =
                        wantsDone ? history.page(query.scope(), before, chunk, onlyDead) : List.of();
                scanned += openChunk.size() + doneChunk.size();
                JobId openEnd =
                        openChunk.size() < chunk ? null : openChunk.getLast().id();
                JobId doneEnd =
                        doneChunk.size() < chunk ? null : doneChunk.getLast().id();
                JobId end = later(openEnd, doneEnd);
                if (!take(openChunk, doneChunk, end)) {
                    return new JobPage(page, page.getLast().spec().id());
                }
                if (end == null) {
                    return new JobPage(page, null);
                }
                if (scanned >= SCANNED_ROWS) {
                    return new JobPage(page, end);
                }
                before = Ids.uuid(end);
            }
        }

        /** The later of two ends of what is known, each null for "to the last". */
        private static @Nullable JobId later(@Nullable JobId one, @Nullable JobId other) {
            if (one == null || other == null) {
                return one == null ? other : one;
            }
            return one.compareTo(other) > 0 ? one : other;
        }

        /** False when the page is full before everything was looked at. */
        private boolean take(List<OpenReads.Entry> openChunk, List<HistoryReads.Entry> doneChunk, @Nullable JobId end)
                throws SQLException {
            NavigableMap<JobId, Long> sizes = new TreeMap<>(Comparator.reverseOrder());
            List<StoredJob> openJobs = new ArrayList<>();
            for (OpenReads.Entry entry : openChunk) {
                if ((end == null || entry.id().compareTo(end) >= 0)
                        && typeFits(entry.type())
                        && !open.ended(entry.slot(), entry.id(), entry.number())) {
                    openJobs.add(new StoredJob(
                            entry.id(), entry.tenant(), entry.slot().segment()));
                    sizes.put(entry.id(), entry.size());
                }
            }
            Map<JobId, HistoryReads.Entry> doneEntries = new HashMap<>();
            for (HistoryReads.Entry entry : doneChunk) {
                if ((end == null || entry.id().compareTo(end) >= 0)
                        && typeFits(entry.type())
                        && stateFits(entry.state())) {
                    doneEntries.put(entry.id(), entry);
                    sizes.put(entry.id(), entry.size());
                }
            }
            return fill(sizes, openJobs, doneEntries);
        }

        private boolean fill(
                NavigableMap<JobId, Long> sizes, List<StoredJob> openJobs, Map<JobId, HistoryReads.Entry> doneEntries)
                throws SQLException {
            // States of open jobs are known only with their images, so more of them are read than a page may take.
            Map<JobId, JobView> views = new HashMap<>();
            if (query.states().isEmpty()) {
                Set<JobId> fitting = sizes.keySet().stream().limit(room() + 1L).collect(Collectors.toSet());
                openJobs.removeIf(job -> !fitting.contains(job.id()));
            }
            for (int from = 0; from < openJobs.size(); from += FILTERED_CHUNK) {
                views.putAll(open.views(openJobs.subList(from, Math.min(openJobs.size(), from + FILTERED_CHUNK))));
            }
            views.values().removeIf(view -> !stateFits(view.status().state()));
            List<HistoryReads.Entry> wanted = sizes.keySet().stream()
                    .filter(id -> views.containsKey(id) || doneEntries.containsKey(id))
                    .limit(room())
                    .flatMap(id -> Optional.ofNullable(doneEntries.get(id)).stream())
                    .toList();
            views.putAll(history.read(wanted));
            for (var entry : sizes.entrySet()) {
                JobView view = views.get(entry.getKey());
                if (view == null && !doneEntries.containsKey(entry.getKey())) {
                    continue;
                }
                if (room() == 0 || !page.isEmpty() && bytes + entry.getValue() > PAGE_BYTES) {
                    return false;
                }
                if (view != null) {
                    page.add(view);
                    bytes += entry.getValue();
                }
            }
            return true;
        }

        private int room() {
            return query.limit() - page.size();
        }

        private boolean typeFits(String type) {
            return query.type().isEmpty() || query.type().equals(type);
        }

        private boolean stateFits(JobState state) {
            return query.states().isEmpty() || query.states().contains(state);
        }
    }
}
