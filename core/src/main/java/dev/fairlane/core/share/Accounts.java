package dev.fairlane.core.share;

import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.Tier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The accounts of a tree: where they hang, what their rules say, and the queues that are made and dropped below them. */
final class Accounts {
    private final FairTree tree;
    private final int pool;
    private final String poolName;
    private final Queues queues;
    private final Coverage coverage;
    private final Slices slices;

    private @Nullable Account[] byTenant = new Account[16];
    private final List<Account> all = new ArrayList<>();
    private @Nullable Node freeGroup;
    private boolean begun;

    Accounts(FairTree tree, int pool, String poolName, Queues queues, Coverage coverage, Slices slices) {
        this.tree = tree;
        this.pool = pool;
        this.poolName = poolName;
        this.queues = queues;
        this.coverage = coverage;
        this.slices = slices;
    }

    @Nullable Account get(int tenant) {
        return tenant < byTenant.length ? byTenant[tenant] : null;
    }

    List<Account> all() {
        return all;
    }

    @Nullable Node freeGroup() {
        return freeGroup;
    }

    Account of(Tenant tenant, long now) {
        Account account = get(tenant.id().number());
        return account != null ? account : newAccount(tenant, now);
    }

    private Account newAccount(Tenant tenant, long now) {
        int number = tenant.id().number();
        Account account = new Account(pool, tenant, new Node(parentOf(tenant, now), number, tenant.weight(), begun));
        if (number >= byTenant.length) {
            byTenant = Arrays.copyOf(byTenant, Math.max(number + 1, byTenant.length * 2));
        }
        byTenant[number] = account;
        all.add(account);
        setBounds(account, now);
        return account;
    }

    private @Nullable Node parentOf(Tenant tenant, long now) {
        if (tenant.rules().tier() != Tier.FREE) {
            return null;
        }
        if (freeGroup == null) {
            freeGroup = new Node(null, -1, Tier.FREE.weight(), begun);
            slices.compute(now);
        }
        return freeGroup;
    }

    /** Virtual time begins. */
    void begin(long now) {
        begun = true;
        Consumer<Node> begin = node -> {
            node.settledAt = now;
            node.idleSince = now;
        };
        if (freeGroup != null) {
            begin.accept(freeGroup);
        }
        for (Account account : all) {
            account.forEachNode(begin);
        }
    }

    // ---- queues

    Queue queue(Account account, String lane, String type, JobNeeds needs, long now) {
        boolean plain = needs == JobNeeds.NONE;
        Queue last = account.lastQueue;
        if (plain && last != null && last.type().equals(type) && last.name().equals(lane)) {
            return last;
        }
        TypeLine line = account.known(type);
        Queue queue = plain && line != null ? line.plain(lane) : null;
        if (queue == null) {
            queue = plain ? newQueue(account, type, lane, null, now) : keyedQueue(account, type, lane, needs, now);
        }
        if (plain) {
            account.lastQueue = queue;
        }
        return queue;
    }

    private Queue keyedQueue(Account account, String type, String lane, JobNeeds needs, long now) {
        TypeLine line = line(account, type);
        QueueKey key = QueueKey.of(lane, needs.fairKey(), needs);
        Queue known = line.keyed(key);
        if (known == null && key.hasKeys() && account.keyedQueues >= Account.MAX_KEYED) {
            key = key.forMany();
            known = line.keyed(key);
        }
        if (known == null && !key.part().isEmpty() && !account.hasRoomFor(key.part())) {
            key = key.ofTheWhole();
            known = line.keyed(key);
        }
        return known != null ? known : newQueue(account, type, lane, key, now);
    }

    private Queue newQueue(Account account, String type, String laneName, @Nullable QueueKey key, long now) {
        boolean inPart = key != null && !key.part().isEmpty();
        Lane first = account.lanes;
        if (first != null && first.alone() && (inPart || !first.name().equals(laneName))) {
            separate(first, now);
        }
        Part part = key == null || key.part().isEmpty() ? null : account.part(key.part(), begun);
        Lane lane = account.knownLane(part, laneName);
        if (lane == null) {
            lane = account.newLane(part, laneName, begun);
        }
        TypeLine line = line(account, type);
        Requirement requirement = coverage.requirement(account, key);
        Queue queue = new Queue(queues.nextNumber(), lane, line, requirement, key);
        queues.add(queue);
        line.put(queue);
        requirement.queues++;
        if (part != null) {
            part.queues++;
        }
        account.keyedQueues += key == null ? 0 : 1;
        coverage.met(line);
        coverage.cover(queue, now);
        return queue;
    }

