package dev.fairlane.core.share;

import dev.fairlane.core.model.Resources;
import java.util.List;

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
    /** Queues that ask for this. */
    int queues;

    Requirement(Resources demand, List<String> tags, Resources perSlot) {
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
