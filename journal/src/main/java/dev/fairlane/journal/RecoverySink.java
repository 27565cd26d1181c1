package dev.fairlane.journal;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;

/** Receives what is durable when a log is opened. */
public interface RecoverySink {
    /** The log that was just opened: called first, so that an engine of its epoch can take what follows. */
    void begin(LogId log);

    void tenant(Tenant tenant);

    void type(JobType type);

    /** A closed gate. */
    void gate(Gate gate);

    /** An idempotency key still remembered whose job is stored (open or finished). */
    void key(TenantId tenant, String key, JobId id, long bodyHash, long submittedAt);

    /**
     * An open job with its home segment, newest image. The spec comes without its payload ({@code Payload.EMPTY}): it stays in the store until
     * somebody needs it.
     */
    void open(JobSpec spec, JobStatus status, int segment);

    /** A fact behind the flush position. */
    void tail(Fact fact);

    /** Rows (images of any age) held by a segment, so that the caller knows when emptying it pays. */
    void segment(int segment, long rows, boolean sealed);
}
