package dev.fairlane.runtime;

import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.UsageAccount;
import dev.fairlane.core.shard.Bookings;
import dev.fairlane.core.shard.Engine;
import dev.fairlane.journal.Flush;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Folds committed facts into what the next flush has to write. A job that came and went between two flushes costs one row of
 * history and nothing else. Pure bookkeeping, owned by the loop; {@link Flusher} moves it to the store.
 *
 * <p>Jobs that ended stay visible here until their flush is done, so that a reader finds a job in memory, here, or in the store,
 * and never in none of them.
 */
final class Projection {
    private final StoredJobs stored = new StoredJobs();
    private final UsageWindow usage = new UsageWindow();
    private Window gathering = new Window(new Touched());
    private @Nullable Window flushing;
    /** Of the window flushed last, for the next one. */
    private Touched spare = new Touched();

    private final LeftOut leftOut = new LeftOut();

    private long observed;
    /** The same when the last flush was cut, and from where on that one needs the journal. */
    private long cutUpTo;

    private long keptFrom;

    LeftOut leftOut() {
        return leftOut;
    }

    StoredJobs stored() {
        return stored;
    }

    /** Facts of a committed batch, in the order of batches. */
    void observe(long sequence, List<Fact> facts) {
        observed = sequence;
        for (Fact fact : facts) {
            observe(fact);
        }
    }

    /** A fact found behind the flush position when the log was opened. */
    void observe(Fact fact) {
        gathering.changes++;
        switch (fact) {
            case Fact.JobAdded added -> {
                gathering.put(new Change(added.id(), added.spec(), added.status(), true));
                gathering.groups.joined(added.spec());
            }
            case Fact.JobRevised revised -> {
                Change change = touch(revised.id());
                if (change == null) {
                    gathering.put(new Change(revised.id(), revised.spec(), revised.status(), false));
                } else {
                    change.spec = revised.spec();
                    change.status = revised.status();
                }
            }
            case Fact.JobReplayed replayed -> {
                // Its first life is in rows: see LocalDeadLetters.
                Change change = new Change(replayed.id(), replayed.spec(), replayed.status(), true);
                if (gathering.find(replayed.id().lo()) != null) {
                    throw new IllegalStateException(
                            "expected the end of job " + replayed.id() + " to be flushed before its replay");
                }
                change.asAdded = false;
                gathering.put(change);
                gathering.replayed.add(new Flush.Replayed(replayed.spec().tenant(), replayed.id()));
            }
            case Fact.JobChanged changed -> {
                Change change = touch(changed.id());
                if (change == null) {
                    gathering.put(new Change(changed.id(), null, changed.status(), false));
                } else {
                    change.status = changed.status();
                }
            }
            case Fact.JobEnded ended -> {
                Change change = touch(ended.id());
                if (change == null) {
                    change = new Change(ended.id(), ended.spec(), ended.status(), false);
                    gathering.put(change);
                }
                change.end(ended);
            }
            case Fact.GateSet set -> gathering.gates.add(set.gate());
            case Fact.GroupAdded added -> gathering.groups.added(added.group());
            case Fact.GroupChanged changed -> gathering.groups.changed(changed.id(), changed.progress());
            case Fact.ScheduleSet set -> gathering.schedules.set(set.schedule());
            case Fact.ScheduleMoved moved -> gathering.schedules.moved(moved.id(), moved.progress());
            case Fact.ScheduleGone gone -> gathering.schedules.gone(gone.id());
            case Fact.TenantSet set -> gathering.tenants.add(set.tenant());
            case Fact.TypeSet set -> gathering.types.add(set.type());
            case Fact.Audited audited -> gathering.audit.add(audited.entry());
        }
    }

    /** The job, if the next flush has to store it or say of it that it ended: it is in no row yet. Or else null. */
    private @Nullable Change touch(JobId id) {
        Change change = gathering.find(id.lo());
        if (change == null) {
            JobSpec spec = leftOut.take(id.lo());
            if (spec == null) {
                return null;
            }
            change = new Change(id, spec, LeftOut.status(spec), true);
            gathering.put(change);
        }
        change.asAdded = false;
        return change;
    }

