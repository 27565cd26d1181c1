package dev.fairlane.core.share;

import org.jspecify.annotations.Nullable;

/**
 * A child of the tree at any level: the group of the free tenants, a tenant, a part of a tenant, a lane. What it used, what it holds,
 * and where it competes.
 *
 * <p>Slots are counted in thousandths, see {@link Requirement}.
 */
public final class Node {
    static final long NOT_BEGUN = Long.MAX_VALUE;

    /** Keys of what is left of a reservation are below this. */
    private static final double RESERVED = -3;

    /** Keys of what is left of a guarantee are below this. */
    private static final double GUARANTEED = -1;

    /** Null: it hangs at the root. */
    @Nullable Node parent;

    /** Settles ties among siblings, the same on every run. */
    final int order;

    private int weight;
    /** One thousandth of a slot, per weight. */
    private double scale;

    /** Slot-time used per weight, in microseconds, settled up to {@link #settledAt}; soft. */
    double virtual;

    long settledAt;
    /** In thousandths. */
    private double slotMicros;

    /** Thousandths of slots its jobs take now. */
    long held;

    int running;
    int waiting;

    /** Null for most. */
    @Nullable Bounds bounds;

    /** Reasons ({@link Block}) why nothing of it may be given; 0: it may. */
    int blocks;

    /** Since when it neither holds nor could run anything. */
    long idleSince;

    /** Views in whose order it is; eligible while there is one. */
    int inViews;

    /** The first of its members, one for each view that covers anything of it; the others follow by {@link Member#next}. */
    @Nullable Member members;

    Node(@Nullable Node parent, int order, int weight, boolean begun) {
        this.parent = parent;
        this.order = order;
        setWeight(weight);
        this.settledAt = begun ? 0 : NOT_BEGUN;
    }

    /** Executions. */
    public int running() {
        return running;
    }

    public int waiting() {
        return waiting;
    }

    public int weight() {
        return weight;
    }

    /** Its weight without what a promise adds to it, see {@link Floor}. */
    public int ownWeight() {
        return bounds == null || bounds.ownWeight == 0 ? weight : bounds.ownWeight;
    }

    /** Slots its jobs take now, in dominant slots. */
    public double held() {
        return (double) held / Requirement.SLOT;
    }

    /** Slots nobody else may use. */
    public double reserved() {
        return bounds == null ? 0 : (double) bounds.reserved / Requirement.SLOT;
    }

    /** Slot-time used since virtual time began. */
    public double slotMicros(long now) {
        double since = now > settledAt ? (double) held * (now - settledAt) : 0;
        return (slotMicros + since) / Requirement.SLOT;
    }

    boolean active() {
        return inViews > 0 || held > 0;
    }

    double virtualAt(long now) {
        return now > settledAt ? virtual + charged() * scale * (now - settledAt) : virtual;
    }

    /** To be called when it is settled: slot-time counts at this weight from then on. */
    void setWeight(int weight) {
        this.weight = weight;
        this.scale = 1.0 / (Requirement.SLOT * weight);
    }

    /** What it holds, reservations included. */
    private long charged() {
        return bounds == null ? held : Math.max(held, bounds.reserved + bounds.aside);
    }

    /**
     * The smallest goes first. The job to come is not counted: with it, a child whose share is less than a slot would wait until it is owed
     * what a whole slot weighs (ADR 14). Below what it is assured the part it has of it counts, and that is negative: reservations, then
     * guarantees, then everybody by virtual time and slots.
     *
     * @param size of the job, in thousandths of slots
     * @param hold H
     */
    double keyAt(long now, long size, double hold) {
        if (bounds != null && shared() + size <= bounds.assured) {
            double part = (double) (shared() + size) / bounds.assured;
            return part - 1 + (bounds.reserved > 0 ? RESERVED : GUARANTEED);
        }
        double since = now > settledAt ? now - settledAt : 0;
        return virtual + charged() * scale * (since + hold);
    }

    /** Its key if it held so much less; it then still has what it is assured. */
    double keyWithout(long size, long now, double hold) {
        long left = bounds == null ? held - size : Math.max(held - size, bounds.reserved + bounds.aside);
        return virtualAt(now) + left * scale * hold;
    }

    void settle(long now) {
        if (now > settledAt) {
            virtual = virtualAt(now);
            slotMicros += (double) held * (now - settledAt);
            settledAt = now;
        }
    }

    /** What it has reserved and does not use. */
    long unused() {
        return bounds == null ? 0 : Math.max(0, bounds.reserved - shared());
    }

    /** What it holds of the pool's slots. Promises and bounds are of those: a tenant's own workers neither add to them nor use them up. */
    long shared() {
        return bounds == null ? held : held - bounds.aside;
    }

    /** Whether what it has may be given in a view. */
    boolean open(View view) {
        return blocks == 0 || blocks == Block.SLICE && !view.common;
    }

    Bounds bounds() {
        if (bounds == null) {
            bounds = new Bounds();
        }
        return bounds;
    }

    boolean guaranteed() {
        return bounds != null && bounds.guaranteed;
    }

    boolean full() {
        return bounds != null && bounds.full(this);
    }

    boolean atSlice() {
        return bounds != null && bounds.atSlice(this);
    }

    @Nullable Member member(View view) {
        for (Member member = members; member != null; member = member.next) {
            if (member.view == view) {
                return member;
            }
        }
        return null;
    }

    void add(Member member) {
        if (members == null) {
            members = member;
            return;
        }
        Member last = members;
        while (last.next != null) {
            last = last.next;
        }
        last.next = member;
    }

    void drop(Member gone) {
        if (members == gone) {
            members = gone.next;
        } else {
            for (Member member = members; member != null; member = member.next) {
                if (member.next == gone) {
                    member.next = gone.next;
                }
            }
        }
        // the gone one keeps its link: who is going through them goes on behind it
    }

    /** Of its children that are eligible or hold slots. */
    long activeWeight() {
        return bounds == null ? 0 : bounds.activeWeight;
    }

    void addActive(long weight) {
        bounds().activeWeight += weight;
    }

    /** Of a lane with times of its own; null: as the node says. */
    @Nullable Aging aging() {
        return bounds == null ? null : bounds.aging;
    }

    void setAging(@Nullable Aging aging) {
        if (aging != null || bounds != null) {
            bounds().aging = aging;
        }
    }
}
