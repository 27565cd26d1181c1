package dev.fairlane.runtime;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.shard.Engine;
import dev.fairlane.journal.FarJob;
import dev.fairlane.journal.FarPortion;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.Journal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs that are due beyond the horizon: left to the store once their row is there, loaded ahead in portions before they are due, and let in for
 * a moment when somebody wants something of one. Owned by the loop; the store is read beside it.
 *
 * <p><em>The invariant:</em> an open job is in memory, or it has a row among the far ones that is its newest image and that is behind the
 * last one loaded. So none is forgotten at the horizon, and none is there twice.
 *
 * <ul>
 *   <li>A job leaves only after its flush, if memory still has what was flushed, and if its row is beyond what was loaded: a flush may take
 *       long, and the horizon moves on meanwhile. Not beyond what was to be loaded: of a crowd only so many are, and the others may be
 *       changed, all of them, and leave again. While a load is under way that may pass over its row, it waits.
 *   <li>A row is let in only if nothing is known of its job. Its home is known from the moment it comes until its end is flushed, however
 *       far that end is; a flush under way knows its jobs; and a look that was under way while a flush changed far rows does not count
 *       for those.
 *   <li>A start knows nothing: it loads from the first row on.
 * </ul>
 */
final class FarJobs {
    private static final Logger log = LoggerFactory.getLogger(FarJobs.class);

    /** Let in at once: well below what a turn takes. */
    private static final int PORTION = 500;

    /** Payloads of up to so much come with what is loaded ahead: fetching one by one for the leases costs more than all the rest. */
    private static final int PAYLOAD_BYTES = 4_096;

    private static final int LOOKED_FOR_AT_ONCE = 1_000;

    private static final int LEAVE_PER_TURN = 2_000;

    /**
     * Loaded and not yet due or not yet stored as queued or ended: half a second's worth of promotions, which is longer than from one flush's
     * begin to the next one's end. A crowd waits in the store, not here, where every collection would copy it.
     */
    private static final int AHEAD_PER_SECOND = 2;

    /** Past a crowd is looked so far ahead: longer than from one look to the next. */
    private static final long PAST_MICROS = 3_000_000;

    /** Between two loads that each found less than a portion, at least. */
    private static final long MOST_GAP_MICROS = 1_000_000;

    /** What a planted bug leaves out. */
    private static final long FORGOTTEN_MICROS = 1_000_000;

    private final Journal journal;
    private final Engine engine;
    private final Projection projection;
    private final Inbox inbox;
    private final long horizonMicros;
    private final long retryMicros;
    private final long maxResidentBytes;
    private final int maxAhead;
    private final long paceMicros;
    private final boolean careless;
    private final boolean forgetful;

    private final FarDepartures departures = new FarDepartures();

    private final Map<JobId, List<Visit>> wanted = new LinkedHashMap<>();
    private final FarRoom room = new FarRoom();

    private @Nullable Trip load;
    private @Nullable Trip look;
    private final FarCrowd crowd;
    private FarPortion.Place loaded = FarPortion.Place.BEGIN;
    /** Greatest time that any load looked up to. */
    private long loadedUntil = Long.MIN_VALUE;
    /** When the first job that is not loaded wakes up, as far as is known. */
    private long firstLeftAt = Long.MIN_VALUE;

    private long notBefore = Long.MIN_VALUE;
    private boolean over;

    /** A look at the store, and far rows that flushes wrote or removed while it was under way. */
    private static final class Trip {
        final Set<JobId> touched = new HashSet<>();
        /** For a load: it asks for rows that wake up by then. */
        final long until;
        /** When the first of those wakes up that left meanwhile. */
        long leftAt = Long.MAX_VALUE;

        Trip(long until) {
            this.until = until;
        }
    }

    /** One who wants something of jobs that may be far. Called on the loop. */
    private static final class Visit {
        final @Nullable TenantId caller;
        final List<JobId> ids;
        final Set<JobId> missing;
        final Runnable here;
        final CompletableFuture<?> reply;

        Visit(
                @Nullable TenantId caller,
                List<JobId> ids,
                Set<JobId> missing,
                Runnable here,
                CompletableFuture<?> reply) {
            this.caller = caller;
            this.ids = ids;
            this.missing = missing;
            this.here = here;
            this.reply = reply;
        }
    }

