package dev.fairlane.journal;

import dev.fairlane.core.model.AuditHead;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.Usage;

/** Receives what is durable when a log is opened. */
public interface RecoverySink {
    /** The log that was just opened: called first, so that an engine of its epoch can take what follows. */
    void begin(LogId log);

    void tenant(Tenant tenant);

    void type(JobType type);

    /** A group that is not done. */
    void group(JobGroup group);

    default void schedule(Schedule schedule) {}

    /** A closed gate. */
    void gate(Gate gate);

    /** What a tenant used in the month of the store's present, which began then. */
    default void usage(TenantId tenant, long monthAt, Usage used) {}

    /** A chain of the audit as it is stored. */
    default void audit(AuditHead head) {}

    /** Keys submitted within this time before the store's present are told whole. */
    default long recentKeysMicros() {
        return 2 * 3_600_000_000L;
    }

    /** A recent key still remembered whose job is stored (open or finished). Keys of all ages come oldest hour first. */
    void key(TenantId tenant, String key, JobId id, long bodyHash, long submittedAt);

    /** An older key still remembered: it stays in the store, to be looked up there. */
    void sealedKey(TenantId tenant, String key, long submittedAt);

    /** The key of a stored dead job, of whatever age, beside what is told of it as a key. */
    void deadKey(TenantId tenant, String key, long endedAt);

    /**
     * An open job with its home segment, newest image. The spec comes without its payload ({@code Payload.EMPTY}): it stays in the store until
     * somebody needs it.
     */
    void open(JobSpec spec, JobStatus status, int segment);

    /** So many jobs of a tenant are at home in {@link Flush#FAR}; told before any of them is told as open. */
    default void far(TenantId tenant, long jobs) {}

    /** The idempotency key of a job at home in {@link Flush#FAR}, beside what is told of it as a key. */
    default void farKey(TenantId tenant, String key, JobId id, long bodyHash, long submittedAt) {}

    /** Whether an open job was told, as stored or as left out; of those that were not, facts behind the flush position may speak. */
    boolean knows(JobId id);

    /**
     * An open job from in front of the flush position that the flushes left out, as it was added, with its payload. Told behind those that are stored and
     * before anything is told from behind the position of its log.
     */
    void leftOut(JobSpec spec, JobStatus status);

    /** A fact behind the flush position. */
    void tail(Fact fact);

    /** Rows (images of any age) held by a segment, so that the caller knows when emptying it pays. */
    void segment(int segment, long rows, boolean sealed);
}
