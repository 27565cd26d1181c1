package dev.fairlane.core.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What may be asked of the engine. Deciding on one reads state and returns facts and an answer; it changes nothing.
 *
 * <p>{@code scope} is the tenant of the caller's credential, or null for a credential that may see all tenants. A job of
 * another tenant is "not found".
 */
public sealed interface Command {

    /**
     * The one entrance of jobs. The id was made for this command and is used by nothing else.
     *
     * @param random any 64 bits, for the jitter of a job due far ahead
     * @param looked what keys of this job were looked up in the store and what was found
     */
    record Submit(JobId id, TenantId tenant, NewJob job, long random, List<KeyFinding> looked) implements Command {
        public Submit(JobId id, TenantId tenant, NewJob job) {
            this(id, tenant, job, 0, List.of());
        }

        /** The same with one more key looked up. */
        public Submit with(KeyFinding finding) {
            List<KeyFinding> more = new ArrayList<>(looked);
            more.add(finding);
            return new Submit(id, tenant, job, random, List.copyOf(more));
        }
    }

    /** @param released false when the present lease is known not to have left the node: the job then ends at once */
    record Cancel(@Nullable TenantId scope, JobId id, boolean released) implements Command {
        public Cancel(@Nullable TenantId scope, JobId id) {
            this(scope, id, true);
        }
    }

    /**
     * Changes a waiting job.
     *
     * @param ifRevision only if the job is at this revision; {@link #ANY_REVISION} for whatever it is
     * @param base the job's spec as the store has it, for a job whose spec is not in memory; null until somebody looked it up
     */
    record Revise(
            @Nullable TenantId scope,
            JobId id,
            JobChange change,
            int ifRevision,
            @Nullable JobSpec base) implements Command {}

    int ANY_REVISION = -1;

    /** Takes a waiting job out of its line, or puts it back at the end of it. */
    record Pause(@Nullable TenantId scope, JobId id, boolean paused) implements Command {}

    /** Holds back all jobs of a type, lane, tenant or pool, or lets them go on. */
    record SetGate(Gate.Kind kind, TenantId tenant, String name, boolean closed, String by, String why)
            implements Command {}

    /**
     * Brings a DEAD job back. The engine forgets jobs that ended, so the asker brings the job as it is stored, and nobody else may
     * replay it between that look and this command.
     *
     * @param payload in place of the job's own; null to leave it
     * @param by name of the key that asked
     */
    record Replay(JobSpec spec, JobStatus status, @Nullable Payload payload, String by, String why)
            implements Command {}

    /** The worker says it started the attempt. */
    record Start(JobId id, long token) implements Command {}

    record Complete(JobId id, long token, Payload result) implements Command {}

    /** @param random any 64 bits, for the jitter of the retry */
    record Fail(JobId id, long token, Failure failure, long random) implements Command {}

    /** The worker saved a checkpoint under this lease; its bytes are in the object store by now. */
    record Checkpoint(JobId id, long token, String ref, long bytes) implements Command {}

    /** The worker stopped the execution half-way, for another to go on with it. */
    record HandOver(JobId id, long token) implements Command {}

    /** Timer: a SCHEDULED or RETRY_WAIT job is due. */
    record Promote(JobId id) implements Command {}

    /** Timer: the lease of this token ran out, its time limit plus grace passed, or its cancel grace is over. */
    record ExpireLease(JobId id, long token, LeaseEnd reason) implements Command {}

    /** Timer: {@code notAfter} passed. */
    record PassNotAfter(JobId id) implements Command {}

    /** Timer: a job waits for longer than it may. */
    record GiveUp(JobId id) implements Command {}

    /** Ends the quarantine of a type. @param byHand false when it has been calm for long enough */
    record ReleaseType(TenantId tenant, String name, boolean byHand) implements Command {}

    /** Timer: the hour of a type that was moved to another pool is over. */
    record ReviewType(TenantId tenant, String name) implements Command {}

    /**
     * The id was made for this command and is used by nothing else.
     *
     * @param callback submitted when the group is done, or null
     */
    record CreateGroup(
            JobId id,
            TenantId tenant,
            String name,
            @Nullable NewJob callback,
            JobGroup.CallbackOn on) implements Command {}

    /**
     * Makes the schedule what is said.
     *
     * @param dryRun only tell what it would come to
     */
    record PutSchedule(ScheduleName id, ScheduleRules rules, NewJob job, boolean dryRun) implements Command {}

    record PauseSchedule(ScheduleName id, boolean paused, String by, String why) implements Command {}

    record DeleteSchedule(ScheduleName id) implements Command {}

    /**
     * Submits a schedule's job now.
     *
     * @param looked as in a submit
     */
    record TriggerSchedule(ScheduleName id, List<KeyFinding> looked) implements Command {
        /** The same with one more key looked up. */
        public TriggerSchedule with(KeyFinding finding) {
            List<KeyFinding> more = new ArrayList<>(looked);
            more.add(finding);
            return new TriggerSchedule(id, List.copyOf(more));
        }
    }

    /**
     * Timer: a schedule has a tick to be dealt with.
     *
     * @param looked as in a submit
     */
    record Tick(ScheduleName id, List<KeyFinding> looked) implements Command {
        public Tick(ScheduleName id) {
            this(id, List.of());
        }

        /** The same with one more key looked up. */
        public Tick with(KeyFinding finding) {
            List<KeyFinding> more = new ArrayList<>(looked);
            more.add(finding);
            return new Tick(id, List.copyOf(more));
        }
    }

    /** The group takes no more members. */
    record SealGroup(@Nullable TenantId scope, JobId id) implements Command {}

    /**
     * Creates a tenant or changes it.
     *
     * @param weight 0: stays; that of a new tenant, or one that is its tier's, follows the tier
     */
    record PutTenant(String name, int weight, TenantChange change) implements Command {
        /** The rules the tenant has stay. */
        public PutTenant(String name, int weight) {
            this(name, weight, TenantChange.NONE);
        }

        /** These rules instead of those it has. */
        public PutTenant(String name, int weight, TenantRules rules) {
            this(name, weight, TenantChange.to(rules));
        }
    }

    /** @param rules null: those the type has, if it is there */
    record PutType(
            TenantId tenant,
            String name,
            String pool,
            int maxAttempts,
            long timeLimitMicros,
            @Nullable TypeRules rules) implements Command {
        /** The rules the type has stay. */
        public PutType(TenantId tenant, String name, String pool, int maxAttempts, long timeLimitMicros) {
            this(tenant, name, pool, maxAttempts, timeLimitMicros, null);
        }
    }

    enum LeaseEnd {
        SILENT_WORKER,
        /** Its worker connected again and no longer had it. */
        LOST_BY_WORKER,
        TIME_LIMIT,
        CANCEL_GRACE,
        /** It showed no progress for the window its type declares. */
        NO_PROGRESS
    }
}