    FarJobs(Journal journal, Engine engine, Projection projection, Inbox inbox, NodeConfig config) {
        this.journal = journal;
        this.engine = engine;
        this.projection = projection;
        this.inbox = inbox;
        this.horizonMicros = config.memory().horizonMicros();
        this.retryMicros = config.patience().retryMicros();
        this.maxResidentBytes = config.memory().maxResidentBytes();
        int perSecond = config.engine().room().promotionsPerSecond();
        this.maxAhead = Math.max(perSecond / AHEAD_PER_SECOND, PORTION);
        this.crowd = new FarCrowd(maxAhead);
        // Twice as fast as they are promoted, so that what a slow look at the store takes away comes back.
        this.paceMicros = Math.max(1_000, PORTION * 500_000L / perSecond);
        this.careless = config.sabotage().contains(Sabotage.LET_FAR_JOBS_IN_TWICE);
        this.forgetful = config.sabotage().contains(Sabotage.FORGET_FAR_JOBS);
    }

    /** Jobs that wake up after this are stored as far ones by a flush that is cut now. */
    long farFrom(long now) {
        return horizonMicros == NodeConfig.Memory.NO_HORIZON ? Long.MAX_VALUE : now + horizonMicros;
    }

    /** A flush is durable: what it stored as far may leave. */
    void flushed(Flush flush) {
        departures.flushed(flush);
        if (load == null && look == null) {
            return;
        }
        flush.added().stream()
                .filter(added -> added.wakeAt() > 0)
                .forEach(added -> touch(added.spec().id()));
        flush.revised().stream()
                .filter(revised -> revised.wakeAt() > 0 || revised.segment() == Flush.FAR)
                .forEach(revised -> touch(revised.spec().id()));
        flush.changed().stream().filter(Flush.Changed::far).forEach(changed -> touch(changed.id()));
        flush.ended().stream().filter(ended -> ended.segment() == Flush.FAR).forEach(ended -> touch(ended.id()));
    }

    private void touch(JobId id) {
        if (load != null) {
            load.touched.add(id);
        }
        if (look != null) {
            look.touched.add(id);
        }
    }

    /** Lets it go, now or, if it is no longer as it was stored, when the store has what it became. */
    private void leave(FarJob job, long now) {
        if (load != null && job.wakeAt() <= load.until) {
            departures.hold(job);
            return;
        }
        if (!job.isBehind(loaded) || !crowd.has(job.spec().tenant()) && !job.isBehind(crowd.past())) {
            return;
        }
        if (engine.depart(job.spec(), job.status(), now)) {
            projection.stored().remove(job.spec().id().lo());
            firstLeftAt = Math.min(firstLeftAt, job.wakeAt());
            if (load != null) {
                load.leftAt = Math.min(load.leftAt, job.wakeAt());
            }
        } else if (engine.has(job.spec().id())) {
            departures.later(job);
        }
    }

    /** False when something is known of the job, so that the row says nothing new. */
    private boolean letIn(Trip trip, FarJob job) {
        JobId id = job.spec().id();
        if (engine.has(id)) {
            return false;
        }
        boolean known = projection.stored().segmentOf(id.lo()) != StoredJobs.NONE
                || projection.flushes(id)
                || trip.touched.contains(id);
        if (known && !careless) {
            return false;
        }
        engine.arrive(job.spec(), job.status(), job.whole());
        projection.stored().put(id, Flush.FAR);
        return true;
    }

    /** One that cannot be let in stays in the store; those behind it are not held up by it. */
    private void letIn(Trip trip, List<FarJob> jobs) {
        for (FarJob job : jobs) {
            try {
                letIn(trip, job);
            } catch (RuntimeException e) {
                log.error(
                        "far job {} could not be let in; it is tried again after a restart",
                        job.spec().id(),
                        e);
            }
        }
    }

    // ---- loading ahead

    /** Called every turn. */
    void poll(long now) {
        if (over) {
            return;
        }
        FarJob leaving = departures.next();
        for (int i = 1; leaving != null; i++) {
            leave(leaving, now);
            leaving = i < LEAVE_PER_TURN ? departures.next() : null;
        }
        if (look == null && !wanted.isEmpty()) {
            look(now);
        }
        if (load == null && mayLoad() && loadAt() <= now) {
            load(now);
        } else if (load == null && heldUp() && crowd.lookAt() <= now) {
            loadPast(now);
        }
    }

