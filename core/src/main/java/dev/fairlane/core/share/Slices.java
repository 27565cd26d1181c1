package dev.fairlane.core.share;

import java.util.ArrayList;
import java.util.List;

/**
 * What tiers have beyond their weight (semantics §6), in thousandths of slots: the free tenants' slice, guarantees, reservations, and
 * the headroom of a pool. All follow from the pool's slots and are computed again when those change.
 *
 * <p>Whether slots are left is judged for each crew by those that are free around it: its own, and those of crews that could run all it
 * can. Idle slots of workers that could not run a job are of no use to the one they were promised to.
 */
final class Slices {
    /** Hears when guarantees have to be smaller than promised, and when they are whole again. */
    interface Listener {
        void scaled(boolean down);
    }

    private static final int FREE_PERCENT = 5;
    private static final int GUARANTEED_PERCENT = 1;
    private static final int ASSURED_PERCENT = 80;

    private final FairTree tree;
    private final int headroomPercent;
    private final Listener listener;

    private final List<Account> reserving = new ArrayList<>();
    private final List<Account> guaranteed = new ArrayList<>();
    private final Floor floor;
    /** Tenants with a guarantee that are active. */
    private int claiming;
    /** As many were thought of when guarantees were last computed. */
    private int reckonedWith;

    /** What a guarantee is worth. */
    private long each;

    private boolean scaled;

    /** Crews whose slots are the pool's, and those slots. */
    private final List<Crew> crews = new ArrayList<>();

    private int slots;

    private long unused;

    /** Of the crew looked at last: what is free and not kept, and what of it is not for everybody. */
    private long open;

    private long headroom;
    private long slotsAround;

    Slices(FairTree tree, int headroomPercent, Listener listener) {
        this.tree = tree;
        this.floor = new Floor(tree, guaranteed);
        this.headroomPercent = headroomPercent;
        this.listener = listener;
    }

    // ---- while choosing

    void addFree(Crew crew, int more) {
        crew.free += more;
        for (int i = 0; i < crew.standsInFor.size(); i++) {
            crew.standsInFor.get(i).freeAround += more;
        }
    }

    /** Whether not everybody may have the next slot of a crew; then {@link #admits} says who may. */
    boolean tight(Crew crew) {
        return tight(crew, 0);
    }

    /** The same if so many more slots of it were free. */
    boolean tight(Crew crew, int more) {
        if (unused == 0 && headroomPercent == 0 || !crew.isCommon()) {
            return false;
        }
        slotsAround = crew.slotsAround * Requirement.SLOT;
        headroom = slotsAround * headroomPercent / 100;
        long free = (crew.freeAround + more) * Requirement.SLOT;
        open = free - unused;
        if (open >= Requirement.SLOT && open > headroom) {
            return false;
        }
        if (unused > 0) {
            open = free - kept(crew);
        }
        return open < Requirement.SLOT || open <= headroom;
    }

    /** Whether a child of the root may have one of the last slots of the crew that was found {@link #tight}. */
    boolean admits(Node node, long size) {
        long shared = node.shared();
        long with = shared + size;
        Bounds bounds = node.bounds;
        if (bounds != null && bounds.reserved > 0 && with <= bounds.reserved) {
            return true;
        }
        if (open < Requirement.SLOT) {
            return false;
        }
        return open > headroom || shared == 0 || bounds != null && with <= bounds.assured || with <= share(node);
    }

    /** What the node would have beside one more of its weight, so that one alone there has not all of it. */
    private long share(Node node) {
        return slotsAround * node.weight() / (tree.activeWeight(null) + node.weight());
    }

    /** What is kept around a crew for those who reserved slots, do not use them and have, or had, jobs for it; in whole slots. */
    private long kept(Crew crew) {
        long all = 0;
        for (int i = 0; i < reserving.size(); i++) {
            Node node = reserving.get(i).node;
            long own = node.unused();
            if (own > 0 && mayNeed(node, crew)) {
                all += own;
            }
        }
        long most = slotsAround * ASSURED_PERCENT / 100;
        return all <= most ? all : most / Requirement.SLOT * Requirement.SLOT;
    }

    /** Of one that has submitted nothing yet nobody knows what it will need. */
    private static boolean mayNeed(Node node, Crew crew) {
        boolean known = false;
        for (Member member = node.members; member != null; member = member.next) {
            if (member.view.crew() == crew) {
                return true;
            }
            known |= member.view.common;
        }
        return !known;
    }

    /** To be called with what the node had unused before its slots changed. */
    void usedChanged(Node node, long before) {
        unused += node.unused() - before;
    }

    // ---- when rules, slots or tenants change

    void opened(Crew crew) {
        if (!crew.isCommon()) {
            return;
        }
        crews.add(crew);
        for (Crew other : crews) {
            if (other.covers(crew)) {
                other.standsInFor.add(crew);
                crew.freeAround += other.free;
                crew.slotsAround += other.slots;
            }
            if (other != crew && crew.covers(other)) {
                crew.standsInFor.add(other);
            }
        }
    }

