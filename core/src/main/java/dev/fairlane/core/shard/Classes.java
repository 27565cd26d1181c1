package dev.fairlane.core.shard;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.MoveRules;
import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.ReservedTypes;
import dev.fairlane.core.outcome.Window;
import dev.fairlane.core.share.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Which pool the jobs of a type go to (semantics §4): what it declares, until it breaks that pool's bound too often; then the next
 * larger one its measured p95 fits, for an hour at least.
 *
 * <p>The move is hard: a fact of the same step as the execution that was one too many. What led to it is soft, see {@link TypePace}. It
 * is for jobs submitted from then on: those that wait or run keep the pool, lease and limits they were submitted with, so that
 * nothing of a deep backlog is written again and no job ever spills into another pool. After the hour the type goes back if what it
 * did meanwhile would have kept the bound it declares, or if it did nothing; otherwise it stays for another hour. It may be moved
 * further at any time. Pools in which no worker runs such jobs do not count: without another one it stays, and only the notice says so.
 */
final class Classes {
    private static final int BUCKETS = 12;

    private final ShardState state;
    private final MoveRules moves;
    private final Window.Span window;

    Classes(ShardState state) {
        this.state = state;
        this.moves = state.config.moves();
        this.window = Window.Span.of(BUCKETS, moves.windowMicros());
    }

    // ---- what happens

    /** An execution ended. */
    void ended(Queue queue, JobStatus was, JobStatus becomes) {
        FailureClass why = null;
        if (becomes.state() != JobState.SUCCEEDED) {
            why = failureOf(was, becomes);
            if (why == null || !measures(why)) {
                return;
            }
        }
        TypePace pace = pace(queue);
        long now = becomes.changedAt();
        long took = now - was.leasedAt();
        int pool = queue.account().pool();
        pace.took(took);
        if (pool == pace.presentPool) {
            ran(pace, queue, breaks(pool, took, why), now);
        }
        if (pace.moved() != null) {
            pace.ranMoved(breaks(pace.declaredPool, took, why));
        }
    }

    private void ran(TypePace pace, Queue queue, boolean broke, long now) {
        if (broke && pace.crosses(moves, 0, now) && !ReservedTypes.reserved(queue.type())) {
            // the one before was too many, and there was nowhere to go
            pace.begin();
            String pool = state.pools[pace.presentPool].rules().name();
            state.guards.notices.add(Notice.Kind.POOL_VIOLATION, queue.account().tenant(), pool, queue.type(), "");
        }
        pace.ran(broke, window, now);
    }

    /** How this execution failed; null if it did not, or nobody wants it any more. */
    private static @Nullable FailureClass failureOf(JobStatus was, JobStatus becomes) {
        if (becomes.state() == JobState.CANCELLED
                || becomes.attempts().isEmpty()
                || becomes.attempts().getLast().execution() != was.execution()) {
            return null;
        }
        return becomes.attempts().getLast().failureClass();
    }

    /** Whether such an execution tells how long the type takes. */
    private static boolean measures(FailureClass why) {
        return switch (why) {
            case APP_ERROR, NON_RETRYABLE, TIMEOUT, RESOURCE_VIOLATION, POISON, DEPENDENCY -> true;
            case RATE_LIMITED, WORKER_CRASH -> false;
        };
    }

    private boolean breaks(int pool, long tookMicros, @Nullable FailureClass why) {
        long bound = state.pools[pool].rules().boundMicros();
        return bound > 0 && (tookMicros > bound || why == FailureClass.TIMEOUT);
    }

    private TypePace pace(Queue queue) {
        TypeHealth health = state.guards.health(queue);
        return health.pace == null ? pace(health) : health.pace;
    }

    private TypePace pace(TypeHealth health) {
        TypePace pace = health.pace;
        if (pace == null) {
            JobType type = state.directory.type(health.guard.tenant, health.name);
            int pool = type == null ? 0 : indexOf(type.presentPool());
            pace = new TypePace(state.pools[pool].rules().estimateMicros());
            pace.presentPool = pool;
            pace.declaredPool = type == null ? 0 : indexOf(type.pool());
            health.pace = pace;
        }
        return pace;
    }