    /** When {@link #poll} has something to do by time alone. */
    long nextAt() {
        if (!departures.none()) {
            return 0;
        }
        if (over || load != null) {
            return Long.MAX_VALUE;
        }
        if (heldUp()) {
            return Math.max(0, crowd.lookAt());
        }
        return mayLoad() ? Math.max(0, loadAt()) : Long.MAX_VALUE;
    }

    boolean busy() {
        return load != null || look != null || !departures.none();
    }

    /** For how long the first job that is not loaded has been due. */
    private long behindMicros(long now) {
        return engine.farJobs() == 0 || firstLeftAt == Long.MIN_VALUE ? 0 : Math.max(0, now - firstLeftAt);
    }

    NodeStatus.DueStatus status(long now) {
        return new NodeStatus.DueStatus(
                Math.max(engine.oldestDueMicros(now), behindMicros(now)),
                engine.farJobs(),
                projection.stored().far());
    }

    private boolean mayLoad() {
        return engine.farJobs() > 0 && projection.stored().far() < maxAhead;
    }

    /** Enough is loaded, and there may be more that is due; so far as others than those of a crowd have it, there is room for it. */
    private boolean heldUp() {
        int ahead = projection.stored().far();
        return engine.farJobs() > 0 && ahead >= maxAhead && ahead - maxAhead < maxAhead;
    }

    private long loadAt() {
        long from = firstLeftAt == Long.MIN_VALUE || horizonMicros == NodeConfig.Memory.NO_HORIZON
                ? firstLeftAt
                : firstLeftAt - horizonMicros;
        return Math.max(from, notBefore);
    }

    private void load(long now) {
        long until = horizonMicros == NodeConfig.Memory.NO_HORIZON ? Long.MAX_VALUE : now + horizonMicros;
        loadedUntil = Math.max(loadedUntil, until);
        long again = now + Math.max(retryMicros, paceMicros);
        load(
                loaded,
                until,
                Set.of(),
                (trip, portion) -> loaded(trip, portion, until, now),
                () -> notBefore = Math.max(notBefore, again));
    }

    /** Those of others that are due soon, behind a crowd. What was loaded by time, and how far, stays as it is. */
    private void loadPast(long now) {
        long until = Math.min(loadedUntil, now + PAST_MICROS);
        load(
                crowd.past(),
                until,
                crowd.tenants(),
                (trip, portion) -> {
                    boolean whole = portion.jobs().size() < PORTION;
                    crowd.passed(portion.jobs(), whole, until, now + (whole ? MOST_GAP_MICROS : paceMicros));
                    letIn(trip, portion.jobs());
                    firstLeftAt = Math.min(firstLeftAt, trip.leftAt);
                },
                () -> crowd.failed(now + Math.max(retryMicros, paceMicros)));
    }

    private void load(
            FarPortion.Place after,
            long until,
            Set<TenantId> without,
            BiConsumer<Trip, FarPortion> found,
            Runnable failed) {
        Trip trip = new Trip(until);
        load = trip;
        journal.dueFar(after, until, without, PORTION, roomForPayloads() ? PAYLOAD_BYTES : 0)
                .whenComplete((portion, fault) -> inbox.signal(() -> {
                    load = null;
                    if (over) {
                        return;
                    }
                    if (portion == null) {
                        log.warn("far jobs could not be loaded and are asked for again: {}", String.valueOf(fault));
                        failed.run();
                    } else {
                        found.accept(trip, portion);
                    }
                    departures.release();
                }));
    }

    private boolean roomForPayloads() {
        return projection.storedBytes(engine) <= maxResidentBytes;
    }

    private void loaded(Trip trip, FarPortion portion, long until, long now) {
        List<FarJob> jobs = portion.jobs();
        boolean whole = jobs.size() < PORTION;
        if (whole) {
            loaded = new FarPortion.Place(forgetful ? until + FORGOTTEN_MICROS : until, null);
            crowd.dissolved();
        } else {
            FarJob last = jobs.getLast();
            loaded = new FarPortion.Place(last.wakeAt(), last.spec().id());
            crowd.loaded(jobs, loaded);
        }
        firstLeftAt = Math.min(portion.nextAt(), trip.leftAt);
        notBefore = now + (whole ? Math.min(MOST_GAP_MICROS, horizonMicros / 10) : paceMicros);
        letIn(trip, jobs);
    }

