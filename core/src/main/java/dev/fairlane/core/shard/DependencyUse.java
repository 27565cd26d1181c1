package dev.fairlane.core.shard;

import java.util.ArrayList;
import java.util.List;

/** Executions of a tenant's jobs that declare or blame a dependency, and how many there may be. Derived from the live leases. */
final class DependencyUse {
    static final DependencyUse[] NONE = {};

    final String dependency;
    /** Types that declare it: their lanes are shut while it is full. */
    final List<TypeHealth> declaring = new ArrayList<>(1);
    /** Queued jobs of other types that blame it. */
    final Parking.Lot parked = new Parking.Lot();

    int cap = Integer.MAX_VALUE;
    int inUse;

    DependencyUse(String dependency) {
        this.dependency = dependency;
    }

    boolean full() {
        return inUse >= cap;
    }
}
