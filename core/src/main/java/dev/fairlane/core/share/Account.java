package dev.fairlane.core.share;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A child of the tree: one tenant in one pool, with what it used, what it holds, and what it has waiting. */
public final class Account {
    private static final Member[] NO_MEMBERS = {};

    final int pool;
    final int tenant;
    int weight;

    /** Slot-time used per weight, in microseconds, settled up to {@link #settledAt}; soft. */
    double virtual;

    long settledAt;
    double slotMicros;
    int held;
    int waiting;

    /** Reasons ({@link Block}) why nothing of it may be given; 0: it may. */
    int blocks;

    /** Since when it neither holds nor could run anything. */
    long idleSince;

    /** Views in whose heap it is; eligible while there is one. */
    int inViews;

    /** One for each view that covers any of its lanes. */
    Member[] members = NO_MEMBERS;

    /** By type; most have one of a type. */
    private final Map<String, List<Lane>> lanes = new HashMap<>(4);
    /** The lane asked for last; most tenants submit one type many times. */
    @Nullable Lane lastLane;

    /** Lanes that have jobs. */
    Lane[] busy = new Lane[2];

    int busyCount;

    Account(int pool, int tenant, int weight) {
        this.pool = pool;
        this.tenant = tenant;
        this.weight = weight;
    }

    /** The number of the tree this account is in. */
    public int pool() {
        return pool;
    }

    public int tenant() {
        return tenant;
    }

    public int held() {
        return held;
    }

    public int waiting() {
        return waiting;
    }

    /** Slot-time used since virtual time began. */
    public double slotMicros(long now) {
        return now > settledAt ? slotMicros + (double) held * (now - settledAt) : slotMicros;
    }

    List<Lane> lanes(String type) {
        return lanes.getOrDefault(type, List.of());
    }

    /** All its lanes, in no order that means anything. */
    public Collection<List<Lane>> lanes() {
        return lanes.values();
    }

    void add(Lane lane) {
        lanes.computeIfAbsent(lane.type, type -> new ArrayList<>(1)).add(lane);
    }

    @Nullable Lane lane(String name, String type) {
        for (Lane lane : lanes(type)) {
            if (lane.name.equals(name)) {
                return lane;
            }
        }
        return null;
    }

    boolean eligible() {
        return inViews > 0;
    }

    boolean active() {
        return inViews > 0 || held > 0;
    }

    double virtualAt(long now) {
        return now > settledAt ? virtual + (double) held * (now - settledAt) / weight : virtual;
    }

    double keyAt(long now, double holdMicros) {
        return virtualAt(now) + holdMicros * (held + 1) / weight;
    }

    void settle(long now) {
        if (now > settledAt) {
            virtual = virtualAt(now);
            slotMicros = slotMicros(now);
            settledAt = now;
        }
    }

    @Nullable Member member(View view) {
        for (Member member : members) {
            if (member.view == view) {
                return member;
            }
        }
        return null;
    }

    Member join(View view) {
        Member member = member(view);
        if (member == null) {
            member = Member.of(this, view);
            members = Arrays.copyOf(members, members.length + 1);
            members[members.length - 1] = member;
        }
        return member;
    }

    void quit(View view) {
        Member gone = member(view);
        if (gone == null) {
            return;
        }
        Member[] rest = new Member[members.length - 1];
        int kept = 0;
        for (Member member : members) {
            if (member != gone) {
                rest[kept++] = member;
            }
        }
        members = kept == 0 ? NO_MEMBERS : rest;
    }

    void laneFilled(Lane lane) {
        if (busyCount == busy.length) {
            busy = Arrays.copyOf(busy, busy.length * 2);
        }
        lane.place = busyCount;
        busy[busyCount++] = lane;
    }

    void laneEmptied(Lane lane) {
        Lane last = busy[--busyCount];
        busy[lane.place] = last;
        last.place = lane.place;
        lane.place = Lanes.NONE;
    }

    /** The job that is next for a view: most urgent after aging, then earliest. */
    int head(Member member, Aging aging, WaitingJobs jobs, long now) {
        int best = Lanes.NONE;
        int bestTier = Aging.TIERS;
        long bestAt = Long.MAX_VALUE;
        for (int i = 0; i < busyCount; i++) {
            Lane lane = busy[i];
            if (lane.blocked() || !lane.coveredBy(member)) {
                continue;
            }
            for (int bits = lane.tiers; bits != 0; bits &= bits - 1) {
                int priority = Integer.numberOfTrailingZeros(bits);
                int slot = lane.head(priority);
                long at = jobs.queuedAt(slot);
                int tier = aging.tier(priority, now - at);
                if (tier < bestTier || tier == bestTier && (at < bestAt || at == bestAt && earlier(slot, best, jobs))) {
                    best = slot;
                    bestTier = tier;
                    bestAt = at;
                }
            }
        }
        return best;
    }

    private static boolean earlier(int slot, int other, WaitingJobs jobs) {
        return Long.compareUnsigned(jobs.sequence(slot), jobs.sequence(other)) < 0;
    }

    /** When the earliest job that a view covers (null: any) was queued; MAX_VALUE if there is none. */
    long earliest(@Nullable Member member, WaitingJobs jobs) {
        long earliest = Long.MAX_VALUE;
        for (int i = 0; i < busyCount; i++) {
            Lane lane = busy[i];
            if (member == null || !lane.blocked() && lane.coveredBy(member)) {
                earliest = Math.min(earliest, lane.earliest(jobs));
            }
        }
        return earliest;
    }
}
