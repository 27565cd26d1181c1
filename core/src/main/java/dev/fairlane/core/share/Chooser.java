package dev.fairlane.core.share;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds who is next. Of the views that have room, each level is settled over all of them: first the node, by the smallest key; then,
 * in the views which that node leads, the next level; at last the job. So a tenant is chosen whatever the size of its next job is, and
 * its own lanes settle which of its jobs that is.
 */
final class Chooser {
    /** Nodes looked at for one that may use the headroom. */
    private static final int MAX_LOOKS = 256;

    private final Presence presence;
    private final Slices slices;
    private final WaitingJobs jobs;
    private final Aging aging;
    private final double hold;

    private final ReadyViews wide = new ReadyViews();
    private final ReadyViews scoped = new ReadyViews();
    /** Members that lead their views, or what is left of them. */
    private Member[] leads = new Member[4];

    private int slot = Queues.NONE;

    Chooser(Presence presence, Slices slices, ShareRules rules, WaitingJobs jobs) {
        this.presence = presence;
        this.slices = slices;
        this.jobs = jobs;
        this.aging = rules.aging();
        this.hold = rules.holdMicros();
    }

    void judge(View view) {
        (view.crew().isWide() ? wide : scoped).judge(view);
    }

    /** The job that {@link #next} found. */
    int slot() {
        return slot;
    }

    /** A view with room and the job for it, or null. Workers of one tenant come first: they are nobody else's. */
    @Nullable View next(long now) {
        if (scoped.count() > 0) {
            View view = scoped.get(scoped.count() - 1);
            return choose(settled(view.top, now), now);
        }
        int ready = wide.count();
        if (ready == 0) {
            return null;
        }
        if (ready == 1) {
            View view = wide.get(0);
            Member lead = slices.tight(view.crew()) ? admitted(view, now) : settled(view.top, now);
            return lead == null ? null : choose(lead, now);
        }
        if (leads.length < ready) {
            leads = Arrays.copyOf(leads, ready * 2);
        }
        int count = 0;
        for (int i = 0; i < ready; i++) {
            View view = wide.get(i);
            Member lead = slices.tight(view.crew()) ? admitted(view, now) : settled(view.top, now);
            if (lead != null) {
                leads[count++] = lead;
            }
        }
        return count == 0 ? null : choose(count, now);
    }

    /** Those at the front of the first view's heap are likely to be next; a single tenant is near anyway. */
    long glanceAhead(int picks) {
        if (wide.count() == 0 || wide.get(0).top.only() != null) {
            return 0;
        }
        NodeHeap heap = wide.get(0).top.heap();
        long seen = 0;
        for (int at = Math.min(picks, heap.size()) - 1; at >= 0; at--) {
            Member member = heap.get(at);
            while (member instanceof Branch branch) {
                seen ^= Presence.node(branch).settledAt;
                member = branch.top();
            }
            seen ^= Presence.node(member).settledAt;
            int head = ((Leaf) member).glance();
            if (head != Queues.NONE) {
                seen ^= jobs.queuedAt(head) ^ jobs.priority(head);
            }
        }
        return seen;
    }

    /** Of one view. */
    private View choose(Member lead, long now) {
        Member member = lead;
        while (member instanceof Branch branch) {
            member = settled(branch, now);
        }
        slot = ((Leaf) member).head(agingOf(member), jobs, now);
        return member.view;
    }

    /** Of the first {@code count} leads. */
    private View choose(int count, long now) {
        int left = count;
        while (true) {
            Node node = Presence.node(leads[first(left, now)]);
            int kept = 0;
            for (int i = 0; i < left; i++) {
                if (leads[i].node == node) {
                    leads[kept++] = leads[i];
                }
            }
            left = kept;
            if (left == 1) {
                return choose(leads[0], now);
            }
            if (leads[0] instanceof Leaf) {
                return mostUrgent(left, now);
            }
            for (int i = 0; i < left; i++) {
                leads[i] = settled((Branch) leads[i], now);
            }
        }
    }

    private int first(int count, long now) {
        int best = 0;
        double bestKey = key(leads[0], now);
        for (int i = 1; i < count; i++) {
            double key = key(leads[i], now);
            if (key < bestKey || key == bestKey && earlier(leads[i], leads[best])) {
                best = i;
                bestKey = key;
            }
        }
        return best;
    }

    private double key(Member member, long now) {
        return Presence.node(member).keyAt(now, member.view.size, hold);
    }

    private boolean earlier(Member member, Member other) {
        return NodeHeap.before(0, presence.earliest(member), member, 0, presence.earliest(other), other);
    }

    /** Of the same lane in several views. */
    private View mostUrgent(int count, long now) {
        View best = leads[0].view;
        int bestTier = Aging.TIERS;
        slot = Queues.NONE;
        for (int i = 0; i < count; i++) {
            Aging times = agingOf(leads[i]);
            int head = ((Leaf) leads[i]).head(times, jobs, now);
            int tier = times.tier(jobs.priority(head), now - jobs.queuedAt(head));
            if (tier < bestTier || tier == bestTier && before(head, slot)) {
                best = leads[i].view;
                bestTier = tier;
                slot = head;
            }
        }
        return best;
    }

    private boolean before(int head, int other) {
        if (other == Queues.NONE) {
            return true;
        }
        long at = jobs.queuedAt(head);
        long otherAt = jobs.queuedAt(other);
        return at != otherAt ? at < otherAt : Urgency.first(head, other, jobs);
    }

    private Aging agingOf(Member lane) {
        Aging own = Presence.node(lane).aging();
        return own == null ? aging : own;
    }

    /** Makes the top of a member's heap exact for {@code now}, and returns it. */
    private Member settled(Branch parent, long now) {
        Member only = parent.only();
        if (only != null) {
            return only;
        }
        NodeHeap heap = parent.heap();
        while (true) {
            Member top = heap.top();
            double key = Presence.node(top).keyAt(now, parent.view.size, hold);
            if (key > heap.topKey()) {
                heap.raiseTop(key, heap.topTie());
                continue;
            }
            if (heap.topTied()) {
                long tie = presence.earliest(top);
                if (tie > heap.topTie()) {
                    heap.raiseTop(heap.topKey(), tie);
                    continue;
                }
            }
            return top;
        }
    }

    /** When few slots are left: the first that may have one of them. */
    private @Nullable Member admitted(View view, long now) {
        Member top = settled(view.top, now);
        if (slices.admits(Presence.node(top), view.size)) {
            return top;
        }
        if (view.top.only() != null) {
            return null;
        }
        NodeHeap heap = view.top.heap();
        Member best = null;
        double bestKey = Double.MAX_VALUE;
        // by levels of the heap: what is below a node is not before it
        int looks = Math.min(heap.size(), MAX_LOOKS);
        for (int at = 1; at < looks; at++) {
            Member member = heap.get(at);
            if (heap.key(at) < bestKey && slices.admits(Presence.node(member), view.size)) {
                double key = key(member, now);
                if (key < bestKey) {
                    best = member;
                    bestKey = key;
                }
            }
        }
        return best;
    }
}
