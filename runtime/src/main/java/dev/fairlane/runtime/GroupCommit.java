package dev.fairlane.runtime;

import dev.fairlane.core.model.Fact;
import dev.fairlane.journal.Batch;
import dev.fairlane.journal.FactCodec;
import dev.fairlane.journal.HashChain;
import dev.fairlane.journal.Journal;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.LogId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes turns durable, one commit in flight, and holds back everything that must not be seen before.
 *
 * <pre>
 *   gathering ──hand over──► in flight ──committed──► effects released, facts to the projection
 *                              │  ▲
 *                 unavailable  │  │ the same bytes again
 *                              ▼  │
 *                 unknown ──► resolve ──"no"──┘         fenced ──► the node is over
 * </pre>
 *
 * <p>An effect rests on the newest batch that has a fact at the moment it is parked: whatever the loop read, it cannot have read
 * anything newer. Owned by the loop; encoding and appending happen on the executor handed in.
 */
final class GroupCommit {
    private static final Logger log = LoggerFactory.getLogger(GroupCommit.class);
    private static final long MAX_RETRY_MICROS = 1_000_000;

    /** What the loop does with the outcome. */
    interface Listener {
        /** A batch is complete: what is applied from now on belongs to the next. */
        void handedOver();

        void committed(long sequence, List<Fact> facts, int bytes, long micros);

        /** Commits fail or take long. Called once per outage. */
        void stalled(String why);

        /** Commits go through again. */
        void resumed();

        void fenced(JournalFault fault);
    }

    private final Journal journal;
    private final LogId logId;
    private final Executor executor;
    private final Inbox inbox;
    private final LoopTimers timers;
    private final NodeClock clock;
    private final NodeConfig config;
    private final Listener listener;
    private final FactCodec codec = new FactCodec();
    private final HashChain chain;
    private final Tenure tenure;

    /** Durable, but whether the node still owns its log has to be proved first. In the order in which they may leave. */
    private final ArrayDeque<Effect> unproven = new ArrayDeque<>();

    private Turn gathering = new Turn(1, 0);
    private @Nullable Turn inFlight;
    private long committed;
    private long lastStartAt;
    private int lastFacts;
    private long retryMicros;
    private boolean stalled;
    private boolean over;

    GroupCommit(
            Journal journal,
            LogId logId,
            byte[] genesis,
            Executor executor,
            Inbox inbox,
            LoopTimers timers,
            NodeClock clock,
            NodeConfig config,
            Listener listener) {
        this.journal = journal;
        this.logId = logId;
        this.chain = new HashChain(genesis);
        this.executor = executor;
        this.inbox = inbox;
        this.timers = timers;
        this.clock = clock;
        this.config = config;
        this.listener = listener;
        this.tenure = new Tenure(clock::tickNanos, config);
        this.retryMicros = config.patience().retryMicros();
    }

    void add(Fact fact) {
        gathering.facts.add(fact);
    }

    /** Runs the effect when everything applied so far is durable: at once if it is. Never if ownership is, or may be, lost before. */
    void afterDurable(Effect effect) {
        afterDurable(true, effect);
    }

    /** The same for whoever brought jobs: they hear of it before workers do, whose next jobs may come from them. */
    void answer(Effect effect) {
        park(true, true, effect);
    }

    /** The same for what nobody waits for: it does not make a commit of its own so soon behind another. */
    void eventually(Effect effect) {
        afterDurable(false, effect);
    }

    void afterDurable(boolean awaited, Effect effect) {
        park(awaited, false, effect);
    }

    private void park(boolean awaited, boolean answer, Effect effect) {
        if (config.sabotage().contains(Sabotage.ACK_BEFORE_COMMIT)) {
            effect.release();
        } else if (!gathering.facts.isEmpty()) {
            gathering.park(answer, effect);
            gathering.awaited |= awaited;
        } else if (inFlight != null) {
            inFlight.park(answer, effect);
        } else if (over) {
            effect.abandon();
        } else {
            tell(effect);
        }
    }

