package dev.fairlane.core.share;

import java.util.Arrays;

/** The waiting jobs of one (pool, tenant, stream, type): ten tiers of priority, each a list in order of queueing. */
public final class Lane {
    private static final int NONE = Lanes.NONE;
    private static final Member[] NO_MEMBERS = {};

    final Account account;
    /** Name of the tenant's stream. */
    final String name;

    final String type;
    private final int number;
    private final int[] heads = new int[Aging.TIERS];
    private final int[] tails = new int[Aging.TIERS];
    /** Bit p: tier p has jobs. */
    int tiers;
    /** Place in the account's list of lanes with jobs, or −1. */
    int place = NONE;
    /** Reasons ({@link Block}) why its jobs may not be given; 0: they may. */
    int blocks;
    /** The account's members of the views that cover this lane. */
    Member[] covering = NO_MEMBERS;

    Lane(int number, Account account, String name, String type) {
        this.number = number;
        this.account = account;
        this.name = name;
        this.type = type;
        Arrays.fill(heads, NONE);
        Arrays.fill(tails, NONE);
    }

    public int number() {
        return number;
    }

    public Account account() {
        return account;
    }

    public String name() {
        return name;
    }

    public String type() {
        return type;
    }

    boolean isEmpty() {
        return tiers == 0;
    }

    /** Its own reasons and its account's. */
    public boolean blocked() {
        return (blocks | account.blocks) != 0;
    }

    /** Whether views that cover it see a job in it. */
    boolean visible() {
        return tiers != 0 && (blocks | account.blocks) == 0;
    }

    /** When its longest waiting job was queued; MAX_VALUE if there is none. */
    long earliest(WaitingJobs jobs) {
        long earliest = Long.MAX_VALUE;
        for (int bits = tiers; bits != 0; bits &= bits - 1) {
            earliest = Math.min(earliest, jobs.queuedAt(heads[Integer.numberOfTrailingZeros(bits)]));
        }
        return earliest;
    }

    int head(int tier) {
        return heads[tier];
    }

    boolean coveredBy(Member member) {
        for (Member m : covering) {
            if (m == member) {
                return true;
            }
        }
        return false;
    }

    void cover(Member member) {
        covering = Arrays.copyOf(covering, covering.length + 1);
        covering[covering.length - 1] = member;
    }

    void uncover(Member member) {
        Member[] rest = new Member[covering.length - 1];
        int kept = 0;
        for (Member m : covering) {
            if (m != member) {
                rest[kept++] = m;
            }
        }
        covering = kept == 0 ? NO_MEMBERS : rest;
    }

    /** Puts a job at its place by {@code queuedAt}, looking from the end: nearly always that is the end. */
    void insert(int slot, int tier, Lanes links, WaitingJobs jobs) {
        int before = tails[tier];
        if (before != NONE) {
            long at = jobs.queuedAt(slot);
            while (before != NONE && jobs.queuedAt(before) > at) {
                before = links.prev(before);
            }
        }
        link(slot, tier, before, before == NONE ? heads[tier] : links.next(before), links);
    }

    void insertFirst(int slot, int tier, Lanes links) {
        link(slot, tier, NONE, heads[tier], links);
    }

    private void link(int slot, int tier, int before, int after, Lanes links) {
        links.set(slot, before, after);
        if (before == NONE) {
            heads[tier] = slot;
        } else {
            links.setNext(before, slot);
        }
        if (after == NONE) {
            tails[tier] = slot;
        } else {
            links.setPrev(after, slot);
        }
        tiers |= 1 << tier;
    }

    void remove(int slot, int tier, Lanes links) {
        int before = links.prev(slot);
        int after = links.next(slot);
        if (before == NONE) {
            heads[tier] = after;
        } else {
            links.setNext(before, after);
        }
        if (after == NONE) {
            tails[tier] = before;
        } else {
            links.setPrev(after, before);
        }
        if (heads[tier] == NONE) {
            tiers &= ~(1 << tier);
        }
    }
}
