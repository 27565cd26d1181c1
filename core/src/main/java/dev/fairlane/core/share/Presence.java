package dev.fairlane.core.share;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Who competes where: brings nodes into the orders of their siblings when they have something to give, and takes them out when they
 * have nothing more. From a lane up to the root, as far as something changes.
 */
final class Presence {
    private static final int MAX_DEPTH = 5;

    private final FairTree tree;
    private final ShareRules rules;
    private final double hold;
    private final WaitingJobs jobs;
    /** By level, members that are about to come; kept to make no garbage. */
    private final Member[][] coming = new Member[MAX_DEPTH][1];

    Presence(FairTree tree, ShareRules rules, WaitingJobs jobs) {
        this.tree = tree;
        this.rules = rules;
        this.hold = rules.holdMicros();
        this.jobs = jobs;
    }

    // ---- queues

    /** A queue has a job that may be given. */
    void show(Queue queue, long queuedAt, boolean measured, long now) {
        queue.shown = true;
        int count = 0;
        for (Spot spot = queue.spots; spot != null; spot = spot.next) {
            if (spot.place == Spot.OUT && show(spot, queuedAt)) {
                coming(0, count + 1)[count++] = spot.lane;
            }
        }
        if (count > 0) {
            come(queue.lane.node, count, 0, queuedAt, measured, now);
        }
    }

    void show(Queue queue, long now) {
        show(queue, queue.earliest(jobs), true, now);
    }

    /** The same for a queue that was there until now: nobody is measured by it. */
    void showAgain(Queue queue, long now) {
        show(queue, queue.earliest(jobs), false, now);
    }

    /** The same in one view, which is new. */
    void show(Spot spot, boolean measured, long now) {
        long queuedAt = spot.queue.earliest(jobs);
        if (show(spot, queuedAt)) {
            coming(0, 1)[0] = spot.lane;
            come(spot.queue.lane.node, 1, 0, queuedAt, measured, now);
        }
    }

    /** Makes a spot ready; returns whether its lane has to come. */
    private boolean show(Spot spot, long queuedAt) {
        Leaf lane = spot.lane;
        lane.add(spot, jobs);
        if (lane.listed()) {
            earlier(lane, queuedAt);
            return false;
        }
        return node(lane).open(lane.view);
    }

    /** A queue has nothing more to give. */
    void hide(Queue queue, long now) {
        queue.shown = false;
        for (Spot spot = queue.spots; spot != null; spot = spot.next) {
            hide(spot, now);
        }
    }

    void hide(Spot spot, long now) {
        if (spot.place == Spot.OUT) {
            return;
        }
        Leaf lane = spot.lane;
        lane.remove(spot, jobs);
        if (lane.listed() && !lane.hasWork()) {
            leave(lane, now);
        }
    }

    /** Another job is first in a tier of a queue that is shown. */
    void headChanged(Queue queue, int tier) {
        for (Spot spot = queue.spots; spot != null; spot = spot.next) {
            spot.lane.headChanged(spot, tier, jobs);
        }
    }

    /** A job may be the earliest of those above it. */
    void earlier(Queue queue, long queuedAt) {
        for (Spot spot = queue.spots; spot != null; spot = spot.next) {
            if (spot.lane.listed()) {
                earlier(spot.lane, queuedAt);
            }
        }
    }

    private static void earlier(Member start, long queuedAt) {
        Member member = start;
        while (member.parent != null && member.listed() && member.parent.lower(member, Double.MAX_VALUE, queuedAt)) {
            member = member.parent;
        }
    }

    // ---- nodes

    void block(Node node, int reason, long now) {
        int before = node.blocks;
        node.blocks |= reason;
        if (node.blocks != before && (before & ~Block.SLICE) == 0) {
            for (Member member = node.members; member != null; member = member.next) {
                if (member.listed() && !node.open(member.view)) {
                    leave(member, now);
                }
            }
        }
    }

    void unblock(Node node, int reason, long now) {
        int before = node.blocks;
        node.blocks &= ~reason;
        if (node.blocks == before || (node.blocks & ~Block.SLICE) != 0) {
            return;
        }
        int count = 0;
        long queuedAt = Long.MAX_VALUE;
        for (Member member = node.members; member != null; member = member.next) {
            if (member.hasWork() && !member.listed() && node.open(member.view)) {
                coming(0, count + 1)[count++] = member;
                queuedAt = Math.min(queuedAt, earliest(member));
            }
        }
        if (count > 0) {
            come(node, count, 0, queuedAt, true, now);
        }
    }

