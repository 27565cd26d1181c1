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
 */
public record WorkerOffer(
        String worker, @Nullable TenantId scope, List<String> types, Map<String, Integer> slotsByPool) {}
