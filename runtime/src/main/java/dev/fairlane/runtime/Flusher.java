package dev.fairlane.runtime;

import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.shard.Engine;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.FlushReceipt;
import dev.fairlane.journal.Journal;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.LogId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the projection to the store: decides when, one operation under way at a time, repeats it until it is done. Owned by the
 * loop.
 */
final class Flusher {
    private static final Logger log = LoggerFactory.getLogger(Flusher.class);
    /** Before the first flush, when facts of earlier starts wait for it. */
    static final long NOTHING = -1;

    /** What earlier starts left behind is in rows. */
    static final long RECOVERED = 0;

    private static final int MIN_ROWS_TO_COMPACT = 20_000;
    private static final long MAX_RETRY_MICROS = 1_000_000;

    /** Well below the owner's lease: an idle node proves its tenure by it. */
    private static final long MAINTAIN_EVERY_MICROS = 1_000_000;

    /** So long after waiting jobs were read in rows, those that come are stored at once. */
    private static final long READ_MICROS = 10_000_000;

    /** A flood that pauses for less is not over. */
    private static final long LULL_MICROS = 500_000;

    /** When it is, those that were left out are stored in flushes that begin so long after each other, or as soon as the one before is done. */
    private static final long LEAVE_MICROS = 50_000;

    private static final long LONG_AGO = Long.MIN_VALUE / 2;

    /** So long flushes go before upkeep. */
    private static final long UPKEEP_WAITS_MICROS = 1_000_000;

    private final Journal journal;
    private final LogId logId;
    private final Projection projection;
    private final Engine engine;
    private final FarJobs far;
    private final Inbox inbox;
    private final LoopTimers timers;
    private final NodeClock clock;
    private final NodeConfig config;
    private final Consumer<JournalFault> fenced;
    private final LongConsumer proven;
    private final LongSupplier pendingSince;
    private final List<Waiter> waiters = new ArrayList<>();

    private boolean busy;
    private boolean over;
    private long lastFlushAt;
    private long lastMaintainAt;
    private long lastUpkeepAt;
    private long flushed = NOTHING;
    /** The same with all waiting jobs. */
    private long allStored = NOTHING;

    private long readAt = LONG_AGO;
    /** When a flush was cut that had much to say. */
    private long floodedAt = LONG_AGO;

    private long stored;
    private long storedWithFlush;
    private int segment = StoredJobs.NONE;
    private long retryMicros;

    long flushes;
    long flushedRows;
    long flushMicros;

    Flusher(
            Journal journal,
            LogId logId,
            Projection projection,
            Engine engine,
            FarJobs far,
            Inbox inbox,
            LoopTimers timers,
            NodeClock clock,
            NodeConfig config,
            Consumer<JournalFault> fenced,
            LongConsumer proven,
            LongSupplier pendingSince) {
        this.journal = journal;
        this.logId = logId;
        this.projection = projection;
        this.engine = engine;
        this.far = far;
        this.inbox = inbox;
        this.timers = timers;
        this.clock = clock;
        this.config = config;
        this.fenced = fenced;
        this.proven = proven;
        this.pendingSince = pendingSince;
        this.retryMicros = config.patience().retryMicros();
        if (projection.changes() == 0) {
            flushed = RECOVERED;
            allStored = RECOVERED;
        }
    }

    /** Batches up to here are in rows. */
    long flushed() {
        return Math.max(RECOVERED, flushed);
    }

    /** Everything that happened up to this time is in rows, and nobody who was added then is left out. */
    long stored() {
        return stored;
    }

    /**
     * Runs the action once everything up to this committed or coming batch, or {@link #RECOVERED}, is in rows, but for waiting jobs that may still be left
     * out.
     */
    void whenFlushed(long sequence, Runnable action) {
        whenFlushed(sequence, action, () -> {});
    }

    /** @param lost run instead when the node is over before */
    void whenFlushed(long sequence, Runnable action, Runnable lost) {
        if (sequence <= flushed) {
            action.run();
        } else {
            waiters.add(new Waiter(sequence, false, action, lost));
        }
    }

    /** Runs the action once everything up to there is in rows, all waiting jobs included. */
    void whenAllStored(long sequence, Runnable action) {
        if (sequence <= allStored) {
            action.run();
        } else {
            waiters.add(new Waiter(sequence, true, action, () -> {}));
        }
    }

    /** Somebody reads the rows of waiting jobs: for some time they show all there are. */
    void waitingJobsAreRead(long now) {
        readAt = now;
    }