    /** A job that the flushes of an earlier start left out: the next one stores it. */
    void observeLeftOut(JobSpec spec, JobStatus status) {
        gathering.changes++;
        Change change = new Change(spec.id(), spec, status, true);
        change.asAdded = false;
        gathering.put(change);
    }

    /** Use that the facts observed last came to. */
    void book(Bookings bookings, IntFunction<UsageAccount> names) {
        usage.add(bookings, names);
    }

    int changes() {
        return gathering.changes;
    }

    /** Whether everything that was observed is in a flush and nobody is left out. */
    boolean idle() {
        return gathering.changes == 0 && leftOut.size() == 0;
    }

    /** What the specs weigh that need not be in memory, since they are stored. */
    long storedBytes(Engine engine) {
        return engine.residentBytes() - leftOut.bytes();
    }

    /** Sequence of the last batch seen. */
    long observed() {
        return observed;
    }

    /** A job that ended and whose row is not yet known to be in the store. */
    @Nullable Change ended(JobId id) {
        Change change = gathering.find(id.lo());
        if (change == null && flushing != null) {
            change = flushing.find(id.lo());
        }
        return change != null && change.ended ? change : null;
    }

    /** Takes everything observed so far; it stays visible until {@link #flushed}. */
    Flush cut(long highWaterAt, IntFunction<UsageAccount> names) {
        return cut(highWaterAt, Long.MAX_VALUE, LeftOut.NOBODY, names);
    }

    /**
     * @param farFrom jobs that sleep beyond this time are stored to be left out of memory
     * @param bounds who may be left out of the flush
     */
    Flush cut(long highWaterAt, long farFrom, LeftOut.Bounds bounds, IntFunction<UsageAccount> names) {
        Window window = gathering;
        flushing = window;
        gathering = new Window(spare);
        spare = new Touched();
        List<Flush.Added> added = new ArrayList<>();
        leftOut.leave(bounds, spec -> added.add(new Flush.Added(spec, LeftOut.status(spec))));
        leftOut.begin(cutUpTo + 1, bounds);
        List<Flush.Revised> revised = new ArrayList<>();
        List<Flush.Changed> changed = new ArrayList<>();
        List<Flush.Ended> ended = new ArrayList<>(window.touched.inOrder.size());
        for (Change change : window.touched.inOrder) {
            if (change.ended) {
                int segment = change.fresh ? Flush.Ended.NOT_STORED : stored.segmentOf(change.id.lo());
                ended.add(
                        new Flush.Ended(change.id, change.spec, change.status, change.result, change.failure, segment));
            } else if (change.fresh && change.spec != null) {
                if (!change.asAdded || !leftOut.take(change.spec, change.status)) {
                    added.add(new Flush.Added(change.spec, change.status, wakeAt(change.spec, change.status, farFrom)));
                }
            } else if (change.spec != null) {
                revised.add(new Flush.Revised(
                        change.spec,
                        change.status,
                        stored.segmentOf(change.id.lo()),
                        wakeAt(change.spec, change.status, farFrom)));
            } else {
                boolean far = stored.far() > 0 && stored.segmentOf(change.id.lo()) == Flush.FAR;
                changed.add(new Flush.Changed(change.id, change.status, far));
            }
        }
        long keptFrom = leftOut.keptFrom(observed + 1);
        if (observed == cutUpTo && keptFrom == this.keptFrom && !added.isEmpty()) {
            throw new IllegalStateException("the store would take a flush up to " + observed + " for the one before");
        }
        cutUpTo = observed;
        this.keptFrom = keptFrom;
        return new Flush(
                observed,
                keptFrom,
                added,
                revised,
                changed,
                ended,
                window.replayed,
                window.tenants,
                window.types,
                window.gates,
                window.groups.rows(),
                window.schedules.rows(),
                usage.cut(names),
                window.audit,
                highWaterAt);
    }

