package dev.fairlane.core.shard;

import dev.fairlane.core.lease.Hold;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.TypeRules;
import dev.fairlane.core.share.Account;
import dev.fairlane.core.share.Block;
import dev.fairlane.core.share.Queue;
import dev.fairlane.core.share.TypeLine;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What stands between a failure and the next try: breakers, caps, the retry budget, quarantine and the recycle throttle (semantics
 * §5). It hears of every execution's begin and end, which for an ordinary job is a few array writes, and is asked before a retry
 * is released. {@link Preemption} hears of them here too.
 *
 * <p>Soft: a restart begins with empty windows and closed breakers; caps and quarantine derive from hard state. What that costs is
 * said where each is.
 */
final class Guards {
    /** So many tenants are looked at in so much time: a hundred thousand in a minute. */
    private static final int TIDIED_AT_ONCE = 16;

    private static final long TIDY_EVERY_MICROS = 10_000;

    final Parking parking = new Parking();
    final Deadlines deadlines = new Deadlines();
    final Notices notices = new Notices();
    final Breakers breakers;
    final Budgets budgets;
    final Preemption preemption;
    private final Caps caps;
    private final Recycling recycling;
    private final ShardState state;
    private final Lookback lookback;

    private @Nullable TenantGuard[] tenants = new TenantGuard[64];
    /** Where tidying goes on. */
    private int hand;

    private long tidyAt;

    // of live executions, by the number of their hold
    private long[] probes = new long[64];
    private DependencyUse[] @Nullable [] uses = new DependencyUse[64][];

    Guards(ShardState state) {
        this.state = state;
        lookback = new Lookback(state.config.failures());
        breakers = new Breakers(state, this);
        budgets = new Budgets(state, this);
        caps = new Caps(state, this);
        recycling = new Recycling(state, this);
        preemption = new Preemption(state, deadlines);
    }

    // ---- tenants, types, lanes

    private TenantGuard tenant(int number) {
        if (number >= tenants.length) {
            tenants = Arrays.copyOf(tenants, Math.max(number + 1, tenants.length * 2));
        }
        TenantGuard guard = tenants[number];
        if (guard == null) {
            guard = new TenantGuard(number, lookback);
            tenants[number] = guard;
        }
        return guard;
    }

    private TypeHealth health(int tenant, String type, long now) {
        TenantGuard guard = tenant(tenant);
        TypeHealth health = guard.type(type);
        if (health == null) {
            JobType declared = state.directory.type(tenant, type);
            health = new TypeHealth(guard, declared == null ? type : declared.name());
            guard.add(health);
            if (declared != null) {
                set(health, declared, now);
            }
        }
        return health;
    }

    /** What is known of a type, null if nothing happened yet. */
    @Nullable TypeHealth known(int tenant, String type) {
        TenantGuard guard = tenant < tenants.length ? tenants[tenant] : null;
        return guard == null ? null : guard.type(type);
    }

    static TypeHealth health(Queue queue) {
        if (queue.line().attachment() instanceof TypeHealth health) {
            return health;
        }
        throw new IllegalStateException("expected type " + queue.type() + " to be known");
    }

    /** A job comes to the queue; the first of its type makes that known. */
    void meet(Queue queue, long now) {
        TypeLine line = queue.line();
        if (line.attachment() == null) {
            TypeHealth health = health(line.account().tenant(), line.type(), now);
            line.attach(health);
            health.add(line);
            breakers.judge(health, now);
            caps.changed(health.guard, now);
            judgeRunning(health, now);
        }
    }

    /** A type is there or changed. */
    void typeSet(JobType type) {
        int tenant = type.tenant().number();
        TypeHealth health = known(tenant, type.name());
        if (health == null
                && type.rules().equals(TypeRules.NONE)
                && type.quarantinedAt() == 0
                && type.moved() == null) {
            return;
        }
        set(health == null ? health(tenant, type.name(), type.changedAt()) : health, type, type.changedAt());
    }