    /** Called every turn. */
    void poll(long now) {
        if (busy || over) {
            return;
        }
        if (projection.changes() == 0) {
            stored = storedUntil(now);
        }
        // Flushes that take longer than the time between them follow each other at once: upkeep that is late goes
        // first.
        boolean upkeepIsLate = now - lastUpkeepAt >= UPKEEP_WAITS_MICROS;
        if (flushIsDue(now) && !(upkeepIsLate && upkeep(now))) {
            flush(now);
        } else if (!busy) {
            upkeep(now);
        }
    }

    private boolean flushIsDue(long now) {
        int changes = projection.changes();
        if (projection.idle()) {
            return false;
        }
        boolean awaited = !waiters.isEmpty() && projection.observed() > flushed;
        return awaited || allAreAwaited() || changes >= config.flushes().maxChanges() || now >= dueAt(changes);
    }

    /** When a flush is due that nobody waits for. */
    private long dueAt(int changes) {
        long at = lastFlushAt + interval(changes);
        if (projection.leftOut().size() == 0) {
            return at;
        }
        long leaveAt = lastFlushAt + LEAVE_MICROS;
        if (areRead(leaveAt)) {
            return Math.min(at, leaveAt);
        }
        if (changes >= config.flushes().quietChanges()) {
            return at;
        }
        leaveAt = Math.max(leaveAt, floodedAt + LULL_MICROS);
        return changes > 0 ? Math.min(at, leaveAt) : leaveAt;
    }

    /** Whether somebody waits for jobs that were left out. */
    private boolean allAreAwaited() {
        return waiters.stream().anyMatch(waiter -> waiter.all && waiter.sequence <= projection.observed());
    }

    /** When {@link #poll} has something to do by time alone. */
    long nextAt() {
        if (busy || over) {
            return Long.MAX_VALUE;
        }
        long maintainAt = lastMaintainAt + MAINTAIN_EVERY_MICROS;
        return projection.idle() ? maintainAt : Math.min(maintainAt, dueAt(projection.changes()));
    }

    /**
     * A flush of a flood that leaves waiting jobs out writes only what has ended, so nothing is saved by doing it seldom, and what has ended is out of memory
     * sooner.
     */
    private long interval(int changes) {
        NodeConfig.Flushes pace = config.flushes();
        boolean leavesOut = lastWasOfFlood() && projection.leftOut().size() > 0;
        return changes < pace.quietChanges() || leavesOut ? pace.quietIntervalMicros() : pace.intervalMicros();
    }

    private boolean lastWasOfFlood() {
        return floodedAt == lastFlushAt;
    }

    /** Whether there is much to say; behind a flush that had, whether there would be with as long a time between flushes as there may be. */
    private boolean floods(long now) {
        NodeConfig.Flushes pace = config.flushes();
        long changes = projection.changes();
        return changes >= pace.quietChanges()
                || lastWasOfFlood() && now - lastFlushAt <= changes * pace.intervalMicros() / pace.quietChanges();
    }

    boolean idle() {
        return !busy && projection.idle();
    }

    void end() {
        over = true;
        List<Waiter> left = List.copyOf(waiters);
        waiters.clear();
        left.forEach(waiter -> waiter.lost.run());
    }

    void flush(long now) {
        busy = true;
        LeftOut.Bounds bounds = bounds(now);
        lastFlushAt = now;
        Flush flush = projection.cut(now, far.farFrom(now), bounds, engine::usageAccount);
        storedWithFlush = storedUntil(now);
        send(flush, clock.tickNanos());
    }

    /**
     * While much comes and goes, jobs that were only just added are left out: most are run before it would be their turn to be stored. While somebody asks for
     * all of them, and when the flood is over, they are stored, some in every flush.
     */
    private LeftOut.Bounds bounds(long now) {
        NodeConfig.LeavingOut leavingOut = config.flushes().leavingOut();
        if (flushed == NOTHING) {
            return LeftOut.NOBODY;
        }
        boolean flood = floods(now);
        if (flood) {
            floodedAt = now;
        }
        boolean wanted = areRead(now) || allAreAwaited();
        boolean over = wanted || now - floodedAt >= LULL_MICROS;
        return new LeftOut.Bounds(
                flood && !wanted && leavingOut.micros() > 0,
                over ? now : now - leavingOut.micros(),
                leavingOut.maxBytes(),
                leavingOut.mostAtOnce());
    }