    /** Its workers are gone, and their slots with them. */
    void closed(Crew crew) {
        if (crews.remove(crew)) {
            for (Crew other : crews) {
                other.standsInFor.remove(crew);
            }
        }
    }

    /** Those whose slots are the pool's. */
    List<Crew> crews() {
        return crews;
    }

    void addSlots(Crew crew, int more, long now) {
        if (crew.isCommon()) {
            slots += more;
            crew.slots += more;
            for (Crew other : crew.standsInFor) {
                other.slotsAround += more;
            }
            compute(now);
        }
    }

    /** The pool's. */
    int slots() {
        return slots;
    }

    /** The tenant's rules are new or changed. */
    void set(Account account, boolean guarantee, long now) {
        Node node = account.node;
        if (guarantee && !node.guaranteed()) {
            node.bounds().guaranteed = true;
            guaranteed.add(account);
            assure(node, each, now);
            if (node.active()) {
                activated(node, now);
            }
            floor.joined(node, now);
        } else if (!guarantee && node.guaranteed()) {
            if (node.active()) {
                becameIdle(node, now);
            }
            node.bounds().guaranteed = false;
            guaranteed.remove(account);
            floor.left(node, now);
            assure(node, 0, now);
        }
        boolean reserves = account.reservedSlots() > 0;
        boolean reserved = reserving.contains(account);
        if (reserves && !reserved) {
            reserving.add(account);
        } else if (!reserves && reserved) {
            reserving.remove(account);
            reserve(node, 0, now);
            assure(node, guarantee ? each : 0, now);
        }
        if (reserves || reserved) {
            compute(now);
        }
    }

    /** The account's own weight is another. */
    void weighs(Account account, int weight, long now) {
        floor.weighs(account.node, weight, now);
    }

    /** A child of the root is about to become active. */
    void coming(Node node, long now) {
        floor.coming(node, now);
    }

    void activated(Node node, long now) {
        if (node.guaranteed() && ++claiming > reckonedWith) {
            compute(now);
        }
    }

    /** A node that was active is counted no longer. */
    void gone(Node node, long now) {
        becameIdle(node, now);
        if (node.parent == null) {
            floor.gone(node, now);
        }
    }

    private void becameIdle(Node node, long now) {
        if (node.guaranteed()) {
            claiming--;
            if (scaled && claiming < reckonedWith / 4) {
                compute(now);
            }
        }
    }

    /** Computes everything again. */
    void compute(long now) {
        long total = slots * Requirement.SLOT;
        Node group = tree.freeGroup();
        if (group != null) {
            group.bounds().maxHeld = Math.max(Requirement.SLOT, total * FREE_PERCENT / 100);
            tree.judgeCap(group, now);
        }
        long left = total * ASSURED_PERCENT / 100;
        boolean tooMuch = false;
        if (!reserving.isEmpty()) {
            long wanted = 0;
            for (Account account : reserving) {
                wanted += account.reservedSlots() * Requirement.SLOT;
            }
            tooMuch = wanted > left;
            long all = 0;
            for (Account account : reserving) {
                long own = account.reservedSlots() * Requirement.SLOT;
                long granted = tooMuch ? own * left / wanted / Requirement.SLOT * Requirement.SLOT : own;
                all += granted;
                reserve(account.node, granted, now);
                assure(account.node, granted, now);
            }
            left -= all;
        }
        tooMuch |= guarantee(total, left, now);
        if (tooMuch != scaled && total > 0) {
            scaled = tooMuch;
            listener.scaled(tooMuch);
        }
    }

    /** Gives the guarantees their part of what reservations left; returns whether they had to be smaller. */
    private boolean guarantee(long total, long left, long now) {
        each = total * GUARANTEED_PERCENT / 100;
        boolean less = each * claiming > left;
        // computed for more than there are, so that one more or less changes nothing
        if (less) {
            reckonedWith = Integer.highestOneBit(claiming) * 2;
            each = left / reckonedWith;
        } else {
            reckonedWith = each == 0 ? Integer.MAX_VALUE : (int) Math.min(Integer.MAX_VALUE, left / each);
        }
        for (Account account : guaranteed) {
            if (account.reservedSlots() == 0) {
                assure(account.node, each, now);
            }
        }
        return less;
    }

    private void reserve(Node node, long slots, long now) {
        if (node.bounds().reserved != slots) {
            node.settle(now);
            long before = node.unused();
            node.bounds().reserved = slots;
            usedChanged(node, before);
        }
    }

    private void assure(Node node, long slots, long now) {
        if (node.bounds().assured != slots) {
            node.bounds().assured = slots;
            tree.keyFell(node, now);
        }
    }

    /** What is reserved and not used. */
    long unused() {
        return unused;
    }
}
