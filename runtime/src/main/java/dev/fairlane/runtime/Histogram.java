package dev.fairlane.runtime;

import java.util.ArrayList;
import java.util.List;

/** Times counted in the buckets of {@link NodeStatus#PICKUP_BOUNDS_MICROS}. Owned by the loop. */
final class Histogram {
    private final long[] counts = new long[NodeStatus.PICKUP_BOUNDS_MICROS.size() + 1];
    private long sum;

    void add(long micros) {
        sum += micros;
        int bucket = 0;
        while (bucket < counts.length - 1 && micros > NodeStatus.PICKUP_BOUNDS_MICROS.get(bucket)) {
            bucket++;
        }
        counts[bucket]++;
    }

    NodeStatus.Pickups copy() {
        List<Long> copy = new ArrayList<>(counts.length);
        for (long count : counts) {
            copy.add(count);
        }
        return new NodeStatus.Pickups(copy, sum);
    }
}
