package dev.fairlane.runtime;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.UsageRow;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.core.shard.TenantStanding;
import dev.fairlane.journal.ApiKeyStore;
import dev.fairlane.journal.JobPage;
import dev.fairlane.journal.JobQuery;
import dev.fairlane.journal.UsageQuery;
import dev.fairlane.journal.WebhookSecretStore;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the edges may ask of a node: the one that owns the jobs here, later also one reached over the network.
 *
 * <p>Every future completes only after what it says is durable. Refusals are values ({@link Answer.Refused}); a future fails only
 * with {@link NodeFault}. {@code scope} is the tenant of the caller's credential, null for one that sees all tenants.
 *
 * <p>All methods may be called from any thread and never block. Futures mostly complete on the node's loop: whoever has work to do
 * with the answer (encoding, writing to a connection) goes on elsewhere, with the {@code Async} forms and an executor of its own.
 */
public interface Node {

    /** Answers in the order of the jobs: {@link Answer.Submitted} or {@link Answer.Refused}. */
    default CompletableFuture<SubmitReply> submit(TenantId tenant, List<NewJob> jobs) {
        return submit(tenant, jobs, "");
    }

    /**
     * The same for a call that may come again.
     *
     * @param request the call's own id: the same id and jobs within ten minutes lead to the jobs of the first time; empty for none
     */
    CompletableFuture<SubmitReply> submit(TenantId tenant, List<NewJob> jobs, String request);

    /** An id that no job has: one may be submitted with a payload that was stored under it. */
    CompletableFuture<JobId> newId(TenantId tenant);

    /**
     * {@link Answer.Cancelled} or {@link Answer.Refused}.
     *
     * @param author for the audit; null for none, here as in all that follows
     */
    CompletableFuture<Answer> cancel(@Nullable TenantId scope, JobId id, @Nullable Author author);

    default CompletableFuture<Answer> cancel(@Nullable TenantId scope, JobId id) {
        return cancel(scope, id, null);
    }

    CompletableFuture<Optional<JobView>> get(@Nullable TenantId scope, JobId id);

    /** The job at its end, or as it is when the time is over; empty when there is no such job. */
    CompletableFuture<Optional<JobView>> await(@Nullable TenantId scope, JobId id, long timeoutMicros);

    /**
     * Calls the watcher with the job as it is and after every change until its end; the future completes when there will be no
     * more, with false when there is no such job. The watcher must not block. Close the watch to stop early.
     */
    Watch watch(@Nullable TenantId scope, JobId id, Consumer<JobView> watcher);

    /** Why a job waits; empty when there is no such job. */
    CompletableFuture<Optional<Explained>> explain(@Nullable TenantId scope, JobId id);

    /** Stored jobs, newest first, at least as new as {@code minPosition} (0: as it is). */
    CompletableFuture<JobPage> list(JobQuery query, Position minPosition);

    /** {@link Answer.TenantIs} or {@link Answer.Refused}. */
    CompletableFuture<Answer> putTenant(Command.PutTenant put, @Nullable Author author);

    default CompletableFuture<Answer> putTenant(Command.PutTenant put) {
        return putTenant(put, null);
    }

    /** The same with rules as they are. */
    default CompletableFuture<Answer> putTenant(String name, int weight) {
        return putTenant(new Command.PutTenant(name, weight));
    }

    /** {@link Answer.TypeIs} or {@link Answer.Refused}. */
    CompletableFuture<Answer> putType(Command.PutType type, @Nullable Author author);

    default CompletableFuture<Answer> putType(Command.PutType type) {
        return putType(type, null);
    }

    /**
     * The bytes of a checkpoint are stored under {@code ref}: from now on it is the one that counts. {@link Answer.Applied} or
     * {@link Answer.Refused}, LEASE_REVOKED for any token but the present one.
     */
    CompletableFuture<Answer> checkpoint(@Nullable TenantId scope, JobId id, long token, String ref, long bytes);

    /**
     * Asks a connected worker to drain, or without a scope all of the name; empty when there is none of that name, else how many jobs
     * run there.
     */
    CompletableFuture<OptionalInt> drainWorker(
            @Nullable TenantId scope, String worker, boolean handOver, @Nullable Author author);

    default CompletableFuture<OptionalInt> drainWorker(@Nullable TenantId scope, String worker, boolean handOver) {
        return drainWorker(scope, worker, handOver, null);
    }

    /** Calls the listener, on the loop, after the end of every job that has a checkpoint is durable. It must not block. */
    void onCheckpointedEnd(Consumer<Fact.JobEnded> listener);

    /** Whether a job at its end should have made a checkpoint, by what its type declares, and did not. Cheap, from any thread. */
    boolean missesCheckpoint(JobView job);

    /** How many such jobs there were since the node started. Cheap, from any thread. */
    long checkpointsMissing();

    /** {@link Answer.TypeIs} or {@link Answer.Refused}: ends the quarantine of a type. */
    CompletableFuture<Answer> releaseType(TenantId tenant, String name, @Nullable Author author);

    default CompletableFuture<Answer> releaseType(TenantId tenant, String name) {
        return releaseType(tenant, name, null);
    }

    /** What holds for a tenant now; null if there is none of that number. */
    CompletableFuture<@Nullable TenantStanding> standing(TenantId tenant);

    /** Types with the state of their breakers, and how long they take. */
    CompletableFuture<List<TypeState>> typeStates(@Nullable TenantId scope);

    CompletableFuture<List<JobType>> types(@Nullable TenantId scope);

    /** Committed tenants; cheap, from any thread. */
    List<Tenant> tenants();

    /** A committed tenant; cheap, from any thread. */
    @Nullable Tenant tenant(String name);

    /** A committed tenant; cheap, from any thread. */
    @Nullable Tenant tenant(TenantId id);

    /** Changing, moving and pausing of what waits. */
    Controls controls();

    DeadLetters deadLetters();

    JobGroups groups();

    JobSchedules schedules();

    /** Operations over many jobs. */
    Operations operations();

    /** Who changed what. */
    AuditTrail audit();

    /** The committed JSON Schema of a type's payloads, empty for none; cheap, from any thread. */
    String payloadSchema(TenantId tenant, String type);

    /** What was used, up to now; one row more than the limit says that there are more. */
    CompletableFuture<List<UsageRow>> usage(UsageQuery query);

    ApiKeyStore keys();

    WebhookSecretStore webhookSecrets();

    /**
     * A worker's stream begins. The stream hears {@code welcome} first.
     *
     * @param held what the worker still holds from before; what it does not list and the node thought it had is queued again
     */
    WorkerSession connect(WorkerOffer offer, List<LeaseRef> held, WorkerStream stream);

    /** A recent picture of the node; cheap, from any thread. */
    NodeStatus status();

    /** A picture taken after this call, within a tenth of a second while the node serves. */
    CompletableFuture<NodeStatus> statusNow(@Nullable TenantId scope);

    /** A watch under way. */
    interface Watch extends AutoCloseable {
        CompletableFuture<Boolean> done();

        @Override
        void close();
    }
}
