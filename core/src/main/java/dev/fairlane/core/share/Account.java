package dev.fairlane.core.share;

import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantRules.LaneRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One tenant in one pool: its node, its lanes and parts below it, and its queues by type. */
public final class Account {
    /** Queues of jobs with keys; jobs of more keys share queues. */
    static final int MAX_KEYED = 1_000;

    /** Parts, those without jobs included; jobs of more are charged to the tenant itself. */
    static final int MAX_PARTS = 1_000;

    /** Most tenants have few types: they are looked through, many are found by name. */
    private static final int FEW = 8;

    private static final TypeLine[] NO_LINES = {};

    private final int pool;
    private final int tenant;
    final Node node;
    Tenant rules;
    /** Slots nobody else may use. */
    int reservedSlots;

    private TypeLine[] lines = NO_LINES;
    private @Nullable Map<String, TypeLine> linesByType;
    /** Of jobs that name no part. */
    final List<Lane> lanes = new ArrayList<>(1);

    private @Nullable Map<String, Part> parts;
    /** Parts without queues, longest so first. Their virtual time is kept a while: who leaves for a moment gains nothing. */
    private Set<Part> idleParts = Set.of();

    int keyedQueues;
    private int nextOrder;
    /** The queue asked for last; most tenants submit one type many times. */
    @Nullable Queue lastQueue;

    Account(int pool, Tenant rules, Node node) {
        this.pool = pool;
        this.tenant = rules.id().number();
        this.rules = rules;
        this.node = node;
    }

    /** The number of the tree this account is in. */
    public int pool() {
        return pool;
    }

    public int tenant() {
        return tenant;
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

    public double slotMicros(long now) {
        return node.slotMicros(now);
    }

    public List<TypeLine> lines() {
        return Arrays.asList(lines);
    }

    @Nullable TypeLine known(String type) {
        if (linesByType != null) {
            return linesByType.get(type);
        }
        for (TypeLine line : lines) {
            if (line.type().equals(type)) {
                return line;
            }
        }
        return null;
    }

    public TypeLine line(String type) {
        TypeLine line = known(type);
        if (line == null) {
            line = new TypeLine(this, type);
            lines = Arrays.copyOf(lines, lines.length + 1);
            lines[lines.length - 1] = line;
            if (linesByType != null) {
                linesByType.put(type, line);
            } else if (lines.length > FEW) {
                linesByType = new HashMap<>();
                for (TypeLine each : lines) {
                    linesByType.put(each.type(), each);
                }
            }
        }
        return line;
    }

    /** All lanes, those of its parts included. */
    public void forEachLane(Consumer<Lane> action) {
        lanes.forEach(action);
        if (parts != null) {
            for (Part part : parts.values()) {
                part.lanes.forEach(action);
            }
        }
    }

    void forEachNode(Consumer<Node> action) {
        action.accept(node);
        forEachLane(lane -> action.accept(lane.node));
        if (parts != null) {
            parts.values().forEach(part -> action.accept(part.node));
        }
    }

    // ---- parts and lanes

    /** Whether the part is there or one without queues could make room for it; if not, the tenant itself stands for it. */
    boolean hasRoomFor(String part) {
        return parts == null || parts.size() < MAX_PARTS || parts.containsKey(part) || !idleParts.isEmpty();
    }

    Part part(String name, boolean begun) {
        if (parts == null) {
            parts = new HashMap<>();
            idleParts = new LinkedHashSet<>();
        }
        Part part = parts.get(name);
        if (part == null) {
            if (parts.size() >= MAX_PARTS) {
                Part longest = idleParts.iterator().next();
                parts.remove(longest.name);
                idleParts.remove(longest);
            }
            part = new Part(name, new Node(node, nextOrder++, LaneRules.DEFAULT_WEIGHT, begun));
            parts.put(name, part);
        } else if (part.queues == 0) {
            idleParts.remove(part);
        }
        return part;
    }

    /** The part lost its last queue. */
    void idle(Part part) {
        idleParts.add(part);
    }

    Lane lane(@Nullable Part part, String name, boolean begun) {
        List<Lane> among = part == null ? lanes : part.lanes;
        for (int i = 0; i < among.size(); i++) {
            if (among.get(i).name().equals(name)) {
                return among.get(i);
            }
        }
        LaneRules own = laneRules(name);
        Lane lane =
                new Lane(this, name, part, new Node(part == null ? node : part.node, nextOrder++, weight(own), begun));
        lane.node.aging = aging(own);
        among.add(lane);
        return lane;
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
