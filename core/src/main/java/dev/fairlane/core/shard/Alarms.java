package dev.fairlane.core.shard;

import dev.fairlane.core.lease.Hold;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.JobState;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns what is due into commands. A job has one timer, at the earliest time something may have to be done; when it fires, the
 * job is looked at, and a renewed lease simply gets a new timer.
 *
 * <p>Promotions have a rate; due jobs over it are put off, and tenants take turns, so that one tenant's million due at once costs
 * another's job no more than a turn. Ticks of schedules, which bring new jobs, share that rate and have turns of their own: neither holds the
 * other up. What is left of the rate is soft: a failover costs a tenth of a second's worth at once.
 */
final class Alarms {
    /** A command whose decision came to nothing is asked again after this. */
    private static final long ASK_AGAIN_MICROS = 1_000_000;

    /** How late the latest is, is looked for so often, and among so many tenants: all come up in time. */
    private static final long LOOK_FOR_LATE_MICROS = 100_000;

    private static final int TENANTS_LOOKED_AT = 1_000;

    /** Timers looked at in one go, those that are put off included: a crowd due at once does not hold the others up. */
    private static final int LOOKS_PER_COMMAND = 4;

    private static final int NONE = ShardState.NONE;

    private final ShardState state;
    private final SharedRate rate;
    private final SharedRate.Half promotions;
    private final SharedRate.Half ticks;
    private long lookedForLateAt;

    Alarms(ShardState state) {
        this.state = state;
        this.rate = new SharedRate(state.config.room().promotionsPerSecond());
        this.promotions = rate.one();
        this.ticks = rate.other();
    }

    int due(long now, int max, Consumer<Command> sink) {
        state.wheel.advance(now);
        rate.fill(now);
        state.guards.fire(now, sink);
        int given = ticks(now, max, sink);
        if (now < lookedForLateAt || now - lookedForLateAt >= LOOK_FOR_LATE_MICROS) {
            lookedForLateAt = now;
            state.late.due(oldestDueMicros(now));
        }
        long looks = (long) max * LOOKS_PER_COMMAND;
        boolean alone = !ticksWait();
        while (given < max && looks-- > 0) {
            boolean wasPutOff = promotions.has(alone) && state.wheel.hasPutOff();
            int slot = wasPutOff ? state.wheel.pollPutOff() : state.wheel.poll();
            if (slot == NONE) {
                break;
            }
            Command command = look(slot, alone, now);
            if (command == null) {
                continue;
            }
            state.wheel.set(slot, now + ASK_AGAIN_MICROS);
            given++;
            sink.accept(command);
        }
        return given;
    }

    /** At most half of what may be given, so that a crowd of ticks leaves room for the other timers. */
    private int ticks(long now, int max, Consumer<Command> sink) {
        state.schedules.advance(now);
        boolean alone = !jobsWait();
        int given = 0;
        while (given < (max + 1) / 2 && ticks.has(alone) && state.schedules.giveDue(now, sink)) {
            ticks.take();
            given++;
        }
        return given;
    }

    /** Whether ticks are due that were not given. */
    private boolean ticksWait() {
        return state.schedules.hasDue();
    }

    /** Whether jobs are due, most of them to be promoted. */
    private boolean jobsWait() {
        return state.wheel.hasDue() || state.wheel.hasPutOff();
    }

    long nextAt() {
        long next = Math.min(state.wheel.nextAt(), state.guards.deadlines.nextAt());
        if (state.wheel.hasPutOff()) {
            next = Math.min(next, promotions.refilledAt(!ticksWait()));
        }
        boolean alone = !jobsWait();
        boolean held = ticksWait() && !ticks.has(alone);
        return Math.min(next, held ? ticks.refilledAt(alone) : state.schedules.nextAt());
    }

    /** Of the jobs that are first of their tenants. */
    long oldestDueMicros(long now) {
        return state.wheel.mostOfFirst(TENANTS_LOOKED_AT, slot -> dueFor(slot, now));
    }

    private long dueFor(int slot, long now) {
        JobState is = state.jobs.state(slot);
        boolean waits = is == JobState.SCHEDULED || is == JobState.RETRY_WAIT;
        return waits ? Math.max(0, now - state.jobs.at(slot)) : 0;
    }

    private boolean waitedTooLong(int slot, long now) {
        return state.jobs.ageEnd(slot) <= now || state.guards.giveUpAt(slot) <= now;
    }

    /**
     * What is to be done about a job whose timer fired; null if nothing, or not yet, and then its timer is set again.
     *
     * @param alone no tick waits
     */
    private @Nullable Command look(int slot, boolean alone, long now) {
        JobSlots jobs = state.jobs;
        JobState is = jobs.state(slot);
        long notAfter = jobs.notAfter(slot);
        if (notAfter > 0 && now > notAfter && !is.leased()) {
            return new Command.PassNotAfter(jobs.id(slot));
        }
        if (is.leased()) {
            Hold hold = state.hold(slot);
            if (hold.endsAt() <= now) {
                return new Command.ExpireLease(jobs.id(slot), hold.token(), hold.end());
            }
        } else if (is != JobState.SCHEDULED && waitedTooLong(slot, now)) {
            return new Command.GiveUp(jobs.id(slot));
        } else if (is != JobState.QUEUED && jobs.at(slot) <= now && !state.guards.parking.parked(slot)) {
            if (!promotions.has(alone)) {
                state.wheel.putOff(slot);
                return null;
            }
            if (is == JobState.RETRY_WAIT && !state.guards.mayRetry(slot, now)) {
                return null;
            }
            promotions.take();
            return new Command.Promote(jobs.id(slot));
        }
        state.arm(slot);
        return null;
    }
}
