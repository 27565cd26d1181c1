package dev.fairlane.core.share;

import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.Tenant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Fair share of one pool: the tree, its queues, and what happens to them.
 *
 * <pre>
 *   key = v + H × held / w                  the eligible child with the smallest key is next, at every level
 *   v   grows by held × time / w            while its jobs run; every job pays for 10 ms at least
 *   V   = max(V, smallest v of the eligible children); newcomers are measured by it, see {@link VirtualClock}
 * </pre>
 *
 * <p>Between a node's own events its key and its v only grow, so heaps keep the last known values as lower bounds and the
 * reader checks the top again. A pick is O(log children) at each level; time passing costs nothing.
 *
 * <p>Not thread-safe. Virtual time is soft state, see the package.
 */
public final class FairTree {
    public static final int NONE = Queues.NONE;

    /** Hears when guarantees have to be smaller than promised, and when they are whole again. */
    public interface Alerts {
        void guaranteesScaled(boolean down);
    }

    private final ShareRules rules;
    private final WaitingJobs jobs;
    private final Presence presence;
    private final Slices slices;
    private final Scarcity scarcity;
    private final Chooser chooser;
    private final Coverage coverage;
    private final Accounts accounts;
    private final WaitingLine line;
    private final Queues queues;
    private final Claims claims;

    /** Slots offered by all workers of the pool. */
    private int slots;
    /** Sum of the weights of the root's children that are eligible or hold slots. */
    private long activeWeight;

    private int running;
    private boolean begun;
    private boolean closed;
    private long latest;

    /** @param pool number of the tree, by which accounts can be told apart */
    public FairTree(int pool, PoolRules poolRules, ShareRules rules, WaitingJobs jobs, Queues queues, Alerts alerts) {
        this.rules = rules;
        this.jobs = jobs;
        this.presence = new Presence(this, rules, jobs);
        this.slices = new Slices(this, poolRules.headroomPercent(), alerts::guaranteesScaled);
        this.scarcity = new Scarcity(this, slices);
        this.chooser = new Chooser(presence, slices, rules, jobs);
        this.coverage = new Coverage(this, presence, poolRules.perSlot());
        this.accounts = new Accounts(this, pool, poolRules.name(), queues, coverage, slices);
        this.queues = queues;
        this.line = new WaitingLine(presence, jobs, queues);
        this.claims = new Claims(this, slices, rules.holdMicros());
    }

    // ---- accounts and queues

    public @Nullable Account account(int tenant) {
        return accounts.get(tenant);
    }

    public List<Account> accounts() {
        return accounts.all();
    }

    /** The account of a tenant, made on first use. */
    public Account account(Tenant tenant, long now) {
        return accounts.of(tenant, now);
    }

    /** The queue for jobs like these, made on first use. */
    public Queue queue(Tenant tenant, String lane, String type, JobNeeds needs, long now) {
        return accounts.queue(accounts.of(tenant, now), lane, type, needs, now);
    }

    /** An open job belongs to the queue. */
    public void joined(Queue queue) {
        queue.jobs++;
    }

    /** An open job that belonged to the queue does no more; returns whether the queue is gone with it. */
    public boolean quit(Queue queue, long now) {
        if (--queue.jobs > 0 || queue.key == null) {
            return false;
        }
        accounts.drop(queue, now);
        return true;
    }

    /** An open job of the queue is about to leave memory, to come back: what it asks of its worker stays known. */
    public void departs(Queue queue) {
        if (queue.requirement.first != null) {
            queue.requirement.far++;
        }
    }

    /** One that left is back in the queue. */
    public void arrived(Queue queue) {
        if (queue.requirement.far > 0) {
            queue.requirement.far--;
        }
    }

    /** The tenant's rules are these from now on; slot-time counts at the new weight. */
    public void set(Tenant tenant, long now) {
        accounts.set(tenant, now);
    }

    /** What the node uses counts at this weight from now on. */
    void reweigh(Node node, int weight, long now) {
        accounts.setWeight(node, weight, now);
    }

    @Nullable Node freeGroup() {
        return accounts.freeGroup();
    }

    // ---- slots

    /** Workers of a crew offer more slots, or fewer if negative. */
    public void addSlots(Crew crew, int more, long now) {
        latest = Math.max(latest, now);
        slots += more;
        slices.addSlots(crew, more, now);
    }

    public int slots() {
        return slots;
    }

    /** Those that tenants have shares of; where nobody shares any, all. */
    int shareableSlots() {
        return slices.slots() > 0 ? slices.slots() : slots;
    }

    /** Slots of a crew's workers became free, or were taken if negative. */
    public void addFree(Crew crew, int more) {
        slices.addFree(crew, more);
    }

    /** Executions. */
    public int running() {
        return running;
    }

    /** Nothing is given from a closed tree; everything keeps its place. */
    public void close(boolean shut) {
        closed = shut;
    }

    public boolean closed() {
        return closed;
    }

    // ---- queueing

