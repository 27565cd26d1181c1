package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.AuditDeed;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.Lease;
import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.shard.Bookings;
import dev.fairlane.core.shard.Engine;
import dev.fairlane.core.shard.Picked;
import dev.fairlane.journal.Journal;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.OpenedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread's work: signals → calls → timers → picks → hand over to the commit. Never blocks, never does I/O, never scans.
 *
 * <p>Time that runs out is judged only against input that was read: a timer fires when every call put in before its time has been
 * taken out, so a stall of the loop never kills a lease whose heartbeat is already waiting. A gap between turns longer than
 * {@link NodeConfig.Patience#stallMicros} gives all live leases their full length again, because heartbeats may be stuck in front of us.
 */
final class NodeLoop {
    private static final Logger log = LoggerFactory.getLogger(NodeLoop.class);
    private static final int MAX_TIMERS_PER_TURN = 1_000;
    private static final int KEYS_SEALED_PER_TURN = 500;
    private static final long CLOCK_CHECK_EVERY_MICROS = 30_000_000;
    private static final long SKEW_WORTH_A_WORD_MICROS = 100_000;

    final Engine engine;
    final Inbox inbox;
    final LoopTimers timers = new LoopTimers();
    final NodeClock clock;
    final GroupCommit commit;
    final Projection projection;
    final Flusher flusher;
    final KeyLookups keyLookups;
    final FarJobs far;
    final Sessions sessions;
    final Watchers watchers = new Watchers();
    final ProgressBoard progress = new ProgressBoard();
    final LongEnds ends = new LongEnds();
    final Audits audits;
    final Directory directory;
    final Dispatch dispatch;
    final HandOvers handOvers;
    final Departures departures = new Departures();
    final Meters meters = new Meters();
    final Glances glances;
    final StatusBoard board;
    final Ticking ticking = new Ticking(this);
    final NodeConfig config;

    private final Journal journal;
    private final Consumer<String> over;
    private final @Nullable LateFacts late;
    private final IntSupplier heapPercent;

    private final List<Notice> noticed = new ArrayList<>();
    private long noticesDropped;

    private long now;
    private long lastTurnAt;
    private long markHeard;
    private long markAt;
    private long nextClockCheckAt;
    private boolean unreachable;
    private boolean stalled;
    private long stalledSince;
    private @Nullable String ended;

    NodeLoop(
            Journal journal,
            OpenedLog opened,
            Engine engine,
            Projection projection,
            Directory directory,
            Audits audits,
            NodeConfig config,
            NodeParts parts,
            Consumer<String> over) {
        this.journal = journal;
        this.engine = engine;
        this.glances = new Glances(engine);
        this.projection = projection;
        this.directory = directory;
        this.audits = audits;
        this.config = config;
        this.over = over;
        this.late = LateFacts.planted(config.sabotage(), engine, timers);
        this.heapPercent = parts.heapPercent();
        projection.book(engine.takeBookings(), engine::usageAccount);
        this.inbox = new Inbox(config.intake().maxWeight(), parts.wake());
        this.clock = new NodeClock(parts.tickerNanos(), opened.nowAt(), opened.highWaterAt());
        this.commit = new GroupCommit(
                journal, opened.log(), opened.genesis(), parts.encoder(), inbox, timers, clock, config, new Commits());
        this.far = new FarJobs(journal, engine, projection, inbox, config);
        this.flusher = new Flusher(
                journal,
                opened.log(),
                projection,
                engine,
                far,
                inbox,
                timers,
                clock,
                config,
                this::lost,
                commit::proven,
                commit::pendingSince);
        this.keyLookups = new KeyLookups(journal, inbox, flusher::stored);
        this.sessions = new Sessions(engine);
        this.dispatch = new Dispatch(
                journal,
                engine,
                projection,
                sessions,
                directory,
                meters,
                commit,
                inbox,
                timers,
                clock,
                config,
                opened.log().epoch());
        this.handOvers = new HandOvers(engine, sessions, directory, commit);
        this.now = clock.now();
        this.lastTurnAt = now;
        this.markAt = now;
        // At once: loading what is open took its time since the store was asked.
        this.nextClockCheckAt = now;
        this.board = new StatusBoard(config.name(), opened.log().epoch(), now, engine);
        engine.types(null).forEach(ends::put);
        engine.renewAll(now);
        engine.forgetNotices();
        board.publish(this, now);
    }

    long now() {
        return now;
    }

    boolean serving() {
        return ended == null;
    }

    @Nullable String ended() {
        return ended;
    }

    /** Nobody can reach the node yet: until {@link #reachable} no lease and no other time of a job runs out. */
    void unreachable() {
        unreachable = true;
    }

    /** Workers can connect from now on: every live lease has its full length again. */
    void reachable() {
        unreachable = false;
        engine.renewAll(now);
    }

    /** How long commits have not been going through; 0 when they do. */
    long stalledMicros() {
        return stalled ? now - stalledSince : 0;
    }

    /** One turn. True when there is more to do at once. */
    boolean turn() {
        now = clock.now();
        if (now - lastTurnAt > config.patience().stallMicros() + Math.max(0, plannedSleepMicros)) {
            log.warn("the loop stood still for {} ms: leases get their full length again", (now - lastTurnAt) / 1_000);
            engine.renewAll(now);
        }
        drainSignals();
        // What was committed need not wait for what comes next.
        departures.go();
        engine.measured(heapPercent.getAsInt(), commit.lagMicros(now));
        boolean drained = drainCalls();
        if (ended == null) {
            timers.fire(now);
            fireJobTimers(drained);
            handOvers.tell();
            pick();
            commit.handOver(now);
            flusher.poll(now);
            keyLookups.poll();
            far.poll(now);
            sealKeys();
            checkClock();
        }
        finishTurn();
        return !inbox.isEmpty() && !commit.full();
    }

    private long plannedSleepMicros;

    /** When the next turn is due if nothing comes in before. */
    long nextTurnAt() {
        // While the commit under way holds everything up, jobs' timers wait for it too: its signal wakes the loop.
        long jobTimersAt = commit.full() || unreachable ? Long.MAX_VALUE : engine.nextTimerAt();
        long next = Math.min(Math.min(jobTimersAt, timers.nextAt()), flusher.nextAt());
        next = Math.min(next, Math.min(board.nextAt(), commit.nextAt()));
        next = Math.min(next, far.nextAt());
        plannedSleepMicros = Math.max(0, next - now);
        return next;
    }

    Outlook outlook(long epoch) {
        long present = clock.now();
        long nextDueAt = Math.min(engine.nextTimerAt(), far.nextAt());
        boolean settled = inbox.isEmpty() && commit.idle() && !far.busy() && nextDueAt > present;
        return new Outlook(
                new Position(epoch, commit.position()),
                present,
                settled,
                engine.leased(),
                dispatch.releasedUpTo(),
                nextDueAt);
    }

    private void drainSignals() {
        Runnable signal;
        while ((signal = inbox.nextSignal()) != null) {
            run(signal);
        }
    }

    /** True when nothing was left. */
    private boolean drainCalls() {
        for (int i = 0; i < config.intake().maxCallsPerTurn() && !commit.full(); i++) {
            Runnable call = inbox.nextCall();
            if (call == null) {
                return true;
            }
            run(call);
        }
        return false;
    }

    private void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            log.error(ended == null ? "a call failed; the node goes on" : "a call failed; the node is over", e);
        }
    }

    private void fireJobTimers(boolean drained) {
        if (commit.full() || unreachable) {
            return;
        }
        long safeAt;
        if (drained || config.sabotage().contains(Sabotage.EXPIRE_UNDRAINED)) {
            safeAt = now;
        } else if (inbox.taken() >= markHeard) {
            safeAt = markAt;
        } else {
            return;
        }
        markHeard = inbox.heard();
        markAt = now;
        List<Command> due = new ArrayList<>();
        engine.dueTimers(safeAt, MAX_TIMERS_PER_TURN, due::add);
        for (Command command : due) {
            if (command instanceof Command.ExpireLease) {
                meters.leasesExpired++;
            }
            if (command instanceof Command.Tick tick) {
                run(() -> ticking.tick(tick));
            } else {
                decide(command);
            }
        }
    }

    private void sealKeys() {
        boolean early = config.sabotage().contains(Sabotage.SEAL_KEYS_UNSTORED);
        long deadBefore =
                now - TimeUnit.NANOSECONDS.toMicros(config.retention().dead().toNanos());
        engine.sealKeys(early ? now : keyLookups.storedForAll(), deadBefore, now, KEYS_SEALED_PER_TURN);
    }

    private void pick() {
        if (commit.full() || stalled) {
            return;
        }
        List<Lease> leases = null;
        boolean awaited = false;
        Picked picked;
        while (!commit.full() && (picked = engine.pick(now)) != null) {
            apply(picked.fact());
            if (leases == null) {
                leases = new ArrayList<>();
            }
            leases.add(picked.lease());
            awaited |= awaited(picked.lease());
            glances.ahead(leases.size());
        }
        if (leases != null) {
            List<Lease> picks = leases;
            commit.afterDurable(awaited, () -> dispatch.release(picks));
        }
    }

    /** Whoever submits a job for now counts the milliseconds; one that came for later may take two more. */
    private static boolean awaited(Lease lease) {
        JobSpec spec = lease.spec();
        return spec == null || spec.runAt() == spec.submittedAt();
    }

    /** Decides on a command and applies what follows. A throw refuses the command and changes nothing. */
    Answer decide(Command command) {
        Decision decision = engine.decide(command, now);
        perform(decision);
        return decision.answer();
    }

    /** The same for somebody to be named in the audit: if anything changes, the entry about it goes with it. */
    Answer decide(Command command, @Nullable Author by) {
        if (by == null) {
            return decide(command);
        }
        Decision decision = engine.decide(command, now);
        if (!decision.facts().isEmpty()) {
            Fact entry = audits.of(command, decision.facts(), by, now);
            perform(decision);
            perform(entry);
        }
        return decision.answer();
    }

    /** Writes down a change that leaves no facts. */
    void note(TenantId chain, AuditDeed deed, @Nullable Author by) {
        if (by != null) {
            apply(audits.note(chain, deed, by, now));
        }
    }

    /** The same, but for a call that came a short while ago. */
    void noteOnce(TenantId chain, AuditDeed deed, Author by) {
        audits.noteOnce(chain, deed, by, now).ifPresent(this::apply);
    }

    private void perform(Decision decision) {
        for (Fact fact : decision.facts()) {
            perform(fact);
        }
    }

    private void perform(Fact fact) {
        if (late == null || !late.putOff(fact, now, one -> run(() -> apply(one)))) {
            apply(fact);
        }
    }

    void apply(Fact fact) {
        String died = fact instanceof Fact.JobEnded ended && ended.status().state() == JobState.DEAD
                ? typeOf(ended.id())
                : null;
        try {
            engine.apply(fact);
        } catch (RuntimeException e) {
            log.error("a fact cannot be applied, the node stops before it spreads: {}", fact, e);
            lost(new JournalFault.Corrupt("a fact could not be applied: " + e, e));
            throw e;
        }
        commit.add(fact);
        if (died != null) {
            commit.eventually(() -> meters.died(died));
        }
    }

    private String typeOf(JobId id) {
        String type = engine.typeOf(id);
        return type == null ? NodeStatus.DeadLetterCounts.OTHER_TYPES : type;
    }

    private void checkClock() {
        if (now < nextClockCheckAt) {
            return;
        }
        nextClockCheckAt = now + CLOCK_CHECK_EVERY_MICROS;
        long asked = clock.tickNanos();
        journal.now().whenComplete((storeNow, fault) -> {
            if (storeNow != null) {
                inbox.signal(() -> {
                    long skew = clock.adjust(storeNow, asked);
                    ticking.clockMoved(skew, storeNow);
                    if (clock.doubtedMicros() > 0) {
                        log.warn(
                                "the store's clock leapt {} s ahead; it is followed if it stays there, so set it right if it is wrong",
                                clock.doubtedMicros() / 1_000_000);
                    }
                    if (Math.abs(skew) > SKEW_WORTH_A_WORD_MICROS) {
                        log.warn(
                                "the store's clock is {} ms {} ours, which {}",
                                Math.abs(skew) / 1_000,
                                skew > 0 ? "ahead of" : "behind",
                                skew > 0 ? "follows it" : "goes slower until they meet");
                        // Leases are lengths, not times of day: a jump must not end them.
                        engine.renewAll(clock.now());
                    }
                });
            }
        });
    }

    private void finishTurn() {
        tellNotices();
        departures.go();
        long end = clock.now();
        meters.turns++;
        meters.longestTurnMicros = Math.max(meters.longestTurnMicros, end - now);
        lastTurnAt = end;
        if (end >= board.nextAt()) {
            board.publish(this, end);
        }
    }

    /** What was noticed follows from facts of this turn or earlier ones: people hear of it when those are durable. */
    private void tellNotices() {
        engine.drainNotices(noticed::add);
        long dropped = engine.noticesDropped();
        if (dropped > noticesDropped) {
            log.warn("notices_dropped: {} more were noticed at once than can be told", dropped - noticesDropped);
            noticesDropped = dropped;
        }
        if (!noticed.isEmpty()) {
            List<Notice> told = List.copyOf(noticed);
            noticed.clear();
            commit.afterDurable(() -> told.forEach(this::tell));
        }
    }

    /** People look for these words; the numbers are in the status. */
    private void tell(Notice notice) {
        meters.noticed(notice.kind());
        Tenant tenant = engine.tenant(notice.tenant());
        log.warn(
                "{}: tenant {}{}{}{}",
                notice.kind().name().toLowerCase(Locale.ROOT),
                tenant == null ? notice.tenant().number() : tenant.name(),
                notice.pool().isEmpty() ? "" : ", pool " + notice.pool(),
                notice.type().isEmpty() ? "" : ", type " + notice.type(),
                notice.dependency().isEmpty() ? "" : ", dependency " + notice.dependency());
    }

    NodeStatus.State state() {
        if (ended != null) {
            return ended.isEmpty() ? NodeStatus.State.STOPPED : NodeStatus.State.FENCED;
        }
        return stalled ? NodeStatus.State.STALLED : NodeStatus.State.SERVING;
    }

    /** Ownership is lost: memory is worth nothing from here on. */
    private void lost(JournalFault fault) {
        end(fault.getMessage() == null ? fault.toString() : fault.getMessage());
    }

    /** A turn failed in a way nobody thought of: half of it may be done, and nobody turns the loop any more. */
    void broke(Throwable fault) {
        log.error("the loop failed, the node stops before it spreads", fault);
        end("the loop failed: " + fault);
    }

    /**
     * Whatever is broken by then, everybody is told as far as possible, and whoever runs the node always.
     *
     * @param why empty for an orderly stop
     */
    void end(String why) {
        if (ended != null) {
            return;
        }
        ended = why;
        try {
            run(commit::end);
            run(flusher::end);
            run(keyLookups::end);
            run(far::end);
            run(() -> sessions.endAll(why.isEmpty() ? "the node stops" : "the node lost its log"));
            run(watchers::loseAll);
            board.over(state());
            run(() -> board.publish(this, clock.now()));
        } finally {
            over.accept(why);
        }
    }

    private final class Commits implements GroupCommit.Listener {
        /** Of the one batch that is under way. */
        private Bookings bookings = Bookings.NONE;

        @Override
        public void handedOver() {
            bookings = engine.takeBookings();
        }

        @Override
        public void committed(long sequence, List<Fact> facts, int bytes, long micros) {
            projection.observe(sequence, facts);
            projection.book(bookings, engine::usageAccount);
            directory.observe(facts);
            meters.committed(facts, bytes, micros);
            progress.observe(facts);
            watchers.observe(facts);
            ends.observe(facts);
        }

        @Override
        public void stalled(String why) {
            stalled = true;
            stalledSince = now;
        }

        @Override
        public void resumed() {
            log.info("commits go through again after {} ms", stalledMicros() / 1_000);
            stalled = false;
            engine.renewAll(now);
        }

        @Override
        public void fenced(JournalFault fault) {
            lost(fault);
        }
    }
}
