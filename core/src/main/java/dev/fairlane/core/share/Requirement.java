package dev.fairlane.core.share;

import dev.fairlane.core.model.Resources;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job asks of its worker, and how much of the pool that is. Jobs that ask the same share one.
 *
 * <p>The size is the job's dominant share: the largest, over resources, of what it demands divided by what a slot stands for, and
 * never less than the slot it sits on. In thousandths, so that sums are exact.
 */
public final class Requirement {
    /** One slot. */
    public static final long SLOT = 1_000;

    private final Resources demand;
    private final List<String> tags;
    private final long size;
    /** Who asked for it first and is counted for it; nobody for what most ask. */
    final @Nullable Account first;

    /** Queues that ask for this. */
    int queues;
    /** Open jobs that ask for this and are not in memory. Soft: a failover does not know of those that were not then. */
    int far;

    Requirement(Resources demand, List<String> tags, Resources perSlot, @Nullable Account first) {
        this.first = first;
        this.demand = demand;
        this.tags = tags;
        this.size = Math.max(
                Math.max(SLOT, part(demand.cpuMillis(), perSlot.cpuMillis())),
                Math.max(part(demand.memoryMib(), perSlot.memoryMib()), part(demand.gpus(), perSlot.gpus())));
    }

    private static long part(int demand, int perSlot) {
        return perSlot == 0 ? 0 : (long) demand * SLOT / perSlot;
    }

    public Resources demand() {
        return demand;
    }

    public List<String> tags() {
        return tags;
    }

    /** In thousandths of slots. */
    public long size() {
        return size;
    }

    boolean isPlain() {
        return demand.isNone() && tags.isEmpty();
    }
}
