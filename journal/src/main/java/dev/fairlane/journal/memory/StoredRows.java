package dev.fairlane.journal.memory;

import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.KeyName;
import dev.fairlane.core.model.KeyProbe;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.StoredKey;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.FarJob;
import dev.fairlane.journal.FarPortion;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.JobPage;
import dev.fairlane.journal.JobQuery;
import dev.fairlane.journal.RecoverySink;
import dev.fairlane.journal.Retention;
import dev.fairlane.journal.StoredJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The projection: rows that outlive the log. A job's home is the segment with its spec; its newest image may lie in a later one. */
final class StoredRows {
    private static final int NO_PAYLOADS = -1;

    private final int segmentRows;
    private final NavigableMap<JobId, OpenJob> open = new TreeMap<>();
    private final NavigableMap<JobId, JobView> done = new TreeMap<>();
    private final DeadRows dead = new DeadRows(done);
    private final SortedMap<Integer, Tenant> tenants = new TreeMap<>();
    private final SortedMap<TenantName, JobType> types = new TreeMap<>(TenantName.ORDER);
    private final SortedMap<TenantName, Gate> gates = new TreeMap<>(TenantName.ORDER);
    private final StoredKeys keys = new StoredKeys();
    private final SortedMap<Integer, Long> rowsBySegment = new TreeMap<>();
    private final Map<Integer, Integer> emptiedInto = new HashMap<>();
    private final StoredGroups groups = new StoredGroups();
    private final StoredSchedules schedules = new StoredSchedules();
    private final StoredUsage usage = new StoredUsage();
    private final StoredAudit audit = new StoredAudit();
    private final StoredFar far = new StoredFar();
    private int current = 1;
    private long highWaterAt;

    private record OpenJob(JobSpec spec, JobStatus status, int home, int image) {}

    private record TenantName(int tenant, String name) {
        static final Comparator<TenantName> ORDER =
                Comparator.comparingInt(TenantName::tenant).thenComparing(TenantName::name);
    }

    /** @param segmentRows rows after which a segment is sealed by the next write */
    StoredRows(int segmentRows) {
        this.segmentRows = segmentRows;
        rowsBySegment.put(current, 0L);
    }

    long highWaterAt() {
        return highWaterAt;
    }

    DeadRows dead() {
        return dead;
    }

    StoredGroups groups() {
        return groups;
    }

    StoredUsage usage() {
        return usage;
    }

    StoredAudit audit() {
        return audit;
    }

    // ---- flush

    void check(Flush flush) {
        Set<JobId> replayed = new HashSet<>();
        for (Flush.Replayed job : flush.replayed()) {
            JobView ended = done.get(job.id());
            expect(ended == null || ended.status().state() == JobState.DEAD, job.id(), "dead, to be replayed");
            expect(!open.containsKey(job.id()) && replayed.add(job.id()), job.id(), "replayed once");
        }
        Set<JobId> added = new HashSet<>();
        for (Flush.Added job : flush.added()) {
            JobId id = job.spec().id();
            boolean known = open.containsKey(id) || done.containsKey(id) && !replayed.contains(id);
            expect(!known && added.add(id), id, "not stored yet");
        }
        for (Flush.Revised job : flush.revised()) {
            OpenJob stored = open.get(job.spec().id());
            expect(
                    stored != null && stored.home() == job.segment(),
                    job.spec().id(),
                    "at home in segment " + job.segment());
        }
        for (Flush.Changed job : flush.changed()) {
            expect(open.containsKey(job.id()), job.id(), "stored as open");
            expect(far.has(job.id()) == job.far(), job.id(), job.far() ? "far" : "near");
        }
        for (Flush.Ended job : flush.ended()) {
            OpenJob stored = open.get(job.id());
            boolean ended = done.containsKey(job.id()) && !replayed.contains(job.id());
            expect(!ended && !added.contains(job.id()), job.id(), "not ended yet");
            int home = stored == null ? Flush.Ended.NOT_STORED : stored.home();
            expect(job.segment() == home, job.id(), "stored in segment " + job.segment() + ", not " + home);
            expect(stored != null || job.spec() != null, job.id(), "stored, or given with its spec");
        }
        audit.check(flush.audit());
    }

