package dev.fairlane.core.share;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parts of a tenant in one pool. */
final class Parts {
    /** Those without jobs included; jobs of more are charged to the tenant itself. */
    static final int MOST = 1_000;

    private final Map<String, Part> byName = new HashMap<>();
    /** Without queues, longest so first. Their virtual time is kept a while: who leaves for a moment gains nothing. */
    private final Set<Part> idle = new LinkedHashSet<>();

    Collection<Part> all() {
        return byName.values();
    }

    /** Whether the part is there or one without queues could make room for it; if not, the tenant itself stands for it. */
    boolean hasRoomFor(String name) {
        return byName.size() < MOST || byName.containsKey(name) || !idle.isEmpty();
    }

    @Nullable Part get(String name) {
        Part part = byName.get(name);
        if (part != null && part.queues == 0) {
            idle.remove(part);
        }
        return part;
    }

    /** A new one, in place of the one that is idle longest if there are too many. */
    Part add(String name, Node node) {
        if (byName.size() >= MOST) {
            Part longest = idle.iterator().next();
            byName.remove(longest.name);
            idle.remove(longest);
        }
        Part part = new Part(name, node);
        byName.put(name, part);
        return part;
    }

    /** The part lost its last queue. */
    void idle(Part part) {
        idle.add(part);
    }
}