    private void set(TypeHealth health, JobType type, long now) {
        boolean was = health.quarantined();
        TypeRules before = health.rules;
        health.set(type, deadlines);
        state.classes.typeSet(health, type);
        boolean is = health.quarantined();
        if (is && !was) {
            health.enterQuarantine(deadlines);
            notices.add(Notice.Kind.TYPE_QUARANTINED, health.guard.tenant, "", health.name, "");
        } else if (was && !is) {
            health.leaveQuarantine(deadlines);
            notices.add(Notice.Kind.TYPE_RELEASED, health.guard.tenant, "", health.name, "");
        }
        if (!before.equals(health.rules)) {
            breakers.declared(health, now);
            caps.changed(health.guard, now);
            judgeRunning(health, now);
        }
    }

    /** As many of a type run as its rules allow, or fewer. */
    private void judgeRunning(TypeHealth health, long now) {
        int most = health.rules.maxInFlight();
        block(health, Block.TYPE_CAP, most > 0 && health.running >= most, now);
    }

    void block(TypeHealth health, int reason, boolean shut, long now) {
        for (TypeLine line = health.lines(); line != null; line = line.elsewhere()) {
            if (shut) {
                state.pools[line.account().pool()].tree().block(line, reason, now);
            } else {
                state.pools[line.account().pool()].tree().unblock(line, reason, now);
            }
        }
    }

    // ---- executions

    /** An execution began. */
    void granted(int slot, Hold hold, Queue queue, JobStatus status) {
        TypeHealth health = health(queue);
        TenantGuard guard = health.guard;
        long now = status.leasedAt();
        if (status.execution() == 1) {
            guard.minute().addGood(now);
        }
        health.running++;
        if (health.rules.maxInFlight() > 0) {
            judgeRunning(health, now);
        }
        int index = hold.index();
        if (index >= probes.length) {
            probes = Arrays.copyOf(probes, Math.max(index + 1, probes.length * 2));
            uses = Arrays.copyOf(uses, probes.length);
        }
        probes[index] = health.gates == null ? 0 : breakers.probes(slot, health, now);
        uses[index] =
                guard.uses == null ? null : caps.take(health, status.marks().dependency(), now);
        if (guard.throttledPools != 0) {
            throttle(guard, queue.account(), now);
        }
        if (health.rules.preemptible()) {
            hold.setPreemptible();
            preemption.began(hold, queue, now);
        }
    }

    /** An execution ended; the job still has its hold. */
    void ended(Hold hold, Queue queue, JobStatus was, JobStatus status) {
        TypeHealth health = health(queue);
        long now = status.changedAt();
        if (health.rules.checkpoints() && status.missesCheckpoint()) {
            notices.add(Notice.Kind.CHECKPOINT_MISSING, health.guard.tenant, "", health.name, "");
        }
        if (status.state() == JobState.SUCCEEDED) {
            health.succeeded(now);
            if (health.gates != null) {
                breakers.succeeded(health, probes[hold.index()], was.leasedAt(), now);
            }
        } else if (!status.attempts().isEmpty() && status.attempts().getLast().execution() == was.execution()) {
            failed(hold, queue, was, status, now);
        }
    }

    private void failed(Hold hold, Queue queue, JobStatus was, JobStatus status, long now) {
        FailureClass why = status.attempts().getLast().failureClass();
        if (status.state() == JobState.CANCELLED && why != FailureClass.WORKER_CRASH) {
            return;
        }
        TypeHealth health = health(queue);
        switch (why) {
            case DEPENDENCY ->
                breakers.failed(health, status.marks().dependency(), probes[hold.index()], was.leasedAt(), now);
            case WORKER_CRASH -> recycling.crashed(health.guard, queue.account(), was.worker(), now);
            case TIMEOUT -> {
                breakers.timedOut(health, probes[hold.index()], was.leasedAt(), now);
                health.failed(deadlines, now);
            }
            default -> {
                if (poisons(why)) {
                    health.failed(deadlines, now);
                }
            }
        }
    }

