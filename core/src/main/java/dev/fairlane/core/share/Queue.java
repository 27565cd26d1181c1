package dev.fairlane.core.share;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waiting jobs of one lane that can be held back by the same things only: one type, one concurrency key, one rate key, one
 * requirement. Ten tiers of priority, each a list in order of queueing.
 */
public final class Queue {
    private static final int NONE = Queues.NONE;

    final Lane lane;
    final TypeLine line;
    final Requirement requirement;
    /** Null for queues of jobs that need nothing: those stay. */
    final @Nullable QueueKey key;

    private final int number;
    private final boolean mixed;
    /** Number of what its executions are booked to, or {@link #NONE}. */
    private int usage = NONE;
    /** First and last job of each tier; null while all its jobs have been of one priority, as most have. */
    private int @Nullable [] ends;

    private byte soleTier = NONE;
    private int soleHead = NONE;
    private int soleTail = NONE;
    /** Bit p: tier p has jobs. */
    short tiers;
    /** Reasons ({@link Block}) why its jobs may not be given; 0: they may, as far as it knows. */
    short blocks;
    /** Whether views see it. */
    boolean shown;

    int waiting;
    /** Open jobs that belong here, waiting or not. */
    int jobs;

    /** The first of its spots, one for each view that covers it; the others follow by {@link Spot#next}. */
    @Nullable Spot spots;

    /** The queue of the same type in another lane, of those without keys. */
    @Nullable Queue nextPlain;

    private @Nullable Object attachment;

    Queue(int number, Lane lane, TypeLine line, Requirement requirement, @Nullable QueueKey key) {
        this.number = number;
        this.lane = lane;
        this.line = line;
        this.requirement = requirement;
        this.key = key;
        this.mixed = key != null && key.mixed();
    }

    public int number() {
        return number;
    }

    /** The first job while all its jobs have been of one priority. */
    int soleHead() {
        return soleHead;
    }

    /** Reads what the end of one of its executions will change, so that it is near then; of no meaning. */
    public long glance() {
        long seen = jobs;
        for (Node node = lane.node; node != null; node = node.parent) {
            seen ^= node.settledAt ^ node.inViews;
            Member member = node.members;
            if (member != null) {
                seen ^= member.place;
            }
        }
        return seen;
    }

    public Account account() {
        return lane.account();
    }

    public TypeLine line() {
        return line;
    }

    public Lane lane() {
        return lane;
    }

    /** Name of the lane. */
    public String name() {
        return lane.name();
    }

    public String type() {
        return line.type();
    }

    public Requirement requirement() {
        return requirement;
    }

    public String concurrencyKey() {
        return key == null ? "" : key.concurrencyKey();
    }

    public String rateKey() {
        return key == null ? "" : key.rateKey();
    }

    public int rateCost() {
        return key == null ? 1 : key.rateCost();
    }

    /** Whether it takes in jobs of many keys, because its account has too many queues for one each. */
    public boolean mixed() {
        return mixed;
    }

    public int waiting() {
        return waiting;
    }

    /** Number of what its executions are booked to; below 0 before {@link #bookTo}. */
    public int usage() {
        return usage;
    }

    public void bookTo(int account) {
        usage = account;
    }

    /** Whatever the one who holds it back wants to find again with it. */
    public void attach(@Nullable Object object) {
        attachment = object;
    }

    public @Nullable Object attachment() {
        return attachment;
    }

    /** Whether any view covers it: a worker is there that has the type and the tags. */
    public boolean covered() {
        return spots != null;
    }

    /** Views that cover it. */
    public void forEachView(Consumer<View> action) {
        for (Spot spot = spots; spot != null; spot = spot.next) {
            action.accept(spot.lane.view);
        }
    }

    /** Everything that holds its jobs back, from itself up to the root. */
    public int allBlocks() {
        int all = blocks | line.blocks;
        for (Node node = lane.node; node != null; node = node.parent) {
            all |= node.blocks;
        }
        return all;
    }

    boolean isEmpty() {
        return tiers == 0;
    }

    /** Whether views that cover it see a job in it, as far as it knows. */
    boolean mayShow() {
        return tiers != 0 && (blocks | line.blocks) == 0;
    }

    /** When its longest waiting job was queued; MAX_VALUE if there is none. */
    public long earliest(WaitingJobs jobs) {
        long earliest = Long.MAX_VALUE;
        for (int bits = tiers; bits != 0; bits &= bits - 1) {
            earliest = Math.min(earliest, jobs.queuedAt(head(Integer.numberOfTrailingZeros(bits))));
        }
        return earliest;
    }

    /** The most urgent priority anything in it has; {@link Aging#TIERS} if nothing waits. */
    public int mostUrgent() {
        return tiers == 0 ? Aging.TIERS : Integer.numberOfTrailingZeros(tiers);
    }

    /** The job of it that is next after aging; there is one. */
    int next(Aging aging, WaitingJobs jobs, long now) {
        if (ends == null || Integer.bitCount(tiers) == 1) {
            return head(Integer.numberOfTrailingZeros(tiers));
        }
        int best = NONE;
        int bestTier = Aging.TIERS;
        long bestAt = Long.MAX_VALUE;
        for (int bits = tiers; bits != 0; bits &= bits - 1) {
            int priority = Integer.numberOfTrailingZeros(bits);
            int slot = head(priority);
            long at = jobs.queuedAt(slot);
            int tier = aging.tier(priority, now - at);
            if (tier < bestTier
                    || tier == bestTier && (at < bestAt || at == bestAt && Urgency.first(slot, best, jobs))) {
                best = slot;
                bestTier = tier;
                bestAt = at;
            }
        }
        return best;
    }