    /** A pool that was taken out of the configuration is as the first one, which its jobs get too. */
    private int indexOf(String name) {
        for (int i = 0; i < state.pools.length; i++) {
            if (state.pools[i].rules().name().equals(name)) {
                return i;
            }
        }
        return 0;
    }

    /** A type is there or changed. */
    void typeSet(TypeHealth health, JobType type) {
        if (health.pace == null && type.moved() == null) {
            return;
        }
        TypePace pace = pace(health);
        JobType.Moved was = pace.moved();
        JobType.Moved is = type.moved();
        int pool = indexOf(type.presentPool());
        pace.declaredPool = indexOf(type.pool());
        if (pool != pace.presentPool || (was == null) != (is == null)) {
            pace.presentPool = pool;
            pace.begin();
        }
        if (is != null ? !is.equals(was) : was != null) {
            pace.set(is, health, state.guards.deadlines);
            boolean elsewhere = was == null || is == null || !was.pool().equals(is.pool());
            if (elsewhere) {
                state.guards.notices.add(
                        is == null ? Notice.Kind.POOL_RESTORED : Notice.Kind.POOL_VIOLATION,
                        health.guard.tenant,
                        type.presentPool(),
                        health.name,
                        "");
            }
        }
    }

    // ---- decisions

    /**
     * The type as it becomes when one more execution took so long; null if it stays.
     *
     * @param why null if it went well
     */
    @Nullable JobType moves(Queue queue, long tookMicros, @Nullable FailureClass why, long now) {
        int pool = queue.account().pool();
        if (!breaks(pool, tookMicros, why)) {
            return null;
        }
        if (why != null && !measures(why) || ReservedTypes.reserved(queue.type())) {
            return null;
        }
        TypePace pace = pace(queue);
        JobType type = state.directory.type(queue.account().tenant(), queue.type());
        if (type == null || pool != pace.presentPool || !pace.crosses(moves, 1, now)) {
            return null;
        }
        PoolRules to = larger(state.pools[pool].rules(), pace.p95With(tookMicros), queue);
        if (to == null) {
            return null;
        }
        boolean home = to.name().equals(type.pool());
        return type.movedTo(home ? null : new JobType.Moved(to.name(), now + moves.stickyMicros()), now);
    }

    /** The smallest pool above this one whose bound is not below what was measured. */
    private @Nullable PoolRules larger(PoolRules than, double p95Micros, Queue queue) {
        PoolRules best = null;
        for (Pool pool : state.pools) {
            PoolRules rules = pool.rules();
            boolean above = rules.boundMicros() == 0 || rules.boundMicros() > than.boundMicros();
            boolean fits = rules.boundMicros() == 0 || rules.boundMicros() >= p95Micros;
            // without a worker for them there its jobs would wait for ever
            if (rules.takesMoved()
                    && above
                    && fits
                    && (best == null || smaller(rules, best))
                    && pool.tree().hasWorkersFor(queue)) {
                best = rules;
            }
        }
        return best;
    }

    private static boolean smaller(PoolRules a, PoolRules b) {
        return a.boundMicros() != 0 && (b.boundMicros() == 0 || a.boundMicros() < b.boundMicros());
    }

    /** The hour of a moved type is over. */
    Decision review(Command.ReviewType review, long now) {
        JobType type = state.directory.type(review.tenant().number(), review.name());
        if (type == null || type.moved() == null || type.moved().until() > now) {
            return Decision.NOTHING;
        }
        TypeHealth health = state.guards.known(review.tenant().number(), review.name());
        boolean stays = health != null && health.pace != null && health.pace.tooSlow(moves);
        JobType.Moved moved = stays ? new JobType.Moved(type.moved().pool(), now + moves.stickyMicros()) : null;
        return Decision.of(Answer.Nothing.INSTANCE, new Fact.TypeSet(type.movedTo(moved, now)));
    }

    // ---- reads

    /** What is known of a type's pace. */
    PaceStats stats(int tenant, String name, long now) {
        TypeHealth health = state.guards.known(tenant, name);
        if (health != null && health.pace != null) {
            return new PaceStats(health.pace.meanMicros(), health.pace.p95Micros(), health.pace.violations(now));
        }
        JobType type = state.directory.type(tenant, name);
        int pool = type == null ? 0 : indexOf(type.presentPool());
        return new PaceStats(state.pools[pool].rules().estimateMicros(), 0, 0);
    }
}
