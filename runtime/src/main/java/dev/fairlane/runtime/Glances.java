package dev.fairlane.runtime;

import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.shard.Engine;
import java.util.List;

/**
 * Looks at what is about to be decided on, some at a time. The jobs of many tenants lie all over memory: looked at one right after
 * the other, the processor fetches them side by side, where it would wait for each in its turn.
 */
final class Glances {
    /** More would push out of the processor's cache what was fetched first. */
    private static final int SPAN = 32;

    private final Engine engine;
    /** What they saw, of no meaning: kept so that they are not optimized away. */
    private long seen;

    Glances(Engine engine) {
        this.engine = engine;
    }

    /** To be called before each of these ends is decided on. */
    void at(int index, List<WorkerSession.Success> ends) {
        if (index % SPAN == 0) {
            int end = Math.min(index + SPAN, ends.size());
            for (int i = index; i < end; i++) {
                seen ^= engine.glance(ends.get(i).lease().id());
            }
        }
    }

    /** To be called before each of these jobs of a call is decided on. */
    void at(int index, TenantId tenant, List<NewJob> jobs) {
        if (index % SPAN == 0) {
            seen ^= engine.glance(tenant, jobs, index, Math.min(index + SPAN, jobs.size()));
        }
    }

    /** To be called after each pick of a series: where there was one, more are likely. */
    void ahead(int picked) {
        if (picked % SPAN == 1) {
            seen ^= engine.glanceAhead(SPAN);
        }
    }
}
