package dev.fairlane.core.lease;

import dev.fairlane.core.model.Command.LeaseEnd;
import dev.fairlane.core.model.Resources;
import org.jspecify.annotations.Nullable;

/**
 * A live lease. The objects are reused: nobody keeps one beyond the call.
 *
 * <p>They are old, and the collector is told of every reference that is written into an old object. So they are linked by numbers, and what a
 * lease refers to stays in the object when it ends, because nearly always the next one refers to the same.
 */
public final class Hold {
    public static final int NO_SESSION = -1;
    static final int NONE = -1;
    private static final int UNKNOWN = -2;

    final int index;
    int slot;
    long token;
    long leaseMicros;
    long untilAt;
    long limitAt;
    long cancelBy;
    long progressMicros;
    long progressBy;
    int session = NO_SESSION;

    /** For whom its worker works, as {@link Session#scope}. */
    int scope = UNKNOWN;

    Resources demand = Resources.NONE;

    /** Meant only while {@link #seated}. */
    @Nullable Seat seat;

    boolean seated;

    /** Whether its worker's slots are not the pool's. */
    boolean aside;

    /** Whether it may be asked to hand over. */
    boolean preemptible;

    @Nullable WorkerHolds worker;

    int previous = NONE;
    int next = NONE;

    Hold(int index) {
        this.index = index;
    }

    public int index() {
        return index;
    }

    public int slot() {
        return slot;
    }

    public long token() {
        return token;
    }

    public long leaseMicros() {
        return leaseMicros;
    }

    /** Whether its worker's slots, when it was last heard of, were not the pool's. */
    public boolean aside() {
        return aside;
    }

    public void setAside(boolean isAside) {
        aside = isAside;
    }

    /** Whether it may be asked to hand over, as its type said when it began. */
    public boolean preemptible() {
        return preemptible;
    }

    public void setPreemptible() {
        preemptible = true;
    }

    public int session() {
        return session;
    }

    /** Whether its end would make room on the bench for a job of the ring. */
    public boolean makesRoom(Bench bench, SeatRing ring) {
        return seated && seat != null && seat.fitsWithout(demand, bench, ring);
    }

    /**
     * Whether the worker that has it, of whom the name alone is written down, may be the one of this name that works for {@code scope}.
     * Not known are only leases from before a restart whose worker has not come back: by them a tenant's worker and a namesake that
     * works for all cannot be told apart.
     *
     * @param tenant whose job it is
     */
    public boolean mayBeOf(int scope, int tenant) {
        return this.scope == UNKNOWN ? scope == Session.ALL_TENANTS || scope == tenant : this.scope == scope;
    }

    void forgetScope() {
        scope = UNKNOWN;
    }

    /** The worker was heard of: the lease has its full length again. */
    public void renew(long now) {
        untilAt = Math.max(untilAt, now + leaseMicros);
    }

    /** Nobody could be heard for a while: nothing of this lease ends before a full length from now. */
    public void renewAfterSilence(long now) {
        renew(now);
        limitAt = Math.max(limitAt, untilAt);
        progressed(now);
        if (cancelBy != 0) {
            cancelBy = Math.max(cancelBy, untilAt);
        }
    }

    /** @param at when the server itself ends the execution; it starts anew when the worker says it started */
    public void limitNotBefore(long at) {
        limitAt = Math.max(limitAt, at);
    }

    /** @param windowMicros how long it may show no progress; 0: as long as it likes */
    public void watchProgress(long windowMicros) {
        progressMicros = windowMicros;
        progressBy = Long.MAX_VALUE;
    }

    /** It showed progress; its window begins anew. */
    public void progressed(long at) {
        if (progressMicros > 0) {
            progressBy = progressBy == Long.MAX_VALUE ? at + progressMicros : Math.max(progressBy, at + progressMicros);
        }
    }

    /** From the first request on the clock of the grace runs; asking again does not move it. */
    public void cancelBy(long at) {
        if (cancelBy == 0) {
            cancelBy = at;
        }
    }

    /** The earliest time at which the lease ends by itself. */
    public long endsAt() {
        long end = Math.min(untilAt, Math.min(limitAt, progressBy));
        return cancelBy == 0 ? end : Math.min(end, cancelBy);
    }

    /** What ends the lease first. */
    public LeaseEnd end() {
        long end = endsAt();
        if (end == cancelBy) {
            return LeaseEnd.CANCEL_GRACE;
        }
        if (end == untilAt) {
            return LeaseEnd.SILENT_WORKER;
        }
        return end == limitAt ? LeaseEnd.TIME_LIMIT : LeaseEnd.NO_PROGRESS;
    }

    public boolean endedBy(LeaseEnd reason, long now) {
        return switch (reason) {
            case SILENT_WORKER -> untilAt <= now;
            case LOST_BY_WORKER -> true;
            case TIME_LIMIT -> limitAt <= now;
            case NO_PROGRESS -> progressBy <= now;
            case CANCEL_GRACE -> cancelBy != 0 && cancelBy <= now;
        };
    }
}