    int head(int tier) {
        int[] all = ends;
        if (all != null) {
            return all[2 * tier];
        }
        return tier == soleTier ? soleHead : NONE;
    }

    private int tail(int tier) {
        int[] all = ends;
        if (all != null) {
            return all[2 * tier + 1];
        }
        return tier == soleTier ? soleTail : NONE;
    }

    private void setHead(int tier, int slot) {
        if (ends != null) {
            ends[2 * tier] = slot;
        } else {
            soleHead = slot;
        }
    }

    private void setTail(int tier, int slot) {
        if (ends != null) {
            ends[2 * tier + 1] = slot;
        } else {
            soleTail = slot;
        }
    }

    /** Makes room for jobs of a tier. */
    private void open(int tier) {
        if (ends != null || tier == soleTier) {
            return;
        }
        if (tiers == 0) {
            soleTier = (byte) tier;
            return;
        }
        int[] all = new int[2 * Aging.TIERS];
        Arrays.fill(all, NONE);
        all[2 * soleTier] = soleHead;
        all[2 * soleTier + 1] = soleTail;
        ends = all;
    }

    void add(Spot spot) {
        if (spots == null) {
            spots = spot;
            return;
        }
        Spot last = spots;
        while (last.next != null) {
            last = last.next;
        }
        last.next = spot;
    }

    /** The gone one keeps its link: who is going through them goes on behind it. */
    void drop(Spot gone) {
        if (spots == gone) {
            spots = gone.next;
            return;
        }
        for (Spot spot = spots; spot != null; spot = spot.next) {
            if (spot.next == gone) {
                spot.next = gone.next;
            }
        }
    }

    /** Puts a job at its place by {@code queuedAt}, looking from the end: nearly always that is the end. */
    void insert(int slot, int tier, Queues links, WaitingJobs jobs) {
        int before = tail(tier);
        if (before != NONE) {
            long at = jobs.queuedAt(slot);
            while (before != NONE && jobs.queuedAt(before) > at) {
                before = links.prev(before);
            }
        }
        link(slot, tier, before, before == NONE ? head(tier) : links.next(before), links);
    }

    /** The same, looking from the front: for a job that was first when it was taken out. */
    void insertEarly(int slot, int tier, Queues links, WaitingJobs jobs) {
        int after = head(tier);
        long at = jobs.queuedAt(slot);
        while (after != NONE && before(after, at, slot, jobs)) {
            after = links.next(after);
        }
        link(slot, tier, after == NONE ? tail(tier) : links.prev(after), after, links);
    }

    void insertFirst(int slot, int tier, Queues links) {
        link(slot, tier, NONE, head(tier), links);
    }

    private void link(int slot, int tier, int before, int after, Queues links) {
        links.set(slot, before, after);
        open(tier);
        if (before == NONE) {
            setHead(tier, slot);
        } else {
            links.setNext(before, slot);
        }
        if (after == NONE) {
            setTail(tier, slot);
        } else {
            links.setPrev(after, slot);
        }
        tiers |= (short) (1 << tier);
        waiting++;
    }

    void remove(int slot, int tier, Queues links) {
        int before = links.prev(slot);
        int after = links.next(slot);
        if (before == NONE) {
            setHead(tier, after);
        } else {
            links.setNext(before, after);
        }
        if (after == NONE) {
            setTail(tier, before);
        } else {
            links.setPrev(after, before);
        }
        if (head(tier) == NONE) {
            tiers &= (short) ~(1 << tier);
        }
        waiting--;
    }

    /**
     * Jobs before one of its lane that was queued at {@code at}, more urgent ones included: counted up to {@code most}, beyond that
     * estimated.
     */
    int ahead(long at, int slot, int priority, Queues links, WaitingJobs jobs, int most) {
        int count = 0;
        for (int tier = 0; tier < priority; tier++) {
            for (int job = head(tier); job != NONE && count < most; job = links.next(job)) {
                count++;
            }
        }
        int job = head(priority);
        while (job != NONE && job != slot && count < most && before(job, at, slot, jobs)) {
            count++;
            job = links.next(job);
        }
        return count < most ? count : Math.max(most, estimateAhead(at, priority, jobs));
    }

    private static boolean before(int job, long at, int slot, WaitingJobs jobs) {
        long queuedAt = jobs.queuedAt(job);
        return queuedAt < at || queuedAt == at && Urgency.first(job, slot, jobs);
    }

    /** As if all its jobs had been queued evenly from the first of the tier to the last. */
    private int estimateAhead(long at, int priority, WaitingJobs jobs) {
        if (head(priority) == NONE) {
            return tiers == 0 || Integer.numberOfTrailingZeros(tiers) > priority ? 0 : waiting;
        }
        double first = jobs.queuedAt(head(priority));
        double span = jobs.queuedAt(tail(priority)) - first;
        double part = span <= 0 ? 1 : Math.clamp((at - first) / span, 0.0, 1.0);
        return (int) (part * (waiting - 1));
    }
}
