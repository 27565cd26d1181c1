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
 * <p>Promotions come from a bucket that fills at the configured rate; due jobs over it are put off in order. The bucket is soft: a
 * failover costs one bucket's worth of promotions at once.
 */
final class Alarms {
    /** A command whose decision came to nothing is asked again after this. */
    private static final long ASK_AGAIN_MICROS = 1_000_000;

    /** The bucket holds this much time's worth; promotions come in portions of a tenth of it. */
    private static final long BUCKET_MICROS = 100_000;

    /** Timers looked at in one go, those that are put off included: a crowd due at once does not hold the others up. */
    private static final int LOOKS_PER_COMMAND = 4;

    private static final int NONE = ShardState.NONE;

    private final ShardState state;
    private final double perMicro;
    private final double bucketSize;
    private double bucket;
    private long filledAt;

    Alarms(ShardState state) {
        this.state = state;
        this.perMicro = state.config.room().promotionsPerSecond() / 1e6;
        this.bucketSize = Math.max(1, perMicro * BUCKET_MICROS);
        this.bucket = bucketSize;
    }

    int due(long now, int max, Consumer<Command> sink) {
        state.wheel.advance(now);
        fill(now);
        state.guards.fire(now, sink);
        int given = ticks(now, max, sink);
        state.late.due(oldestDueMicros(now));
        long looks = (long) max * LOOKS_PER_COMMAND;
        while (given < max && looks-- > 0) {
            boolean wasPutOff = bucket >= 1 && state.wheel.hasPutOff();
            int slot = wasPutOff ? state.wheel.pollPutOff() : state.wheel.poll();
            if (slot == NONE) {
                break;
            }
            Command command = look(slot, now);
            if (command == null) {
                continue;
            }
            state.wheel.set(slot, now + ASK_AGAIN_MICROS);
            given++;
            sink.accept(command);
        }
        return given;
    }

    /** Ticks of schedules bring jobs, so they take from the same bucket as jobs that were put in earlier. */
    private int ticks(long now, int max, Consumer<Command> sink) {
        state.schedules.advance(now);
        int given = 0;
        while (given < max && bucket >= 1 && state.schedules.giveDue(now, sink)) {
            bucket--;
            given++;
        }
        return given;
    }

    long nextAt() {
        long next = Math.min(state.wheel.nextAt(), state.guards.deadlines.nextAt());
        if (state.wheel.hasPutOff()) {
            next = Math.min(next, refilledAt());
        }
        long tickAt = state.schedules.nextAt();
        return Math.min(next, tickAt <= filledAt && bucket < 1 ? refilledAt() : tickAt);
    }

    long oldestDueMicros(long now) {
        return Math.max(dueFor(state.wheel.peekPutOff(), now), dueFor(state.wheel.peek(), now));
    }

    private long dueFor(int slot, long now) {
        if (slot == NONE) {
            return 0;
        }
        JobState is = state.jobs.state(slot);
        boolean waits = is == JobState.SCHEDULED || is == JobState.RETRY_WAIT;
        return waits ? Math.max(0, now - state.jobs.at(slot)) : 0;
    }

    private long refilledAt() {
        double missing = Math.max(1, bucketSize / 10) - bucket;
        return filledAt + (long) Math.ceil(Math.max(0, missing) / perMicro);
    }

    private void fill(long now) {
        if (now > filledAt) {
            bucket = Math.min(bucketSize, bucket + (now - filledAt) * perMicro);
            filledAt = now;
        }
    }

    private boolean waitedTooLong(int slot, long now) {
        return state.jobs.ageEnd(slot) <= now || state.guards.giveUpAt(slot) <= now;
    }

    /** What is to be done about a job whose timer fired; null if nothing, or not yet, and then its timer is set again. */
    private @Nullable Command look(int slot, long now) {
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
            if (bucket < 1) {
                state.wheel.putOff(slot);
                return null;
            }
            if (is == JobState.RETRY_WAIT && !state.guards.mayRetry(slot, now)) {
                return null;
            }
            bucket--;
            return new Command.Promote(jobs.id(slot));
        }
        state.arm(slot);
        return null;
    }
}
