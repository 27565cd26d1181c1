package dev.fairlane.core.share;

import java.util.List;

/**
 * The least weight of tenants that are promised a part of a pool.
 *
 * <p>A part of the slots helps only who is promised a whole one: of fewer than a hundred slots one percent is none, and a large job needs
 * several. With a weight that is one percent of all weights in use, whoever competes, a tenant with backlog gets one percent of
 * the slot-time, a tenth of a slot as well as ten: the same rule of virtual time then keeps the promise, and no clock has to be watched.
 * For most it changes nothing, since their own weight is more than that.
 *
 * <p>Weights come and go with every tenant that becomes idle, so the floor is computed for a little more than there is, and again when that
 * is passed, or when a fifth less is left for a while.
 */
final class Floor {
    private static final double PROMISED = 0.01;
    /** Of all promises together. */
    private static final double PROMISED_TOGETHER = 0.8;

    private static final double AHEAD = 1.05;
    private static final double BEHIND = 0.8;
    /** A heavy tenant that comes and goes with every job moves the floor down no more often. */
    private static final long CALM_MICROS = 1_000_000;

    private final FairTree tree;
    private final List<Account> promised;

    /** Of the active promised ones. */
    private int claiming;
    /** What they weigh beyond their own weights. */
    private long raised;

    private int least;
    private double reckonedWeight;
    private double reckonedClaims;
    private long reckonedAt;

    /** @param promised who has a promise; the caller changes it before it says so */
    Floor(FairTree tree, List<Account> promised) {
        this.tree = tree;
        this.promised = promised;
    }

    /** A child of the root is about to become active. */
    void coming(Node node, long now) {
        if (promised.isEmpty()) {
            return;
        }
        int own = node.ownWeight();
        if (node.guaranteed()) {
            reckon(tree.activeWeight(null) - raised + own, claiming + 1, now);
            claiming++;
            raised += node.weight() - own;
        } else {
            reckon(tree.activeWeight(null) - raised + own, claiming, now);
        }
    }

    /** A child of the root was active and is no longer counted. */
    void gone(Node node, long now) {
        if (promised.isEmpty()) {
            return;
        }
        if (node.guaranteed()) {
            claiming--;
            raised -= node.weight() - node.ownWeight();
        }
        reckon(tree.activeWeight(null) - raised, claiming, now);
    }

    /** The node is promised a part from now on. */
    void joined(Node node, long now) {
        node.bounds().ownWeight = node.weight();
        claiming += node.active() ? 1 : 0;
        reckon(tree.activeWeight(null) - raised, claiming, now);
        raise(node, now);
    }

    /** It no longer is. */
    void left(Node node, long now) {
        if (node.active()) {
            claiming--;
            raised -= node.weight() - node.ownWeight();
        }
        tree.reweigh(node, node.ownWeight(), now);
        node.bounds().ownWeight = 0;
        reckon(tree.activeWeight(null) - raised, claiming, now);
    }

    /** It has another weight of its own. */
    void weighs(Node node, int weight, long now) {
        int beyond = node.weight() - node.ownWeight();
        node.bounds().ownWeight = weight;
        tree.reweigh(node, Math.max(weight, least), now);
        if (node.active()) {
            raised += node.weight() - weight - beyond;
        }
        reckon(tree.activeWeight(null) - raised, claiming, now);
    }

    private void reckon(double weight, int claims, long now) {
        boolean more = weight > reckonedWeight || claims > reckonedClaims;
        boolean less = weight < reckonedWeight * BEHIND || claims < reckonedClaims * BEHIND - 1;
        if (!more && (!less || now - reckonedAt < CALM_MICROS)) {
            return;
        }
        reckonedAt = now;
        reckonedWeight = weight * AHEAD;
        reckonedClaims = claims * AHEAD + 1;
        double part = Math.min(PROMISED, PROMISED_TOGETHER / reckonedClaims);
        least = (int) Math.min(Integer.MAX_VALUE / 2, Math.ceil(part * reckonedWeight / (1 - part * reckonedClaims)));
        for (Account account : promised) {
            raise(account.node, now);
        }
    }

    private void raise(Node node, long now) {
        int before = node.weight();
        tree.reweigh(node, Math.max(node.ownWeight(), least), now);
        if (node.active()) {
            raised += node.weight() - before;
        }
    }
}
