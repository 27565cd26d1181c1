package dev.fairlane.core.share;

import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantRules.LaneRules;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One tenant in one pool: its node, its lanes and parts below it, and its queues by type. There may be a hundred thousand that do
 * nothing, so what most have none or one of is a link and not a collection.
 */
public final class Account {
    /** Queues of jobs with keys; jobs of more keys share queues. */
    static final int MAX_KEYED = 1_000;

    /** Most tenants have few types: they are looked through, many are found by name. */
    private static final int FEW = 8;

    private final int pool;
    final Node node;
    Tenant rules;

    /** The newest; the others follow by {@link TypeLine#next}. */
    private @Nullable TypeLine lines;

    private @Nullable Map<String, TypeLine> linesByType;
    /** Of jobs that name no part; the others follow by {@link Lane#next}. */
    @Nullable Lane lanes;

    private @Nullable Parts parts;
    int keyedQueues;
    /** That it was the first to ask for, and that somebody still does. */
    int requirements;

    private int nextOrder;
    /** The queue asked for last; most tenants submit one type many times. */
    @Nullable Queue lastQueue;

    Account(int pool, Tenant rules, Node node) {
        this.pool = pool;
        this.rules = rules;
        this.node = node;
    }

    /** The number of the tree this account is in. */
    public int pool() {
        return pool;
    }

    public int tenant() {
        return node.order;
    }

    public Node node() {
        return node;
    }

    /** Executions. */
    public int held() {
        return node.running;
    }

    public int waiting() {
        return node.waiting;
    }

    /** Different demands and tags that are known because of its jobs. */
    public int requirements() {
        return requirements;
    }

    public double slotMicros(long now) {
        return node.slotMicros(now);
    }

    /** Slots nobody else may use, as its rules have it. */
    int reservedSlots() {
        return node.bounds == null ? 0 : node.bounds.reservedSlots;
    }

    // ---- types

    public void forEachLine(Consumer<TypeLine> action) {
        for (TypeLine line = lines; line != null; line = line.next) {
            action.accept(line);
        }
    }

    public void forEachQueue(Consumer<Queue> action) {
        for (TypeLine line = lines; line != null; line = line.next) {
            line.forEach(action);
        }
    }

    public @Nullable TypeLine known(String type) {
        if (linesByType != null) {
            return linesByType.get(type);
        }
        for (TypeLine line = lines; line != null; line = line.next) {
            if (line.type().equals(type)) {
                return line;
            }
        }
        return null;
    }

    /** Takes in a type that is not known yet. */
    void add(TypeLine line) {
        line.next = lines;
        lines = line;
        if (linesByType != null) {
            linesByType.put(line.type(), line);
            return;
        }
        int count = 0;
        for (TypeLine each = lines; each != null; each = each.next) {
            count++;
        }
        if (count > FEW) {
            Map<String, TypeLine> byType = new HashMap<>();
            forEachLine(each -> byType.put(each.type(), each));
            linesByType = byType;
        }
    }

    // ---- parts and lanes

    /** All lanes, those of its parts included. */
    public void forEachLane(Consumer<Lane> action) {
        for (Lane lane = lanes; lane != null; lane = lane.next) {
            action.accept(lane);
        }
        if (parts != null) {
            for (Part part : parts.all()) {
                for (Lane lane = part.lanes; lane != null; lane = lane.next) {
                    action.accept(lane);
                }
            }
        }
    }

    void forEachNode(Consumer<Node> action) {
        action.accept(node);
        forEachLane(lane -> action.accept(lane.node));
        if (parts != null) {
            parts.all().forEach(part -> action.accept(part.node));
        }
    }

    boolean hasRoomFor(String part) {
        return parts == null || parts.hasRoomFor(part);
    }

    Part part(String name, boolean begun) {
        if (parts == null) {
            parts = new Parts();
        }
        Part part = parts.get(name);
        return part != null ? part : parts.add(name, newNode(node, LaneRules.DEFAULT_WEIGHT, begun));
    }

    /** The part lost its last queue. */
    void idle(Part part) {
        if (parts != null) {
            parts.idle(part);
        }
    }

    @Nullable Lane knownLane(@Nullable Part part, String name) {
        for (Lane lane = part == null ? lanes : part.lanes; lane != null; lane = lane.next) {
            if (lane.name().equals(name)) {
                return lane;
            }
        }
        return null;
    }

    /** A lane that is not known yet; the first has no node of its own. */
    Lane newLane(@Nullable Part part, String name, boolean begun) {
        LaneRules own = laneRules(name);
        boolean alone = part == null && parts == null && lanes == null;
        Node of = alone ? node : newNode(part == null ? node : part.node, weight(own), begun);
        Lane lane = new Lane(this, name, part, of);
        of.setAging(aging(own));
        if (part == null) {
            lane.next = lanes;
            lanes = lane;
        } else {
            lane.next = part.lanes;
            part.lanes = lane;
        }
        return lane;
    }

    /** The only lane gets a node of its own, below the tenant's. */
    void separate(Lane lane, boolean begun) {
        Node own = newNode(node, weight(laneRules(lane.name())), begun);
        own.setAging(node.aging());
        node.setAging(null);
        lane.node = own;
    }

    private Node newNode(Node parent, int weight, boolean begun) {
        return new Node(parent, nextOrder++, weight, begun);
    }

    LaneRules laneRules(String name) {
        return rules.rules().lanes().getOrDefault(name, LaneRules.NONE);
    }

    static int weight(LaneRules rules) {
        return rules.weight() > 0 ? rules.weight() : LaneRules.DEFAULT_WEIGHT;
    }

    static @Nullable Aging aging(LaneRules rules) {
        return rules.agingMicros().isEmpty() ? null : new Aging(rules.agingMicros());
    }
}