    /** Queues a job at its place by the time it was queued; that is the end, except when jobs are loaded. */
    public void enqueue(Queue queue, int slot, int priority, long now) {
        latest = Math.max(latest, now);
        line.enqueue(queue, slot, priority, now);
    }

    /** Queues a job before all others of its tier: it had its turn and its worker died. */
    public void enqueueFirst(Queue queue, int slot, int priority, long now) {
        latest = Math.max(latest, now);
        line.enqueueFirst(queue, slot, priority, now);
    }

    /** Queues a job again that was held back when it was next: at its place by the time it was queued, near the front. */
    public void enqueueEarly(Queue queue, int slot, int priority, long now) {
        latest = Math.max(latest, now);
        line.enqueueEarly(queue, slot, priority, now);
    }

    public void remove(Queue queue, int slot, int priority, long now) {
        latest = Math.max(latest, now);
        line.remove(queue, slot, priority, now);
    }

    /** Puts a waiting job elsewhere in line, by the time it is queued at now. */
    public void move(Queue from, int fromPriority, Queue to, int slot, int priority, long now) {
        line.move(from, fromPriority, to, slot, priority, now);
    }

    public int waiting() {
        return line.waiting();
    }

    // ---- holding back

    /** Nothing of the queue is given until every {@link Block} set on it is taken off; its jobs keep their places. */
    public void block(Queue queue, int reason, long now) {
        queue.blocks = (short) (queue.blocks | reason);
        if (queue.shown) {
            presence.hide(queue, now);
        }
    }

    public void unblock(Queue queue, int reason, long now) {
        queue.blocks = (short) (queue.blocks & ~reason);
        reshow(queue, now);
    }

    private void reshow(Queue queue, long now) {
        if (!queue.shown && queue.mayShow()) {
            presence.show(queue, now);
        }
    }

    /** The same for all queues a type has or will have in an account. */
    public void block(TypeLine line, int reason, long now) {
        boolean was = line.blocks != 0;
        line.blocks = (short) (line.blocks | reason);
        if (!was) {
            line.forEach(queue -> {
                if (queue.shown) {
                    presence.hide(queue, now);
                }
            });
        }
    }

    public void unblock(TypeLine line, int reason, long now) {
        boolean was = line.blocks != 0;
        line.blocks = (short) (line.blocks & ~reason);
        if (was && line.blocks == 0) {
            line.forEach(queue -> reshow(queue, now));
        }
    }

    /** The same for all that is below a node. */
    public void block(Node node, int reason, long now) {
        presence.block(node, reason, now);
    }

    public void unblock(Node node, int reason, long now) {
        presence.unblock(node, reason, now);
    }

    /** The same for a lane, which then is a node of its own. */
    public void block(Lane lane, int reason, long now) {
        if (lane.alone()) {
            accounts.separate(lane, now);
        }
        presence.block(lane.node, reason, now);
    }

    public void unblock(Lane lane, int reason, long now) {
        if (!lane.alone()) {
            presence.unblock(lane.node, reason, now);
        }
    }

    // ---- running

    /**
     * A job of the queue was given to a worker. Its nodes' keys grow: the heaps' lower bounds stay true.
     *
     * @param aside whether the worker's slots are not the pool's, see {@link Crew#isCommon}
     */
    public void acquire(Queue queue, boolean aside, long now) {
        latest = Math.max(latest, now);
        running++;
        long size = queue.requirement.size();
        Node beside = aside ? queue.account().node : null;
        for (Node node = queue.lane.node; node != null; node = node.parent) {
            node.settle(now);
            if (!node.active()) {
                activated(node, now);
            }
            long unused = node.unused();
            node.held += size;
            node.running++;
            if (node == beside) {
                node.bounds().aside += size;
                beside = node.parent;
            }
            if (unused != 0) {
                slices.usedChanged(node, unused);
            }
            if (node.bounds != null) {
                judgeFull(node, now);
            }
        }
    }

    /** A running job of the queue is with a worker whose slots are not the pool's, or no longer. */
    public void setAside(Queue queue, boolean aside, long now) {
        long size = queue.requirement.size();
        for (Node node = queue.account().node; node != null; node = node.parent) {
            node.settle(now);
            long unused = node.unused();
            node.bounds().aside += aside ? size : -size;
            slices.usedChanged(node, unused);
            judgeCap(node, now);
            presence.keyFell(node, now);
        }
    }

    private void judgeFull(Node node, long now) {
        if (node.full()) {
            presence.block(node, Block.CAP, now);
        }
        if (node.atSlice()) {
            presence.block(node, Block.SLICE, now);
        }
    }