    /** It leaves only while the node still holds the log. */
    private void tell(Effect effect) {
        if (unproven.isEmpty() && tenure.certain()) {
            effect.release();
        } else {
            unproven.add(effect);
        }
    }

    /** An operation sent then went through under the log's fence. */
    void proven(long sentNanos) {
        tenure.proven(sentNanos);
        while (!unproven.isEmpty() && tenure.certain()) {
            unproven.removeFirst().release();
        }
    }

    /** The position on which an effect parked now would rest. */
    long position() {
        return gathering.facts.isEmpty() ? inFlight != null ? inFlight.sequence : committed : gathering.sequence;
    }

    /** Everything that happened before this time is durable; {@code Long.MAX_VALUE} when there is nothing else. */
    long pendingSince() {
        Turn oldest = inFlight != null ? inFlight : gathering;
        return inFlight == null && gathering.facts.isEmpty() ? Long.MAX_VALUE : oldest.since;
    }

    /** For how long the commit under way has been; 0 when there is none. */
    long lagMicros(long now) {
        return inFlight == null ? 0 : now - lastStartAt;
    }

    long committed() {
        return committed;
    }

    /** No more should be decided until the commit under way is done. */
    boolean full() {
        return inFlight != null && gathering.facts.size() >= config.commits().maxFacts();
    }

    boolean idle() {
        return inFlight == null && gathering.facts.isEmpty() && unproven.isEmpty();
    }

    void handOver(long now) {
        if (over || inFlight != null || gathering.facts.isEmpty() || now < nextAt()) {
            return;
        }
        Turn turn = gathering;
        lastStartAt = now;
        lastFacts = turn.facts.size();
        inFlight = turn;
        gathering = new Turn(turn.sequence + 1, now);
        listener.handedOver();
        turn.startedNanos = clock.tickNanos();
        turn.sentNanos = turn.startedNanos;
        executor.execute(() -> encodeAndSend(turn, now));
    }

    /**
     * When what has gathered may be handed over: at once, but not sooner than a short while after the commit before, the longer the larger
     * that was. A commit costs the store about the same for ten facts as for a thousand; on a fast disk commits would otherwise eat
     * the machine that the jobs need. What nobody waits for takes its time, so that the store is free when somebody does.
     */
    long nextAt() {
        if (gathering.facts.isEmpty() || inFlight != null) {
            return Long.MAX_VALUE;
        }
        NodeConfig.Commits commits = config.commits();
        int load = gathering.awaited ? Math.min(lastFacts, commits.busyFacts()) : commits.busyFacts();
        return lastStartAt + commits.spacingMicros() * load / commits.busyFacts();
    }

    /** Ownership is lost: what was parked will never be told. */
    void end() {
        over = true;
        Turn turn = inFlight;
        inFlight = null;
        unproven.forEach(Effect::abandon);
        unproven.clear();
        if (turn != null) {
            turn.forEach(Effect::abandon);
        }
        gathering.forEach(Effect::abandon);
        gathering = new Turn(gathering.sequence, gathering.since);
    }

    private void encodeAndSend(Turn turn, long now) {
        try {
            byte[] bytes = codec.encode(turn.facts, now);
            turn.batch = new Batch(turn.sequence, bytes, chain.extend(bytes));
        } catch (RuntimeException e) {
            inbox.signal(() -> fatal(turn, e));
            return;
        }
        send(turn);
    }

    private void send(Turn turn) {
        Batch batch = Objects.requireNonNull(turn.batch);
        journal.append(logId, batch).whenComplete((done, fault) -> inbox.signal(() -> appended(turn, fault)));
    }

