package dev.fairlane.core.share;

/** Tells what keeps jobs from a slot that nothing else holds back. Reads only. */
final class Scarcity {
    private final FairTree tree;
    private final Slices slices;

    Scarcity(FairTree tree, Slices slices) {
        this.tree = tree;
        this.slices = slices;
    }

    /** Whether the slots that are left are for others than this queue's tenant. */
    boolean keepsLastSlots(Queue queue) {
        Node tenant = root(queue);
        boolean[] any = {false, false};
        queue.forEachView(view -> {
            if (view.served) {
                any[slices.tight(view.crew()) && !slices.admits(tenant, view.size) ? 0 : 1] = true;
            }
        });
        return any[0] && !any[1];
    }

    /**
     * Whether others have what the queue waits for by their shares: no slot is free and others hold some, or its tenant has its share
     * of the slots already. A big job that finds slots, but no worker with enough left, waits for room; so does one whose tenant holds
     * every slot itself.
     */
    boolean othersTurn(Queue queue) {
        if (tree.running() <= queue.account().node.running()) {
            return false;
        }
        boolean[] any = {false, false};
        queue.forEachView(view -> {
            any[0] |= view.common;
            any[1] |= view.common && view.crew().free > 0;
        });
        Node node = queue.account().node;
        return any[0] && (!any[1] || (double) node.shared() / Requirement.SLOT >= tree.fairSlots(node));
    }

    private static Node root(Queue queue) {
        Node node = queue.lane.node;
        while (node.parent != null) {
            node = node.parent;
        }
        return node;
    }
}
