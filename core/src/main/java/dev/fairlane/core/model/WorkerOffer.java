package dev.fairlane.core.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a worker brings when it connects.
 *
 * @param scope the tenant whose jobs it may run, or null for all
 * @param types handler names it has
 * @param slotsByPool concurrency per pool it serves
 * @param resources what its jobs may demand together; none: nobody counts
 * @param tags what it can do, by which jobs ask for it, in order
 */
public record WorkerOffer(
        String worker,
        @Nullable TenantId scope,
        List<String> types,
        Map<String, Integer> slotsByPool,
        Resources resources,
        List<String> tags) {
    /** A worker that offers slots and nothing else. */
    public WorkerOffer(String worker, @Nullable TenantId scope, List<String> types, Map<String, Integer> slotsByPool) {
        this(worker, scope, types, slotsByPool, Resources.NONE, List.of());
    }
}
