package dev.fairlane.core.shard;

import dev.fairlane.core.model.TenantId;

/**
 * How a tenant stands in a pool.
 *
 * @param heldSlots dominant slots its jobs take now
 * @param fairSlots what it would hold if everybody active had its share
 * @param reservedSlots nobody else may use, as far as the pool has them
 * @param deficitSlotSeconds what it is owed; negative if it had more than its share
 */
public record TenantShare(
        TenantId tenant,
        String pool,
        int weight,
        int waiting,
        int running,
        double heldSlots,
        double fairSlots,
        double reservedSlots,
        double slotSeconds,
        double deficitSlotSeconds) {}
