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
    CHECKPOINTS_REQUIRED,
    UNKNOWN_POOL,
    REVISION_CONFLICT,
    LANE_LIMIT,
    TYPE_NOT_FOUND,
    RESERVED_TYPE,
    WORKER_KINDS,
    GROUP_NOT_FOUND,
    GROUP_SEALED
}