    private static void expect(boolean condition, JobId id, String what) {
        if (!condition) {
            throw new IllegalStateException("expected job " + id + " to be " + what);
        }
    }

    /** @return the segment that took the rows */
    int apply(Flush flush) {
        long farRows = flush.added().stream().filter(job -> job.wakeAt() > 0).count()
                + flush.revised().stream().filter(job -> job.wakeAt() > 0).count()
                + flush.changed().stream().filter(Flush.Changed::staysFar).count();
        int segment = segmentFor(
                flush.added().size() + flush.revised().size() + flush.changed().size() - (int) farRows);
        flush.replayed().forEach(job -> done.remove(job.id()));
        for (Flush.Added job : flush.added()) {
            put(job.spec(), job.status(), job.wakeAt(), segment);
            keys.remember(job.spec());
        }
        for (Flush.Revised job : flush.revised()) {
            put(job.spec(), job.status(), job.wakeAt(), segment);
        }
        for (Flush.Changed job : flush.changed()) {
            int image = job.staysFar() ? Flush.FAR : segment;
            if (!job.staysFar()) {
                far.put(job.id(), 0);
            }
            open.computeIfPresent(
                    job.id(),
                    (id, old) -> new OpenJob(old.spec(), job.status(), job.far() ? image : old.home(), image));
        }
        for (Flush.Ended job : flush.ended()) {
            far.put(job.id(), 0);
            OpenJob stored = open.remove(job.id());
            JobSpec spec = job.spec() != null ? job.spec() : stored != null ? stored.spec() : null;
            if (spec != null) {
                done.put(job.id(), new JobView(spec, job.status(), job.result(), job.failure()));
                keys.remember(spec);
            }
        }
        flush.tenants().forEach(tenant -> tenants.put(tenant.id().number(), tenant));
        flush.types().forEach(type -> types.put(new TenantName(type.tenant().number(), type.name()), type));
        for (Gate gate : flush.gates()) {
            gates.remove(gateName(gate));
            if (gate.closed()) {
                gates.put(gateName(gate), gate);
            }
        }
        groups.apply(flush.groups());
        schedules.apply(flush.schedules());
        usage.add(flush.usage());
        audit.add(flush.audit());
        highWaterAt = Math.max(highWaterAt, flush.highWaterAt());
        return segment;
    }

    private void put(JobSpec spec, JobStatus status, long wakeAt, int segment) {
        int home = wakeAt > 0 ? Flush.FAR : segment;
        open.put(spec.id(), new OpenJob(spec, status, home, home));
        far.put(spec.id(), wakeAt);
    }

    private static TenantName gateName(Gate gate) {
        return new TenantName(gate.tenant().number(), gate.kind() + " " + gate.name());
    }

    private int segmentFor(int rows) {
        if (rows > 0 && rowsBySegment.getOrDefault(current, 0L) >= segmentRows) {
            current++;
        }
        rowsBySegment.merge(current, (long) rows, Long::sum);
        return current;
    }

    /** Moves the open jobs at home there and the newest images of jobs at home elsewhere, then empties the segment. */
    int compact(int segment) {
        Integer before = emptiedInto.get(segment);
        if (before != null) {
            return before;
        }
        if (segment >= current || !rowsBySegment.containsKey(segment)) {
            throw new IllegalStateException("expected a sealed segment below " + current + ", but got " + segment);
        }
        List<JobId> live = open.entrySet().stream()
                .filter(entry -> entry.getValue().home() == segment)
                .map(Map.Entry::getKey)
                .toList();
        List<JobId> images = open.entrySet().stream()
                .filter(entry ->
                        entry.getValue().image() == segment && entry.getValue().home() != segment)
                .map(Map.Entry::getKey)
                .toList();
        int into = segmentFor(live.size() + images.size());
        for (JobId id : live) {
            open.computeIfPresent(id, (key, job) -> new OpenJob(job.spec(), job.status(), into, into));
        }
        for (JobId id : images) {
            open.computeIfPresent(id, (key, job) -> new OpenJob(job.spec(), job.status(), job.home(), into));
        }
        rowsBySegment.remove(segment);
        emptiedInto.put(segment, into);
        return into;
    }

