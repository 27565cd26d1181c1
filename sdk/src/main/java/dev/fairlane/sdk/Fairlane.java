package dev.fairlane.sdk;

import dev.fairlane.protocol.v1.AdminGrpc;
import dev.fairlane.protocol.v1.AwaitJobRequest;
import dev.fairlane.protocol.v1.CancelJobRequest;
import dev.fairlane.protocol.v1.ChangeJobResponse;
import dev.fairlane.protocol.v1.ControlGrpc;
import dev.fairlane.protocol.v1.ExplainJobRequest;
import dev.fairlane.protocol.v1.GetJobRequest;
import dev.fairlane.protocol.v1.GetStatusRequest;
import dev.fairlane.protocol.v1.JobsGrpc;
import dev.fairlane.protocol.v1.LedgerGrpc;
import dev.fairlane.protocol.v1.ListJobsResponse;
import dev.fairlane.protocol.v1.NewJob;
import dev.fairlane.protocol.v1.PauseJobRequest;
import dev.fairlane.protocol.v1.ResumeJobRequest;
import dev.fairlane.protocol.v1.SubmitBatchRequest;
import dev.fairlane.protocol.v1.SubmitBatchResponse;
import dev.fairlane.protocol.v1.SubmitItem;
import dev.fairlane.sdk.internal.Codec;
import dev.fairlane.sdk.internal.Connections;
import dev.fairlane.sdk.internal.Errors;
import dev.fairlane.sdk.internal.JobWatch;
import dev.fairlane.sdk.internal.RequestIds;
import dev.fairlane.sdk.internal.Rpc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client of a Fairlane server.
 *
 * <p>Connecting never blocks and never fails: the first call finds out whether the server is there. Calls that are safe to repeat
 * (reads, cancels, submits, and whatever never left this process) are repeated with growing, jittered pauses until their deadline.
 * A submit carries an id of its own, so one whose answer was lost finds the jobs it made the first time and makes no others.
 *
 * <p>Closing it stops the {@linkplain Worker workers} made from it, letting their jobs finish, and breaks the
 * {@linkplain SubmitStream streams} that are still open.
 *
 * <h2>Many tenants</h2>
 *
 * A process that works for many tenants makes one client, and a view of it for each of them:
 *
 * <pre>{@code
 * try (Fairlane fairlane = Fairlane.connect(url, key)) {
 *     Fairlane acme = fairlane.as(keyOfAcme);
 *     acme.submit(Job.of("send_email", mail));
 * }
 * }</pre>
 *
 * A view is a client like any other, with the same options and another key, and costs next to nothing: it may be made for one call
 * and forgotten. All views use the connections of the client they come from, one for calls and one for the streams of all of them
 * ({@link Builder#streamsPerConnection}); only a worker has a connection of its own. Closing a view ends its own workers and
 * streams; closing the client ends everything.
 */
public final class Fairlane implements AutoCloseable {
    /** The server's bound on one batch. */
    static final int BATCH_JOBS_MAX = 1_000;

    /** The server's bound on a payload inside a message. */
    private static final int PAYLOAD_BYTES_MAX = 256 << 10;

    private static final Duration IDLE_STREAM_KEPT = Duration.ofSeconds(30);

    private static final Duration AWAIT_STEP = Duration.ofSeconds(30);

    private final Rpc.Target target;
    private final Duration deadline;
    private final Connections connections;
    private final Rpc rpc;
    private final Codec codec;
    private final RequestIds requestIds;
    private final WorkerClock workerClock;
    private final Belongings belongings;
    private final SingleSubmits singles;
    /** The client of which this is a view; null for one that is none. */
    private final @Nullable Fairlane root;

    private Fairlane(Builder builder, Rpc.Target target) {
        this.root = null;
        this.belongings = new Belongings(null);
        this.target = target;
        this.deadline = builder.deadline;
        this.codec = new Codec(builder.json);
        this.requestIds = new RequestIds();
        this.workerClock = builder.workerClock;
        this.connections = new Connections(target, builder.deadline, builder.streamsPerConnection);
        this.rpc = connections.calls(target);
        this.singles = new SingleSubmits(this, rpc, deadline, IDLE_STREAM_KEPT);
    }

    private Fairlane(Fairlane root, Rpc.Target target) {
        this.root = root;
        this.belongings = new Belongings(root.belongings);
        this.target = target;
        this.deadline = root.deadline;
        this.codec = root.codec;
        this.requestIds = root.requestIds;
        this.workerClock = root.workerClock;
        this.connections = root.connections;
        this.rpc = connections.calls(target);
        this.singles = new SingleSubmits(this, rpc, deadline, IDLE_STREAM_KEPT);
    }

    /**
     * A client with the default options.
     *
     * @param url {@code http://host:port} in the clear, {@code https://host} with TLS
     * @param key an API key; it decides the tenant and what is allowed
     * @throws IllegalArgumentException if the address or the key cannot be one
     */
    public static Fairlane connect(String url, String key) {
        return builder().address(url).key(key).connect();
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * A view with another key: the same address, options and connections. The key alone decides the tenant, whatever
     * {@link Builder#tenant} said.
     *
     * @throws IllegalArgumentException if the key cannot be one
     */
    public Fairlane as(String key) {
        return new Fairlane(root == null ? this : root, target.as(key));
    }

    /** A view with the same key, for keys that see all tenants: everything there is about this tenant. */
    public Fairlane forTenant(String tenant) {
        return new Fairlane(root == null ? this : root, target.forTenant(tenant));
    }

    /**
     * Submits one job. Durable when this returns. Many threads may do so at once: their jobs then share a stream, and cost far less than a
     * call each.
     */
    public JobHandle submit(Job job) {
        return singles.submit(job);
    }

    /**
     * Submits many jobs with one call per 1,000. Items are independent: a bad one is refused alone.
     *
     * @return one result per job, in order
     * @throws FairlaneException if a call failed as a whole; jobs of earlier calls may have been accepted
     */
    public List<SubmitResult> submitAll(List<Job> jobs) {
        List<SubmitResult> results = new ArrayList<>(jobs.size());
        SubmitBatchRequest.Builder part = SubmitBatchRequest.newBuilder();
        long bytes = 0;
        for (Job job : jobs) {
            NewJob encoded = encode(job);
            bytes += encoded.getSerializedSize();
            if (part.getJobsCount() == BATCH_JOBS_MAX
                    || (part.getJobsCount() > 0 && bytes > BatchStream.BATCH_BYTES_MAX)) {
                submitPart(part, results);
                part.clear();
                bytes = encoded.getSerializedSize();
            }
            part.addJobs(encoded);
        }
        if (part.getJobsCount() > 0) {
            submitPart(part, results);
        }
        return results;
    }

    private void submitPart(SubmitBatchRequest.Builder part, List<SubmitResult> results) {
        SubmitBatchRequest request = part.setRequestId(requestIds.next()).build();
        SubmitBatchResponse answer = rpc.call(JobsGrpc.getSubmitBatchMethod(), request, Rpc.Repeat.SAFE);
        for (SubmitItem item : answer.getItemsList()) {
            results.add(result(item, answer.getPosition()));
        }
    }

    /** Prepares a stream for bulk load: batches, a bounded window, and a callback per batch. */
    public SubmitStream.Builder submitter() {
        return new SubmitStream.Builder(this);
    }

    /** A handle of a job by its id, without asking the server. */
    public JobHandle job(String id) {
        return new JobHandle(this, id, null, false, false, null);
    }

    /**
     * Jobs, newest first, fetched a page at a time while the stream is read. What is listed may be a moment older than what
     * {@link JobHandle#get()} says, unless the filter has a {@linkplain JobFilter#minPosition(String) position}.
     */
    public Stream<JobInfo> list(JobFilter filter) {
        return Stream.iterate(
                        page(filter, ""),
                        page -> page != null,
                        page -> page.getNextCursor().isEmpty() ? null : page(filter, page.getNextCursor()))
                .flatMap(page -> page.getJobsList().stream())
                .map(job -> info(job));
    }

    /** Asks for a job not to run, or to stop. Asking twice does no harm. */
    public CancelOutcome cancel(String id) {
        var answer = rpc.call(
                JobsGrpc.getCancelMethod(),
                CancelJobRequest.newBuilder().setId(id).build(),
                Rpc.Repeat.SAFE);
        return CancelOutcome.valueOf(answer.getOutcome().toUpperCase(Locale.ROOT));
    }

    JobChange.Result change(String id, JobChange change) {
        return changed(rpc.call(
                ControlGrpc.getUpdateJobMethod(), change.request(id, codec), Rpc.Repeat.SAFE, nextRequestId()));
    }

    JobChange.Result pause(String id) {
        return changed(rpc.call(
                ControlGrpc.getPauseJobMethod(),
                PauseJobRequest.newBuilder().setId(id).build(),
                Rpc.Repeat.SAFE));
    }

    JobChange.Result resume(String id) {
        return changed(rpc.call(
                ControlGrpc.getResumeJobMethod(),
                ResumeJobRequest.newBuilder().setId(id).build(),
                Rpc.Repeat.SAFE));
    }

    private static JobChange.Result changed(ChangeJobResponse answer) {
        return new JobChange.Result(
                JobChange.Outcome.valueOf(answer.getOutcome().toUpperCase(Locale.ROOT)),
                JobInfo.state(answer.getState()),
                answer.hasRevision() ? OptionalInt.of(answer.getRevision()) : OptionalInt.empty());
    }

    /** Prepares a group: jobs that belong together, with their progress, their results and a callback when all are at their end. */
    public GroupHandle.Builder group() {
        return new GroupHandle.Builder(this, rpc);
    }

    /** A handle of a group by its id, without asking the server. */
    public GroupHandle group(String id) {
        return new GroupHandle(this, rpc, id, List.of());
    }

    /** What the server is doing. */
    public ServerStatus status() {
        return ServerStatus.of(
                rpc.call(AdminGrpc.getGetStatusMethod(), GetStatusRequest.getDefaultInstance(), Rpc.Repeat.SAFE));
    }

    /** Jobs that were given up: look at them, bring them back, remove them. */
    public DeadLetters deadLetters() {
        return new DeadLetters(rpc, codec);
    }

    /** Who changed what, and proof that nobody changed that. */
    public Audit audit() {
        return new Audit(rpc);
    }

    /** All open jobs that fit: cancel, change, pause or resume them with one call. */
    public ManyJobs jobs(OpenJobs which) {
        return new ManyJobs(rpc, which, 0);
    }

    /** What is being done to many jobs at once. */
    public Operations operations() {
        return new Operations(rpc);
    }

    /** Holding back all jobs of a type, lane, tenant or pool, or of all. */
    public Pauses pauses() {
        return new Pauses(rpc);
    }

    /** What was used, and what it costs. A key of a tenant sees its own. */
    public Usage usage(Usage.Query query) {
        return Usage.of(rpc.call(LedgerGrpc.getGetUsageMethod(), query.message(), Rpc.Repeat.SAFE));
    }

    /** Jobs by the clock. */
    public Schedules schedules() {
        return new Schedules(this, rpc);
    }

    /** Tenants, types and keys. */
    public Admin admin() {
        return new Admin(rpc);
    }

    JobInfo info(dev.fairlane.protocol.v1.Job job) {
        return new JobInfo(
                job, codec, id -> rpc.bytes().result(id), id -> rpc.bytes().payload(id));
    }

    JobInfo get(String id) {
        return info(rpc.call(
                JobsGrpc.getGetMethod(), GetJobRequest.newBuilder().setId(id).build(), Rpc.Repeat.SAFE));
    }

    JobExplanation explain(String id) {
        return JobExplanation.of(rpc.call(
                JobsGrpc.getExplainMethod(),
                ExplainJobRequest.newBuilder().setId(id).build(),
                Rpc.Repeat.SAFE));
    }

    JobInfo await(String id, Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        while (true) {
            Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            Duration step = left.compareTo(AWAIT_STEP) < 0 ? left : AWAIT_STEP;
            var job = rpc.call(
                    JobsGrpc.getAwaitMethod(),
                    AwaitJobRequest.newBuilder()
                            .setId(id)
                            .setTimeoutMs(Math.max(1, step.toMillis()))
                            .build(),
                    Rpc.Repeat.SAFE,
                    step.plus(deadline));
            JobInfo info = info(job);
            if (info.state().terminal()) {
                return info;
            }
            if (System.nanoTime() - end >= 0) {
                throw new FairlaneException.TimedOut(
                        "WAIT_TIMED_OUT", "job " + id + " is " + info.state() + " after " + timeout, null);
            }
        }
    }

    Stream<JobInfo> watch(String id) {
        return JobWatch.open(rpc, id).map(job -> info(job));
    }

    SubmitResult result(SubmitItem item, String position) {
        return item.hasProblem()
                ? new SubmitResult(null, Errors.of(item.getProblem()))
                : new SubmitResult(
                        new JobHandle(
                                this,
                                item.getId(),
                                JobInfo.state(item.getState()),
                                item.getExisting(),
                                item.getDegraded(),
                                position),
                        null);
    }

    /** For calls. */
    Rpc calls() {
        return rpc;
    }

    /** A connection of its own for a worker, whose callbacks must not block. */
    Rpc openConnection() {
        rpc.failIfClosed();
        return Rpc.open(target, deadline);
    }

    /** A place on the connection for calls. */
    Rpc openCalls() {
        rpc.failIfClosed();
        return connections.calls(target);
    }

    /** A place on a connection that bulk streams share. */
    Rpc openStream() {
        rpc.failIfClosed();
        return connections.stream(target);
    }

    /** A payload that is too large for a message is stored by this call. */
    NewJob encode(Job job) {
        NewJob encoded = job.encode(codec);
        if (encoded.getPayload().size() <= PAYLOAD_BYTES_MAX) {
            return encoded;
        }
        String ref = rpc.bytes().savePayload(encoded.getPayload().toByteArray());
        return encoded.toBuilder().clearPayload().setPayloadRef(ref).build();
    }

    String nextRequestId() {
        return requestIds.next();
    }

    Codec codec() {
        return codec;
    }

    WorkerClock workerClock() {
        return workerClock;
    }

    Belongings belongings() {
        return belongings;
    }

    /**
     * Ends what was made from this: workers are drained, streams that are still open break, and their batches without an answer
     * are handed to their callbacks. The connections are closed with the client they belong to, not with a view of it.
     */
    @Override
    public void close() {
        belongings.end();
        rpc.close();
        if (root == null) {
            connections.close();
        }
    }

    @Override
    public String toString() {
        return "Fairlane[" + target + "]";
    }

    private @Nullable ListJobsResponse page(JobFilter filter, String cursor) {
        return rpc.call(JobsGrpc.getListMethod(), filter.page(cursor), Rpc.Repeat.SAFE);
    }

    /** Options of a client. */
    public static final class Builder {
        private String address = "http://localhost:8080";
        private @Nullable String key;
        private @Nullable String tenant;
        private Duration deadline = Duration.ofSeconds(10);
        private @Nullable JsonMapper json;
        private WorkerClock workerClock = WorkerClock.REAL;
        private int streamsPerConnection = 1_000;

        private Builder() {}

        /** {@code http://host:port} in the clear, {@code https://host} with TLS. Default {@code http://localhost:8080}. */
        public Builder address(String url) {
            this.address = url;
            return this;
        }

        /** The API key. Required. */
        public Builder key(String key) {
            this.key = key;
            return this;
        }

        /** For keys that see all tenants: the tenant everything here is about. Other keys belong to one tenant anyway. */
        public Builder tenant(String tenant) {
            this.tenant = tenant;
            return this;
        }

        /** How long one call may take, repeats included. Default 10 s. Waits for a job have their own time. */
        public Builder deadline(Duration deadline) {
            this.deadline = deadline;
            return this;
        }

        /** Reads and writes payloads and results. Default: a plain {@link JsonMapper}. */
        public Builder json(JsonMapper json) {
            this.json = json;
            return this;
        }

        /**
         * Most {@linkplain SubmitStream bulk streams} that share a connection; for more another one is opened. Default 1,000:
         * connections cost both sides processor time, streams next to none. Less is right for few busy streams to a server with many
         * cores, which serves a connection by one thread; and behind a proxy that allows fewer streams a connection, since those
         * beyond its bound would wait for others to end. The server itself allows 10,000.
         */
        public Builder streamsPerConnection(int streams) {
            if (streams < 1 || streams > 10_000) {
                throw new IllegalArgumentException("expected 1 to 10,000 streams a connection, but got " + streams);
            }
            this.streamsPerConnection = streams;
            return this;
        }

        /** The time that workers of this client go by. For tests; default {@link WorkerClock#REAL}. */
        public Builder workerClock(WorkerClock workerClock) {
            this.workerClock = workerClock;
            return this;
        }

        /**
         * Makes the client.
         *
         * @throws IllegalArgumentException if the address or the key is missing or cannot be one
         */
        public Fairlane connect() {
            if (key == null) {
                throw new IllegalArgumentException("expected an API key, but none was given");
            }
            return new Fairlane(this, Rpc.Target.of(address, key, tenant));
        }
    }
}