    private static long wakeAt(JobSpec spec, JobStatus status, long farFrom) {
        long wakeAt = status.state() == JobState.SCHEDULED ? Engine.wakeAt(spec, status) : 0;
        return wakeAt > farFrom ? wakeAt : 0;
    }

    /** Whether the flush under way says something about the job. */
    boolean flushes(JobId id) {
        return flushing != null && flushing.find(id.lo()) != null;
    }

    /** The flush that was cut is durable, its open rows in {@code segment}. */
    void flushed(Flush flush, int segment) {
        if (flushing != null) {
            spare = flushing.touched.emptied();
            flushing = null;
        }
        int farRows = 0;
        for (Flush.Added added : flush.added()) {
            stored.put(added.spec().id(), added.wakeAt() > 0 ? Flush.FAR : segment);
            farRows += added.wakeAt() > 0 ? 1 : 0;
        }
        for (Flush.Revised revised : flush.revised()) {
            stored.put(revised.spec().id(), revised.wakeAt() > 0 ? Flush.FAR : segment);
            farRows += revised.wakeAt() > 0 ? 1 : 0;
        }
        for (Flush.Changed changed : flush.changed()) {
            if (changed.staysFar()) {
                farRows++;
            } else if (changed.far()) {
                stored.put(changed.id(), segment);
            }
        }
        for (Flush.Ended ended : flush.ended()) {
            if (ended.segment() != Flush.Ended.NOT_STORED) {
                stored.remove(ended.id().lo());
            }
        }
        int rows =
                flush.added().size() + flush.revised().size() + flush.changed().size() - farRows;
        if (rows > 0) {
            stored.rowsAppended(segment, rows);
        }
    }

    /** A job touched since the last flush. */
    static final class Change {
        final JobId id;
        final boolean fresh;
        JobStatus status;
        boolean ended;
        /** Nothing was said of it but that it was added, by this start. */
        boolean asAdded;

        @Nullable JobSpec spec;

        @Nullable Payload result;

        @Nullable Failure failure;

        Change(JobId id, @Nullable JobSpec spec, JobStatus status, boolean fresh) {
            this.id = id;
            this.spec = spec;
            this.status = status;
            this.fresh = fresh;
            this.asAdded = fresh;
        }

        private void end(Fact.JobEnded fact) {
            // The row that has it may still be on its way to the store.
            spec = spec == null ? fact.spec() : spec;
            status = fact.status();
            result = fact.result();
            failure = fact.failure();
            ended = true;
        }
    }

    /**
     * The jobs of a window. Kept from one window to the next: under load their tables have megabytes, and making them anew by doubling every
     * second would be the collector's largest objects.
     */
    private static final class Touched {
        /** A table that was filled less than this part is left to the collector. */
        private static final int SPARSE = 16;

        /** One that was filled more is, too. A flush is cut before ({@code flush.max_changes}), unless the store cannot follow a flood. */
        private static final int CROWDED = 1 << 18;

        final LongMap<Change> jobs = new LongMap<>();

        /** As they were first touched, which for most new jobs is the order of their ids. */
        final List<Change> inOrder = new ArrayList<>();

        Touched emptied() {
            if (jobs.size() < jobs.capacity() / SPARSE || jobs.size() > CROWDED) {
                return new Touched();
            }
            jobs.clear();
            inOrder.clear();
            return this;
        }
    }

    private static final class Window {
        final Touched touched;
        final List<Flush.Replayed> replayed = new ArrayList<>();
        final List<Tenant> tenants = new ArrayList<>();
        final List<JobType> types = new ArrayList<>();
        final List<Gate> gates = new ArrayList<>();
        final List<AuditEntry> audit = new ArrayList<>();
        final MovedGroups groups = new MovedGroups();
        final MovedSchedules schedules = new MovedSchedules();
        int changes;

        Window(Touched touched) {
            this.touched = touched;
        }

        @Nullable Change find(long lo) {
            return touched.jobs.get(lo);
        }

        void put(Change change) {
            touched.jobs.put(change.id.lo(), change);
            touched.inOrder.add(change);
        }
    }
}