    // ---- recovery

    void tell(RecoverySink sink, long now) {
        tenants.values().forEach(sink::tenant);
        types.values().forEach(sink::type);
        gates.values().forEach(sink::gate);
        groups.tell(sink);
        schedules.tell(sink);
        usage.tell(sink, now);
        audit.tell(sink);
        keys.tell(sink, now - sink.recentKeysMicros());
        done.values().stream()
                .filter(StoredRows::deadWithKey)
                .forEach(job -> sink.deadKey(
                        job.spec().tenant(),
                        job.spec().idempotencyKey(),
                        job.status().changedAt()));
        rowsBySegment.forEach((segment, rows) -> sink.segment(segment, rows, segment < current));
        tellFar(sink);
        open.values().stream()
                .filter(job -> job.home() != Flush.FAR)
                .forEach(job -> sink.open(withoutPayload(job.spec()), job.status(), job.home()));
    }

    private void tellFar(RecoverySink sink) {
        Map<TenantId, Long> counts = new LinkedHashMap<>();
        for (FarJob job : findFar(far.ids())) {
            JobSpec spec = job.spec();
            counts.merge(spec.tenant(), 1L, Long::sum);
            if (KeyName.isGiven(spec.idempotencyKey())) {
                sink.farKey(spec.tenant(), spec.idempotencyKey(), spec.id(), spec.bodyHash(), spec.submittedAt());
            }
        }
        counts.forEach(sink::far);
    }

    /** Of these jobs those that are far, told as open. */
    void tellFar(List<JobId> ids, RecoverySink sink) {
        findFar(ids).forEach(job -> sink.open(job.spec(), job.status(), Flush.FAR));
    }

    private static boolean deadWithKey(JobView job) {
        return job.status().state() == JobState.DEAD
                && KeyName.isGiven(job.spec().idempotencyKey());
    }

    private static JobSpec withoutPayload(JobSpec spec) {
        return spec.withPayload(Payload.EMPTY);
    }

    // ---- queries

    FarPortion dueFar(FarPortion.Place after, long until, Set<TenantId> without, int limit, int payloadBytes) {
        List<StoredFar.Wake> due = far.due(after, until, limit, id -> {
            OpenJob job = without.isEmpty() ? null : open.get(id);
            return job != null && without.contains(job.spec().tenant());
        });
        boolean more = !due.isEmpty() && (due.size() > limit || due.getLast().at() > until);
        List<StoredFar.Wake> portion = more ? due.subList(0, due.size() - 1) : due;
        return new FarPortion(
                findFar(portion.stream().map(StoredFar.Wake::id).toList(), payloadBytes),
                more ? due.getLast().at() : Long.MAX_VALUE);
    }

    List<FarJob> findFar(List<JobId> ids) {
        return findFar(ids, NO_PAYLOADS);
    }

    private List<FarJob> findFar(List<JobId> ids, int payloadBytes) {
        List<FarJob> found = new ArrayList<>();
        for (JobId id : ids) {
            OpenJob job = open.get(id);
            if (job != null && far.has(id)) {
                JobSpec spec = job.spec();
                boolean whole = spec.payload().bytes().length <= payloadBytes;
                found.add(new FarJob(whole ? spec : withoutPayload(spec), job.status(), far.wakeAt(id), whole));
            }
        }
        return found;
    }

    List<FarJob> pageFar(@Nullable TenantId scope, @Nullable JobId after, int limit) {
        List<JobId> behind = far.ids().stream()
                .filter(id -> after == null || id.compareTo(after) > 0)
                .toList();
        return findFar(behind).stream()
                .filter(job -> scope == null || scope.equals(job.spec().tenant()))
                .limit(limit)
                .toList();
    }

