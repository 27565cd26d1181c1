package dev.fairlane.core.share;

import java.util.List;

/**
 * Who waits for a slot while it has less than its share, and what others have of theirs. Reads only. It goes through those who wait,
 * up to a bound: for now and then, not for every job.
 *
 * <p>A share here is what a tenant would hold if everybody active had its part by weight, or what it is assured if that is more.
 */
public final class Claims {
    /** Tenants looked at in one go. */
    private static final int MAX_LOOKS = 1_000;

    /** Hears of those who wait. */
    public interface Listener {
        /**
         * A tenant has a job for the view that nothing but a slot holds back.
         *
         * @return whether that was enough: nobody else is told of then
         */
        boolean waits(Account tenant, View view);
    }

    private final FairTree tree;
    private final Slices slices;
    private final double hold;
    /** The crew that is looked at first. */
    private int turn;

    private int looks;

    Claims(FairTree tree, Slices slices, double hold) {
        this.tree = tree;
        this.slices = slices;
        this.hold = hold;
    }

    /** Tells of tenants that wait for the pool's slots and would have the next one that became free, whatever they hold. */
    public void tell(Listener listener) {
        List<Crew> crews = slices.crews();
        int first = turn++;
        looks = MAX_LOOKS;
        for (int i = 0; i < crews.size(); i++) {
            for (View view : crews.get(Math.floorMod(first + i, crews.size())).views) {
                if (view.hasWork() && tell(view.top, listener)) {
                    return;
                }
            }
        }
    }

    /** By levels of the heap, which is nearly the order of those who are next. */
    private boolean tell(Branch above, Listener listener) {
        if (above.only() != null) {
            return tell(above.only(), listener);
        }
        NodeHeap heap = above.heap();
        for (int at = 0; at < heap.size(); at++) {
            if (tell(heap.get(at), listener)) {
                return true;
            }
        }
        return false;
    }

    private boolean tell(Member member, Listener listener) {
        if (looks-- == 0) {
            return true;
        }
        Node node = Presence.node(member);
        if (node.parent == null && !waits(node, member.view)) {
            return false;
        }
        if (node == tree.freeGroup()) {
            return tell((Branch) member, listener);
        }
        Account tenant = tree.account(node.order);
        return tenant != null && listener.waits(tenant, member.view);
    }

    /** Whether a child of the root may have no slot that is free, and may have one that becomes so. */
    private boolean waits(Node node, View view) {
        Crew crew = view.crew();
        if (view.served && (!slices.tight(crew) || slices.admits(node, view.size))) {
            return false;
        }
        return !slices.tight(crew, 1) || slices.admits(node, view.size);
    }

    /** What the tenant holds of the pool's slots, in thousandths. */
    public long held(Account tenant) {
        return tenant.node.shared();
    }

    /** Its share of them, in thousandths. */
    public double share(Account tenant) {
        Bounds bounds = tenant.node.bounds;
        return Math.max(tree.fairSlots(tenant.node) * Requirement.SLOT, bounds == null ? 0 : bounds.assured);
    }

    /**
     * Whether a slot that another gives up would go to the tenant.
     *
     * @param size what the other holds less then, in thousandths; it still has its share
     */
    public boolean goesBefore(Account tenant, View view, Account giver, long size, long now) {
        Node mine = tenant.node;
        Node other = giver.node;
        if (mine.parent != other.parent) {
            mine = mine.parent == null ? mine : mine.parent;
            other = other.parent == null ? other : other.parent;
        }
        return mine.keyAt(now, view.size, hold) < other.keyWithout(size, now, hold);
    }
}