    private void appended(Turn turn, @Nullable Throwable fault) {
        if (turn != inFlight) {
            return;
        }
        switch (unwrap(fault)) {
            case null -> committed(turn);
            case JournalFault.Fenced fenced -> listener.fenced(fenced);
            case JournalFault.UnknownOutcome unknown -> {
                outage("outcome of commit " + turn.sequence + " is unknown: " + unknown.getMessage());
                resolve(turn);
            }
            case JournalFault.Unavailable unavailable -> {
                outage("commit " + turn.sequence + " failed: " + unavailable.getMessage());
                later(() -> sendAgain(turn));
            }
            case Throwable other -> fatal(turn, other);
        }
    }

    private void sendAgain(Turn turn) {
        if (turn == inFlight) {
            turn.sentNanos = clock.tickNanos();
            executor.execute(() -> send(turn));
        }
    }

    private void resolve(Turn turn) {
        if (turn != inFlight) {
            return;
        }
        turn.sentNanos = clock.tickNanos();
        // Not from here, which may be where appends are made: it takes as long as the store does.
        executor.execute(() -> journal.resolve(logId, turn.sequence)
                .whenComplete((durable, fault) -> inbox.signal(() -> resolved(turn, durable, fault))));
    }

    private void resolved(Turn turn, @Nullable Boolean durable, @Nullable Throwable fault) {
        if (turn != inFlight) {
            return;
        }
        switch (unwrap(fault)) {
            case null -> {
                if (Boolean.TRUE.equals(durable)) {
                    committed(turn);
                } else {
                    proven(turn.sentNanos);
                    sendAgain(turn);
                }
            }
            case JournalFault.Fenced fenced -> listener.fenced(fenced);
            case JournalFault.Unavailable unavailable -> later(() -> resolve(turn));
            case JournalFault.UnknownOutcome unknown -> later(() -> resolve(turn));
            case Throwable other -> fatal(turn, other);
        }
    }

    private void committed(Turn turn) {
        inFlight = null;
        committed = turn.sequence;
        retryMicros = config.patience().retryMicros();
        if (stalled) {
            stalled = false;
            listener.resumed();
        }
        Batch batch = Objects.requireNonNull(turn.batch);
        long micros = (clock.tickNanos() - turn.startedNanos) / 1_000;
        listener.committed(turn.sequence, turn.facts, batch.bytes().length, micros);
        proven(turn.sentNanos);
        turn.forEach(this::tell);
    }

    private void outage(String why) {
        if (!stalled) {
            stalled = true;
            log.warn("{}", why);
            listener.stalled(why);
        }
    }

    private void fatal(Turn turn, Throwable e) {
        log.error("batch {} cannot be committed; the node stops", turn.sequence, e);
        listener.fenced(new JournalFault.Fenced("batch " + turn.sequence + " cannot be committed: " + e));
    }

    private void later(Runnable action) {
        timers.at(clock.now() + retryMicros, action);
        retryMicros = Math.min(retryMicros * 2, MAX_RETRY_MICROS);
    }

    static @Nullable Throwable unwrap(@Nullable Throwable fault) {
        return fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
    }

    /** Something the outside may see once it is durable. */
    interface Effect {
        void release();

        /** The node lost its log: whether it became durable is for the next owner to say. */
        default void abandon() {}
    }

    private static final class Turn {
        final long sequence;
        /** No fact of it is older. */
        final long since;

        final List<Fact> facts = new ArrayList<>();
        private final List<Effect> answers = new ArrayList<>();
        private final List<Effect> effects = new ArrayList<>();
        /** Somebody waits for an effect of it. */
        boolean awaited;

        long startedNanos;
        long sentNanos;

        @Nullable Batch batch;

        Turn(long sequence, long since) {
            this.sequence = sequence;
            this.since = since;
        }

        void park(boolean answer, Effect effect) {
            (answer ? answers : effects).add(effect);
        }

        /** In the order in which they leave. */
        void forEach(Consumer<Effect> deed) {
            answers.forEach(deed);
            effects.forEach(deed);
        }
    }
}