    /** Failures that tell of the type itself, not of others. */
    private static boolean poisons(FailureClass why) {
        return switch (why) {
            case APP_ERROR, NON_RETRYABLE, TIMEOUT, RESOURCE_VIOLATION, POISON -> true;
            case RATE_LIMITED, DEPENDENCY, WORKER_CRASH -> false;
        };
    }

    /** Whether one more failure of this class makes the type poison. */
    boolean wouldPoison(Queue queue, FailureClass why, long now) {
        TypeHealth health = health(queue);
        return !health.quarantined() && poisons(why) && health.poisonous(now, 1);
    }

    /** The slot of an ended execution is given back. */
    void released(Hold hold, Queue queue, long now) {
        int index = hold.index();
        DependencyUse[] taken = uses[index];
        if (taken != null) {
            uses[index] = null;
            caps.giveBack(taken, now);
        }
        TypeHealth health = health(queue);
        health.running--;
        if (health.rules.maxInFlight() > 0) {
            judgeRunning(health, now);
        }
        TenantGuard guard = health.guard;
        if (guard.throttledPools != 0) {
            throttle(guard, queue.account(), now);
        }
        if (hold.preemptible()) {
            preemption.ended(hold, queue);
        }
    }

    private void throttle(TenantGuard guard, Account account, long now) {
        if ((guard.throttledPools >>> account.pool() & 1) != 0) {
            recycling.judge(account, now);
        }
    }

    // ---- waiting jobs

    /** Whether a due retry may be queued; if not, it is held back and its timer set. */
    boolean mayRetry(int slot, long now) {
        if (parking.passed(slot)) {
            return true;
        }
        JobStatus status = state.jobs.status(slot);
        TypeHealth health = health(state.queue(slot));
        String blamed = status.marks().dependency();
        if (!blamed.isEmpty() && !breakers.allows(slot, health, blamed, now)) {
            return false;
        }
        boolean counts =
                status.attempts().isEmpty() || status.attempts().getLast().failureClass() != FailureClass.RATE_LIMITED;
        return !counts || budgets.allows(slot, health.guard, now);
    }

    /** Lets a retry that was held back go on; it is due. */
    void letThrough(int slot) {
        parking.pass(slot);
        state.arm(slot);
    }

    /** When a waiting job is given up for what holds it back. */
    long giveUpAt(int slot) {
        return parking.parked(slot) ? budgets.giveUpAt(slot, health(state.queue(slot)).guard) : Long.MAX_VALUE;
    }

    /** Holds back a queued job that is next but may not run now; returns whether it did. */
    boolean holdsBack(int slot, long now) {
        TypeHealth health = health(state.queue(slot));
        return health.gates != null && breakers.holdsBack(slot, health, state.jobs.blamed(slot), now)
                || health.guard.uses != null && caps.holdsBack(slot, health, state.jobs.blamed(slot), now);
    }

    /** Whether a queued job waits for a breaker. */
    boolean heldByBreaker(int slot) {
        return breakers.holds(slot, health(state.queue(slot)), state.jobs.blamed(slot));
    }

    // ---- time

    void fire(long now, Consumer<Command> sink) {
        deadlines.fire(now, sink);
        if (now >= tidyAt) {
            tidyAt = now + TIDY_EVERY_MICROS;
            tidy(now);
        }
    }

    /** Lets go of what does not count any more, of a few tenants each time: nobody else tells of those that do nothing. */
    private void tidy(long now) {
        for (int i = 0; i < TIDIED_AT_ONCE; i++) {
            hand = hand + 1 < tenants.length ? hand + 1 : 0;
            TenantGuard guard = tenants[hand];
            if (guard != null) {
                guard.tidy(now);
            }
        }
    }
}