    /** Whether somebody read the rows of waiting jobs lately. */
    private boolean areRead(long now) {
        return now - readAt <= READ_MICROS;
    }

    /** Up to when everything is in rows once all that was cut is. */
    private long storedUntil(long now) {
        long committedUntil = Math.min(now, pendingSince.getAsLong());
        return Math.min(committedUntil, projection.leftOut().addedFrom()) - 1;
    }

    private void send(Flush flush, long startedNanos) {
        long sent = clock.tickNanos();
        journal.flush(logId, flush)
                .whenComplete((receipt, fault) -> inbox.signal(() -> {
                    if (proceed("flush", fault, sent, () -> send(flush, startedNanos)) && receipt != null) {
                        flushed(flush, receipt, startedNanos);
                    }
                }));
    }

    private void flushed(Flush flush, FlushReceipt receipt, long startedNanos) {
        busy = false;
        segment = receipt.segment();
        flushed = flush.upTo();
        allStored = flush.keptFrom() - 1;
        stored = storedWithFlush;
        projection.flushed(flush, segment);
        flushes++;
        flushedRows += flush.added().size()
                + flush.revised().size()
                + flush.changed().size()
                + flush.ended().size();
        flushMicros += (clock.tickNanos() - startedNanos) / 1_000;
        far.flushed(flush);
        flush.revised().forEach(revised -> evict(revised.spec()));
        flush.added().reversed().forEach(added -> evict(added.spec()));
        List<Waiter> ready = new ArrayList<>();
        waiters.removeIf(waiter -> waiter.sequence <= (waiter.all ? allStored : flushed) && ready.add(waiter));
        ready.forEach(waiter -> waiter.action.run());
    }

    /**
     * What is stored need not stay in memory when much of it waits: the payload comes back beside the commit of the lease. Most of the room is for
     * what comes back, which is run sooner than what was just stored; of that the newest go first.
     */
    private void evict(JobSpec stored) {
        if (projection.storedBytes(engine) > config.memory().stayingBytes()) {
            engine.evict(stored);
        }
    }

    /** True when something was to be done, which is now under way. */
    private boolean upkeep(long now) {
        StoredJobs.Segment old = projection.stored().toCompact(segment, MIN_ROWS_TO_COMPACT);
        if (now - lastMaintainAt >= MAINTAIN_EVERY_MICROS) {
            busy = true;
            lastMaintainAt = now;
            maintain();
        } else if (old != null && segment != StoredJobs.NONE) {
            busy = true;
            compact(old);
        }
        if (busy) {
            lastUpkeepAt = now;
        }
        return busy;
    }

    private void compact(StoredJobs.Segment old) {
        long sent = clock.tickNanos();
        journal.compact(logId, old.number)
                .whenComplete((receipt, fault) -> inbox.signal(() -> {
                    if (proceed("compaction", fault, sent, () -> compact(old)) && receipt != null) {
                        busy = false;
                        segment = receipt.segment();
                        projection.stored().emptied(old, segment);
                    }
                }));
    }

    private void maintain() {
        long sent = clock.tickNanos();
        journal.maintain(logId, config.retention())
                .whenComplete((done, fault) -> inbox.signal(() -> {
                    if (proceed("maintenance", fault, sent, this::maintain)) {
                        busy = false;
                    }
                }));
    }

    /** True when it went well; otherwise arranges what has to follow. */
    private boolean proceed(String what, @Nullable Throwable fault, long sentNanos, Runnable again) {
        if (over) {
            return false;
        }
        switch (GroupCommit.unwrap(fault)) {
            case null -> {
                retryMicros = config.patience().retryMicros();
                proven.accept(sentNanos);
                return true;
            }
            case JournalFault.Fenced lost -> fenced.accept(lost);
            case Throwable other -> {
                boolean first = retryMicros == config.patience().retryMicros();
                if (other instanceof JournalFault.Unavailable || other instanceof JournalFault.UnknownOutcome) {
                    if (first) {
                        log.warn("{} failed and is repeated until it is done: {}", what, other.toString());
                    }
                } else {
                    log.error("{} cannot be done as it is; somebody has to look at this", what, other);
                }
                timers.at(clock.now() + retryMicros, again);
                retryMicros = Math.min(retryMicros * 2, MAX_RETRY_MICROS);
            }
        }
        return false;
    }

    /** @param all whether no waiting job may be left out */
    private record Waiter(long sequence, boolean all, Runnable action, Runnable lost) {}
}