    /** A node comes to the views in {@code coming[level]}, and those above it that had nothing there. */
    private void come(Node node, int count, int level, long queuedAt, boolean measured, long now) {
        Member[] came = coming[level];
        boolean wasActive = node.active();
        double virtual = VirtualClock.UNKNOWN;
        if (measured) {
            for (int i = 0; i < count; i++) {
                virtual = Math.max(virtual, virtualOf(parent(came[i]), now));
            }
        }
        if (!wasActive) {
            tree.activated(node, now);
        }
        node.settle(now);
        if (virtual > VirtualClock.UNKNOWN) {
            measure(node, virtual, wasActive, now);
        }
        Member[] above = coming(level + 1, count);
        int more = 0;
        for (int i = 0; i < count; i++) {
            Branch up = parent(came[i]);
            boolean first = up.isEmpty();
            push(node, came[i], up, queuedAt, now);
            if (up.node == null) {
                tree.judgeReady(up.view, now);
            } else if (up.listed()) {
                earlier(up, queuedAt);
            } else if (first && up.node.open(up.view)) {
                above[more++] = up;
            }
        }
        if (more > 0 && node.parent != null) {
            come(node.parent, more, level + 1, queuedAt, measured, now);
        }
    }

    private void push(Node node, Member member, Branch up, long queuedAt, long now) {
        node.inViews++;
        if (up.isEmpty()) {
            up.addOnly(member);
            return;
        }
        if (up.only() != null) {
            Member first = up.takeOnly();
            Node sibling = node(first);
            double key = sibling.keyAt(now, first.view.size, hold);
            up.add(first, key, earliest(first), sibling.virtualAt(now));
        }
        up.add(member, node.keyAt(now, member.view.size, hold), queuedAt, node.virtual);
    }

    /** The time a newcomer is measured by. Where nobody is, that of those who use the same workers for other requirements counts. */
    private static double virtualOf(Branch up, long now) {
        if (!up.clocked()) {
            return VirtualClock.UNKNOWN;
        }
        double virtual = up.advance(now);
        Crew crew = up.view.crew();
        if (crew.views.size() == 1 || !up.isEmpty()) {
            return virtual;
        }
        if (up.node == null) {
            for (View other : crew.views) {
                virtual = Math.max(virtual, other.top.advance(now));
            }
        } else {
            for (Member other = up.node.members; other != null; other = other.next) {
                if (other.view.crew() == crew && other instanceof Branch branch) {
                    virtual = Math.max(virtual, branch.advance(now));
                }
            }
        }
        return virtual;
    }

    /** The time of the parents a node is in, the furthest of them. */
    double virtualAround(Node node, long now) {
        double virtual = VirtualClock.UNKNOWN;
        for (Member member = node.members; member != null; member = member.next) {
            virtual = Math.max(virtual, virtualOf(parent(member), now));
        }
        return virtual;
    }

    /** A node comes to parents whose virtual time is {@code virtual} at most. */
    private void measure(Node node, double virtual, boolean wasActive, long now) {
        double above = node.virtual - virtual;
        if (!wasActive && above > 0 && now > node.idleSince) {
            double halvings = (now - node.idleSince) / rules.idleHalfLifeMicros();
            node.virtual = virtual + above * StrictMath.pow(0.5, halvings);
        }
        double burst = rules.burstMicros() * slotsOf(node.parent) / tree.activeWeight(node.parent);
        node.virtual = Math.max(node.virtual, virtual - burst);
    }

    /** The fair share of a parent, in slots. */
    double slotsOf(@Nullable Node parent) {
        if (parent == null) {
            return tree.shareableSlots();
        }
        long active = tree.activeWeight(parent.parent) + (parent.active() ? 0 : parent.weight());
        return slotsOf(parent.parent) * parent.weight() / active;
    }

    private void leave(Member start, long now) {
        Member member = start;
        while (true) {
            Branch up = parent(member);
            Node node = node(member);
            if (up.clocked()) {
                up.advance(now);
            }
            up.remove(member);
            if (--node.inViews == 0 && node.held == 0) {
                tree.becameIdle(node, now);
            }
            if (up.node == null) {
                tree.judgeReady(up.view, now);
                return;
            }
            if (!up.isEmpty() || !up.listed()) {
                return;
            }
            member = up;
        }
    }

    /** The member goes with all others of its view. */
    void discard(Member member, long now) {
        if (member.listed()) {
            member.place = Member.OUT;
            Node node = node(member);
            if (--node.inViews == 0 && node.held == 0) {
                tree.becameIdle(node, now);
            }
        }
    }

    /** The node's key has fallen or may have. */
    void keyFell(Node node, long now) {
        if (node.inViews == 0) {
            return;
        }
        for (Member member = node.members; member != null; member = member.next) {
            if (member.listed() && parent(member).only() != member) {
                parent(member).lower(member, node.keyAt(now, member.view.size, hold), Long.MAX_VALUE);
            }
        }
    }

    /** When a job that is next of the member was queued, or an earlier one. */
    long earliest(Member start) {
        Member member = start;
        while (member instanceof Branch branch) {
            member = branch.top();
        }
        return ((Leaf) member).earliest(jobs);
    }

    private Member[] coming(int level, int count) {
        if (coming[level].length < count) {
            coming[level] = Arrays.copyOf(coming[level], count * 2);
        }
        return coming[level];
    }

    // ---- what is there by construction

    static Node node(Member member) {
        if (member.node == null) {
            throw new IllegalStateException("expected a node below the root");
        }
        return member.node;
    }

    private static Branch parent(Member member) {
        if (member.parent == null) {
            throw new IllegalStateException("expected a member below the top");
        }
        return member.parent;
    }
}