    Map<JobId, JobSpec> specs(List<StoredJob> jobs) {
        Map<JobId, JobSpec> specs = new LinkedHashMap<>();
        for (StoredJob stored : jobs) {
            OpenJob job = open.get(stored.id());
            if (job != null) {
                specs.put(stored.id(), job.spec());
            }
        }
        return specs;
    }

    Optional<JobView> find(@Nullable TenantId scope, JobId id) {
        OpenJob job = open.get(id);
        JobView view = job != null ? view(job) : done.get(id);
        return Optional.ofNullable(view)
                .filter(found -> scope == null || found.spec().tenant().equals(scope));
    }

    List<Optional<StoredKey>> findKeys(List<KeyProbe> probes) {
        return probes.stream().map(this::findKey).toList();
    }

    private Optional<StoredKey> findKey(KeyProbe probe) {
        Optional<StoredKey> dead = done.values().stream()
                .filter(job -> probe.dead()
                        && deadWithKey(job)
                        && job.spec().tenant().equals(probe.tenant())
                        && job.spec().idempotencyKey().equals(probe.key()))
                .map(job -> new StoredKey(
                        job.spec().id(), job.spec().bodyHash(), job.spec().submittedAt(), JobState.DEAD))
                .max(Comparator.comparingLong(StoredKey::submittedAt));
        Optional<StoredKey> key = keys.find(probe).map(this::withEnd);
        boolean older = dead.isPresent()
                && key.isPresent()
                && dead.get().submittedAt() < key.get().submittedAt();
        return dead.isEmpty() || older ? key : dead;
    }

    private StoredKey withEnd(StoredKey key) {
        JobView ended = done.get(key.id());
        return ended == null || ended.status().state() == JobState.DEAD
                ? key
                : new StoredKey(
                        key.id(),
                        key.bodyHash(),
                        key.submittedAt(),
                        ended.status().state());
    }

    JobPage list(JobQuery query) {
        NavigableMap<JobId, JobView> all = new TreeMap<>();
        collect(query, all, open, StoredRows::view);
        collect(query, all, done, view -> view);
        List<JobView> page = new ArrayList<>();
        for (JobView view : all.descendingMap().values()) {
            if (page.size() == query.limit()) {
                return new JobPage(page, page.getLast().spec().id());
            }
            page.add(view);
        }
        return new JobPage(page, null);
    }

    private static <R> void collect(
            JobQuery query, Map<JobId, JobView> into, NavigableMap<JobId, R> rows, Function<R, JobView> view) {
        JobId before = query.before();
        int found = 0;
        for (R row : (before == null ? rows : rows.headMap(before, false))
                .descendingMap()
                .values()) {
            JobView job = view.apply(row);
            if (matches(query, job)) {
                into.put(job.spec().id(), job);
                if (++found > query.limit()) {
                    return;
                }
            }
        }
    }

    private static boolean matches(JobQuery query, JobView job) {
        return (query.scope() == null || query.scope().equals(job.spec().tenant()))
                && (query.states().isEmpty()
                        || query.states().contains(job.status().state()))
                && (query.type().isEmpty() || query.type().equals(job.spec().type()));
    }

    private static JobView view(OpenJob job) {
        return new JobView(job.spec(), job.status(), null, null);
    }

    // ---- upkeep

    void drop(Retention retention, long now) {
        done.values()
                .removeIf(job -> job.status().changedAt()
                        < now - micros(job.status().state() == JobState.DEAD ? retention.dead() : retention.done()));
        dead.bound(retention.deadPerTenant());
        groups.drop(now - micros(retention.done()));
        if (retention.historyBytes() > 0) {
            dropOver(retention.historyBytes());
        }
        keys.drop(now - micros(retention.keys()));
        usage.drop(now - micros(retention.usage()));
        audit.drop(now - micros(retention.audit()));
    }

    private void dropOver(long bytes) {
        long kept = 0;
        for (var entry : List.copyOf(done.descendingMap().entrySet())) {
            JobView job = entry.getValue();
            kept += job.spec().payload().bytes().length
                    + (job.result() == null ? 0 : job.result().bytes().length);
            if (kept > bytes) {
                done.remove(entry.getKey());
            }
        }
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }
}
