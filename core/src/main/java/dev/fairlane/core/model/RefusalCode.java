package dev.fairlane.core.model;

/** Stable codes of what the core refuses. */
public enum RefusalCode {
    JOB_NOT_FOUND,
    TENANT_NOT_FOUND,
    INVALID_ARGUMENT,
    IDEMPOTENCY_KEY_REUSED,
    UNIQUE_CONFLICT,
    LEASE_REVOKED,
    DEPTH_LIMIT,
    NODE_FULL,
    RATE_LIMIT,
    QUOTA_EXCEEDED,
    TYPES_CLOSED,
    CHECKPOINTS_REQUIRED,
    UNKNOWN_POOL,
    REVISION_CONFLICT,
    LANE_LIMIT,
    TYPE_LIMIT,
    TYPE_NOT_FOUND,
    RESERVED_TYPE,
    WORKER_KINDS,
    GROUP_NOT_FOUND,
    GROUP_SEALED,
    SCHEDULE_NOT_FOUND,
    SCHEDULE_LIMIT;

    /** Whether it is about more than there may be: such a refusal names the limit and the present value. */
    public boolean counted() {
        return switch (this) {
            case DEPTH_LIMIT,
                    NODE_FULL,
                    RATE_LIMIT,
                    QUOTA_EXCEEDED,
                    LANE_LIMIT,
                    TYPE_LIMIT,
                    WORKER_KINDS,
                    SCHEDULE_LIMIT -> true;
            default -> false;
        };
    }

    /** Whether there may be room for the same a moment later, without anybody's doing: what cannot be told to wait may try again. */
    public boolean passes() {
        return this == RATE_LIMIT || this == DEPTH_LIMIT || this == NODE_FULL;
    }
}