    // ---- visits

    /**
     * Runs a call's action when its job is in memory, if it is open; at once if it has not to be loaded. A far one leaves again right
     * behind it or, if it was changed and is still far, when that is stored.
     *
     * @param caller whose call it is; null for those of the whole node
     * @param reply fails when the store cannot be read, or has so much to find already; the action is then not run
     */
    void visit(@Nullable TenantId caller, JobId id, CompletableFuture<?> reply, Runnable action) {
        NodeFault refusal = isMissing(id) ? room.refusal(caller) : null;
        if (refusal != null) {
            reply.completeExceptionally(refusal);
        } else {
            visit(caller, List.of(id), reply, action);
        }
    }

    /** The same for many jobs at once. Always taken: an operation asks for its next ones when it has these. */
    void visit(@Nullable TenantId caller, Collection<JobId> ids, CompletableFuture<?> reply, Runnable action) {
        Set<JobId> missing = new LinkedHashSet<>();
        ids.stream().filter(this::isMissing).forEach(missing::add);
        if (missing.isEmpty()) {
            action.run();
            return;
        }
        Visit visit = new Visit(caller, List.copyOf(ids), missing, action, reply);
        room.enter(caller, missing.size());
        missing.forEach(
                id -> wanted.computeIfAbsent(id, key -> new ArrayList<>(1)).add(visit));
    }

    private boolean isMissing(JobId id) {
        return engine.farJobs() > 0 && !engine.has(id);
    }

    private void look(long now) {
        Trip trip = new Trip(Long.MIN_VALUE);
        look = trip;
        // Whole visits, so that all their jobs are here at once.
        Set<Visit> visits = new LinkedHashSet<>();
        Set<JobId> ids = new LinkedHashSet<>();
        for (List<Visit> askers : wanted.values()) {
            for (Visit visit : askers) {
                if (ids.size() < LOOKED_FOR_AT_ONCE && visits.add(visit)) {
                    ids.addAll(visit.missing);
                }
            }
        }
        visits.forEach(this::unlist);
        journal.findFar(List.copyOf(ids))
                .whenComplete((found, fault) -> inbox.signal(() -> {
                    look = null;
                    for (Visit visit : visits) {
                        room.leave(visit.caller, visit.missing.size());
                        if (over || found == null) {
                            fail(visit, fault);
                        } else {
                            receive(trip, visit, found, now);
                        }
                    }
                }));
    }

    private void unlist(Visit visit) {
        for (JobId id : visit.missing) {
            List<Visit> askers = wanted.get(id);
            if (askers != null) {
                askers.remove(visit);
                if (askers.isEmpty()) {
                    wanted.remove(id);
                }
            }
        }
    }

    private void receive(Trip trip, Visit visit, List<FarJob> found, long now) {
        boolean changed = visit.ids.stream()
                .anyMatch(id -> !engine.has(id) && (trip.touched.contains(id) || !visit.missing.contains(id)));
        if (changed) {
            // some left, were stored anew or ended while we looked for the others
            visit(visit.caller, visit.ids, visit.reply, visit.here);
            return;
        }
        List<FarJob> guests = new ArrayList<>();
        try {
            for (FarJob job : found) {
                if (visit.missing.contains(job.spec().id()) && letIn(trip, job)) {
                    guests.add(job);
                }
            }
            visit.here.run();
        } catch (RuntimeException e) {
            log.error("a call failed", e);
            visit.reply.completeExceptionally(new NodeFault(NodeFault.Kind.INTERNAL, "unexpected: " + e, e));
        } finally {
            guests.forEach(job -> leave(job, now));
        }
    }

    /** Nobody will hear any more. */
    void end() {
        over = true;
        departures.clear();
        Set<Visit> left = new LinkedHashSet<>();
        wanted.values().forEach(left::addAll);
        wanted.clear();
        left.forEach(visit -> fail(visit, null));
    }

    private void fail(Visit visit, @Nullable Throwable fault) {
        visit.reply.completeExceptionally(
                over
                        ? new NodeFault(NodeFault.Kind.NOT_SERVING, "the node no longer serves; nothing was done")
                        : new NodeFault(
                                NodeFault.Kind.STORE_UNAVAILABLE,
                                "the store could not be read; nothing was done",
                                fault == null ? new IllegalStateException("no answer") : fault));
    }
}