    /** A job of the queue gave its slot back after {@code ranMicros}. */
    public void release(Queue queue, boolean aside, long ranMicros, long now) {
        latest = Math.max(latest, now);
        running--;
        long size = queue.requirement.size();
        long rest = rules.minChargeMicros() - Math.max(0, ranMicros);
        double charge = rest > 0 && begun ? (double) rest * size / Requirement.SLOT : 0;
        Node beside = aside ? queue.account().node : null;
        for (Node node = queue.lane.node; node != null; node = node.parent) {
            node.settle(now);
            long unused = node.unused();
            node.held -= size;
            node.running--;
            if (node == beside) {
                node.bounds().aside -= size;
                beside = node.parent;
            }
            if (node.bounds != null) {
                slices.usedChanged(node, unused);
            }
            if (charge > 0) {
                node.virtual += charge / node.weight();
            }
            if (!node.active()) {
                becameIdle(node, now);
            }
            if ((node.blocks & (Block.CAP | Block.SLICE)) != 0) {
                judgeCap(node, now);
            }
            presence.keyFell(node, now);
        }
    }

    /** Reads what the next picks are likely to read, so that it is near when they are made; of no meaning. */
    public long glanceAhead(int picks) {
        return chooser.glanceAhead(picks);
    }

    void judgeCap(Node node, long now) {
        int gone = (node.full() ? 0 : Block.CAP) | (node.atSlice() ? 0 : Block.SLICE);
        presence.unblock(node, gone, now);
        judgeFull(node, now);
    }

    void keyFell(Node node, long now) {
        presence.keyFell(node, now);
    }

    // ---- who is active

    long activeWeight(@Nullable Node parent) {
        return parent == null ? activeWeight : parent.activeWeight();
    }

    void addActive(@Nullable Node parent, long weight) {
        if (parent == null) {
            activeWeight += weight;
        } else {
            parent.addActive(weight);
        }
    }

    void activated(Node node, long now) {
        if (node.parent == null) {
            slices.coming(node, now);
        }
        addActive(node.parent, node.weight());
        slices.activated(node, now);
    }

    void becameIdle(Node node, long now) {
        addActive(node.parent, -node.weight());
        node.idleSince = now;
        slices.gone(node, now);
    }

    // ---- workers

    /**
     * Workers came that run {@code types} of {@code scope} and have {@code tags}; the first ones start virtual time. Nodes come to the
     * views together and as they are: with nobody before them there is no measure.
     */
    /** @param offered slots of its first worker: who becomes eligible by it is judged with them */
    public Crew openCrew(
            int scope, Set<String> types, Set<String> tags, Crew.Listener listener, int offered, long now) {
        latest = Math.max(latest, now);
        begin(now);
        Crew crew = new Crew(scope, types, tags, listener);
        slices.opened(crew);
        addSlots(crew, offered, now);
        coverage.open(crew, now);
        return crew;
    }

    public void closeCrew(Crew crew, long now) {
        coverage.close(crew, now);
        slices.closed(crew);
    }

    /** Says whether a worker has room for a job of the view. */
    public void serve(View view, boolean room) {
        if (view.served != room) {
            view.served = room;
            judgeReady(view, latest);
        }
    }

    void judgeReady(View view, long now) {
        chooser.judge(view);
        if (view.demanding) {
            view.crew().listener.judged(view, now);
        }
    }

    private void begin(long now) {
        if (!begun) {
            begun = true;
            accounts.begin(now);
        }
    }

    // ---- choosing

    /** A view that has both room and a job for it, or null; its job is {@link #head}. */
    public @Nullable View next(long now) {
        return closed ? null : chooser.next(now);
    }

    /** The job that is next for the view just found. */
    public int head() {
        return chooser.slot();
    }

    // ---- reading

    /** Who waits below its share. */
    public Claims claims() {
        return claims;
    }

    /** What a node is owed among its siblings, (V − v) × w, in slot-microseconds; negative if it had more than its share. */
    public double deficit(Node node, long now) {
        double virtual = presence.virtualAround(node, now);
        return virtual == VirtualClock.UNKNOWN ? 0 : (virtual - node.virtualAt(now)) * node.weight();
    }

    /** What a node would hold if everybody active had its share and it were active. */
    public double fairSlots(Node node) {
        return presence.slotsOf(node);
    }

    /** Whether the slots that are left are for others than this queue's tenant. */
    public boolean keepsLastSlots(Queue queue) {
        return scarcity.keepsLastSlots(queue);
    }

    /** Whether others have what the queue waits for by their shares. */
    public boolean othersTurn(Queue queue) {
        return scarcity.othersTurn(queue);
    }

    /** Jobs of its queue that are before a waiting one: counted up to {@code most}, beyond that estimated. */
    public int ahead(Queue queue, int slot, int priority, int most) {
        return queue.ahead(jobs.queuedAt(slot), slot, priority, queues, jobs, most);
    }

    /** The same of all queues of its lane. */
    public int aheadInLane(Queue queue, int slot, int priority, int most) {
        return line.ahead(queue, slot, priority, most);
    }

    /** Whether workers here could run jobs like those of the queue, which may be another pool's. */
    public boolean hasWorkersFor(Queue queue) {
        return coverage.hasCrew(queue);
    }

    /** Whether an open job has the same demand and tags. */
    public boolean knows(JobNeeds needs) {
        return coverage.knows(needs);
    }

    /** How many different requirements waiting jobs have. */
    public int requirements() {
        return coverage.requirements();
    }
}