    private TypeLine line(Account account, String type) {
        TypeLine line = account.known(type);
        if (line == null) {
            line = new TypeLine(account, coverage.shared(type));
            account.add(line);
        }
        return line;
    }

    /** Gives the only lane of an account a node of its own. What the tenant is owed stays; among its lanes all begin at the same point. */
    void separate(Lane lane, long now) {
        Account account = lane.account();
        account.forEachQueue(queue -> coverage.uncover(queue, now));
        account.separate(lane, begun);
        Node own = lane.node;
        if (begun) {
            own.settledAt = now;
        }
        own.held = account.node.held;
        own.running = account.node.running;
        own.waiting = account.node.waiting;
        if (own.active()) {
            tree.addActive(account.node, own.weight());
        }
        account.forEachQueue(queue -> coverage.coverAgain(queue, now));
    }

    /** Nobody belongs to the queue any more. */
    void drop(Queue queue, long now) {
        coverage.uncover(queue, now);
        queue.line.drop(queue);
        queues.remove(queue);
        coverage.forget(queue.requirement);
        Account account = queue.account();
        account.keyedQueues--;
        Part part = queue.lane.part;
        if (part != null && --part.queues == 0) {
            account.idle(part);
        }
    }

    // ---- rules

    void set(Tenant tenant, long now) {
        Account account = get(tenant.id().number());
        if (account == null) {
            if (reserved(tenant) > 0) {
                of(tenant, now);
            }
            return;
        }
        boolean moves =
                (account.rules.rules().tier() == Tier.FREE) != (tenant.rules().tier() == Tier.FREE);
        account.rules = tenant;
        if (account.node.guaranteed()) {
            slices.weighs(account, tenant.weight(), now);
        } else {
            setWeight(account.node, tenant.weight(), now);
        }
        account.forEachLane(lane -> {
            if (!lane.alone()) {
                setWeight(lane.node, Account.weight(account.laneRules(lane.name())), now);
            }
            lane.node.setAging(Account.aging(account.laneRules(lane.name())));
        });
        if (moves) {
            if (account.node.guaranteed()) {
                // while it still is where it was promised something, or its weight is taken off twice
                slices.set(account, false, now);
            }
            rehang(account, parentOf(tenant, now), now);
        }
        setBounds(account, now);
    }

    private void setBounds(Account account, long now) {
        Tenant tenant = account.rules;
        int most = tenant.rules().inFlight().getOrDefault(poolName, 0);
        if (most > 0 || account.node.bounds != null) {
            account.node.bounds().maxRunning = most > 0 ? most : Integer.MAX_VALUE;
        }
        int reserved = reserved(tenant);
        if (reserved > 0 || account.node.bounds != null) {
            account.node.bounds().reservedSlots = reserved;
        }
        boolean pro = tenant.rules().tier() == Tier.PRO;
        if (pro || reserved > 0 || account.node.guaranteed() || account.node.reserved() > 0) {
            slices.set(account, pro, now);
        }
        tree.judgeCap(account.node, now);
    }

    private int reserved(Tenant tenant) {
        // in the free tier they would be kept for somebody who may not have them
        return tenant.rules().tier() == Tier.FREE
                ? 0
                : tenant.rules().reserved().getOrDefault(poolName, 0);
    }

    void setWeight(Node node, int weight, long now) {
        if (node.weight() == weight) {
            return;
        }
        node.settle(now);
        if (node.active()) {
            tree.addActive(node.parent, weight - node.weight());
        }
        node.setWeight(weight);
        tree.keyFell(node, now);
    }

    /** Hangs an account elsewhere. What it used was measured among others: it begins anew. */
    private void rehang(Account account, @Nullable Node parent, long now) {
        account.forEachQueue(queue -> coverage.uncover(queue, now));
        Node node = account.node;
        shift(node, node.parent, -1, now);
        node.parent = parent;
        shift(node, parent, 1, now);
        node.settle(now);
        node.virtual = 0;
        account.forEachQueue(queue -> coverage.cover(queue, now));
    }

    /** Adds what a child has to a parent, or takes it off. */
    private void shift(Node child, @Nullable Node parent, int sign, long now) {
        if (child.active()) {
            tree.addActive(parent, sign * child.weight());
        }
        if (parent == null) {
            return;
        }
        boolean was = parent.active();
        parent.settle(now);
        parent.held += sign * child.held;
        if (child.bounds != null && child.bounds.aside != 0) {
            parent.bounds().aside += sign * child.bounds.aside;
        }
        parent.running += sign * child.running;
        parent.waiting += sign * child.waiting;
        if (!was && parent.active()) {
            tree.activated(parent, now);
        } else if (was && !parent.active()) {
            tree.becameIdle(parent, now);
        }
        tree.judgeCap(parent, now);
    }
}
