package dev.fairlane.core.model;

/**
 * Something the engine noticed that people should hear of. Soft: notices are neither journaled nor repeated.
 *
 * @param pool empty where it is not about a pool
 * @param type empty where it is not about a type
 * @param dependency empty where it is not about one
 */
public record Notice(Kind kind, TenantId tenant, String pool, String type, String dependency) {

    public enum Kind {
        DEPENDENCY_CIRCUIT_OPEN,
        DEPENDENCY_CIRCUIT_CLOSED,
        /** The tenant has its most breakers; this dependency goes without. */
        BREAKERS_FULL,
        TYPE_QUARANTINED,
        TYPE_RELEASED,
        RECYCLE_THROTTLED,
        RECYCLE_CALM,
        RETRY_BUDGET_EXCEEDED,
        /** The pool has too few slots for what tenants are promised there. */
        GUARANTEES_SCALED,
        GUARANTEES_WHOLE,
        /** The type broke its pool's bound too often; the pool is where its jobs go now. */
        POOL_VIOLATION,
        /** A job of the type ran for a minute or longer and made no checkpoint, though the type declares them. */
        CHECKPOINT_MISSING,
        /** Its jobs go where it declares again. */
        POOL_RESTORED,
        /** The tenant used as much this month as its soft quota says. */
        QUOTA_WARNING,
        /** Jobs of the type were queued more than a minute after they were due, or skipped, because their time had passed. */
        LATE_EXECUTION,
        /** Jobs are due and not queued for long: more came due than may be queued a second. */
        PROMOTION_BEHIND,
        /** A schedule for jobs of the type has no ticks: this server's data has its zone no more. */
        ZONE_UNKNOWN
    }
}
