package dev.fairlane.core.shard;

import dev.fairlane.core.share.Queue;
import java.util.ArrayList;
import java.util.List;

/** Executions of a tenant's jobs with one concurrency key, and how many there may be. Derived from the live leases. */
final class KeyUse {
    final String key;
    /** Queues of the key, in all pools and lanes: they are held back while it is full. */
    final List<Queue> queues = new ArrayList<>(1);
    /** Jobs of the key that wait in mixed queues. */
    final Parking.Lot parked = new Parking.Lot();

    int cap = Integer.MAX_VALUE;
    int inUse;
    /** Open jobs of the key in mixed queues. */
    int mixed;

    KeyUse(String key) {
        this.key = key;
    }

    boolean full() {
        return inUse >= cap;
    }

    boolean unused() {
        return inUse == 0 && mixed == 0 && queues.isEmpty();
    }
}
