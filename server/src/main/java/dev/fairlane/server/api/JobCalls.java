package dev.fairlane.server.api;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.JobQuery;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.AwaitJobRequest;
import dev.fairlane.protocol.v1.CancelJobRequest;
import dev.fairlane.protocol.v1.CancelJobResponse;
import dev.fairlane.protocol.v1.ExplainJobRequest;
import dev.fairlane.protocol.v1.GetJobRequest;
import dev.fairlane.protocol.v1.Job;
import dev.fairlane.protocol.v1.JobExplanation;
import dev.fairlane.protocol.v1.JobState;
import dev.fairlane.protocol.v1.ListJobsRequest;
import dev.fairlane.protocol.v1.ListJobsResponse;
import dev.fairlane.protocol.v1.SubmitBatchRequest;
import dev.fairlane.protocol.v1.SubmitBatchResponse;
import dev.fairlane.protocol.v1.SubmitItem;
import dev.fairlane.protocol.v1.SubmitRequest;
import dev.fairlane.protocol.v1.SubmitResponse;
import dev.fairlane.protocol.v1.WatchJobRequest;
import dev.fairlane.runtime.Node;
import dev.fairlane.runtime.Position;
import dev.fairlane.runtime.SubmitReply;
import dev.fairlane.server.admit.JobCheck;
import dev.fairlane.server.admit.Limits;
import dev.fairlane.server.admit.Text;
import dev.fairlane.server.fault.RefusalCounts;
import dev.fairlane.server.fault.Refused;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What can be done with jobs. Methods throw {@link Refused} or return a future that may fail with it. */
public final class JobCalls {
    private static final int WAITING_MAX = 20_000;

    private final Node node;
    private final Tenants tenants;
    private final Messages messages;
    private final Intake intake;
    private final RefusalCounts refusals;
    private final Waiting waiting = new Waiting(WAITING_MAX);

    public JobCalls(Node node, Intake intake, RefusalCounts refusals) {
        this.node = node;
        this.intake = intake;
        this.refusals = refusals;
        this.tenants = new Tenants(node);
        this.messages = new Messages(node);
    }

    public CompletableFuture<SubmitResponse> submit(Call call, SubmitRequest request) {
        Tenant tenant = tenants.ofSubmit(call.caller());
        NewJob job;
        try {
            job = intake.check(tenant, keyed(request.getJob(), call.idempotencyKey()));
        } catch (Refused refused) {
            throw request.hasJob() ? refused : Refused.invalid("job", "expected a job, but there is none");
        }
        String requestId = requestId(request.getRequestId());
        List<NewJob> jobs = List.of(job);
        CompletableFuture<SubmitReply> reply = Intake.refer(jobs)
                ? intake.find(jobs)
                        .thenComposeAsync(
                                found -> {
                                    found.getFirst().ifPresent(refused -> {
                                        throw refused;
                                    });
                                    return node.submit(tenant.id(), jobs, requestId);
                                },
                                call.executor())
                : node.submit(tenant.id(), jobs, requestId);
        return reply.thenApplyAsync(answered -> single(answered), call.executor());
    }

    private static String requestId(String given) {
        return Text.line("request_id", given, Limits.REQUEST_ID_LENGTH);
    }

    /** The header says the same as the field; when both are there they must agree. */
    private static dev.fairlane.protocol.v1.NewJob keyed(dev.fairlane.protocol.v1.NewJob job, String key) {
        if (key.isEmpty()) {
            return job;
        }
        String given = job.getIdempotencyKey();
        if (!given.isEmpty() && !given.equals(key)) {
            throw Refused.invalid("idempotency_key", "expected the same key as in the header Idempotency-Key");
        }
        return job.toBuilder().setIdempotencyKey(key).build();
    }

    /** The key of a whole call is a key for each of its jobs that has none. */
    static dev.fairlane.protocol.v1.NewJob keyed(dev.fairlane.protocol.v1.NewJob job, String key, int place) {
        return key.isEmpty() || !job.getIdempotencyKey().isEmpty()
                ? job
                : job.toBuilder().setIdempotencyKey(key + "#" + place).build();
    }

    private static SubmitResponse single(SubmitReply reply) {
        return switch (reply.answers().getFirst()) {
            case Answer.Submitted submitted ->
                SubmitResponse.newBuilder()
                        .setId(submitted.id().toString())
                        .setState(Messages.state(submitted.state()))
                        .setExisting(submitted.existing())
                        .setDegraded(submitted.degraded())
                        .setPosition(reply.position().toString())
                        .setQuotaWarning(reply.quotaWarning())
                        .build();
            case Answer.Refused refused -> throw Refused.of(refused.refusal());
            case Answer other -> throw unexpected(other);
        };
    }

    public CompletableFuture<SubmitBatchResponse> submitBatch(Call call, SubmitBatchRequest request) {
        int count = request.getJobsCount();
        if (count > Limits.JOBS_PER_CALL) {
            throw Refused.over(
                    ErrorCode.TOO_MANY_JOBS,
                    "jobs",
                    "expected at most " + Limits.JOBS_PER_CALL + " jobs, but got " + count + "; send more calls",
                    Limits.JOBS_PER_CALL,
                    count);
        }
        if (count == 0) {
            throw Refused.invalid("jobs", "expected 1 to " + Limits.JOBS_PER_CALL + " jobs, but there is none");
        }
        String requestId = requestId(request.getRequestId());
        Tenant tenant = tenants.ofSubmit(call.caller());
        List<NewJob> good = new ArrayList<>(count);
        SubmitItem[] items = new SubmitItem[count];
        for (int i = 0; i < count; i++) {
            try {
                good.add(intake.check(tenant, keyed(request.getJobs(i), call.idempotencyKey(), i)));
            } catch (Refused refused) {
                items[i] = refused(refused);
            }
        }
        CompletableFuture<SubmitReply> reply = Intake.refer(good)
                ? intake.find(good)
                        .thenComposeAsync(
                                found -> submit(tenant, remaining(good, found, items), requestId), call.executor())
                : submit(tenant, good, requestId);
        return reply.thenApplyAsync(answered -> merge(tenant, request.getTag(), items, answered), call.executor());
    }

    private CompletableFuture<SubmitReply> submit(Tenant tenant, List<NewJob> jobs, String requestId) {
        return jobs.isEmpty()
                ? CompletableFuture.completedFuture(new SubmitReply(List.of(), Position.NONE))
                : node.submit(tenant.id(), jobs, requestId);
    }

    /** The jobs whose payload was found; the items of the others say why not. */
    static List<NewJob> remaining(List<NewJob> good, List<Optional<Refused>> found, @Nullable SubmitItem[] items) {
        List<NewJob> remaining = new ArrayList<>(good.size());
        int next = 0;
        for (int i = 0; i < items.length; i++) {
            if (items[i] == null) {
                Refused refused = found.get(next).orElse(null);
                if (refused == null) {
                    remaining.add(good.get(next));
                } else {
                    items[i] = refused(refused);
                }
                next++;
            }
        }
        return remaining;
    }

    private SubmitBatchResponse merge(Tenant tenant, long tag, @Nullable SubmitItem[] items, SubmitReply reply) {
        SubmitBatchResponse.Builder response =
                SubmitBatchResponse.newBuilder().setTag(tag).setQuotaWarning(reply.quotaWarning());
        int next = 0;
        for (SubmitItem refused : items) {
            SubmitItem item = refused != null ? refused : item(reply.answers().get(next++));
            count(refusals, tenant, item);
            response.addItems(item);
        }
        if (!reply.position().equals(Position.NONE)) {
            response.setPosition(reply.position().toString());
        }
        return response.build();
    }

    static SubmitItem item(Answer answer) {
        return switch (answer) {
            case Answer.Submitted submitted ->
                SubmitItem.newBuilder()
                        .setId(submitted.id().toString())
                        .setState(Messages.state(submitted.state()))
                        .setExisting(submitted.existing())
                        .setDegraded(submitted.degraded())
                        .build();
            case Answer.Refused refused -> refused(Refused.of(refused.refusal()));
            case Answer other -> throw unexpected(other);
        };
    }

    static void count(RefusalCounts refusals, Tenant tenant, SubmitItem item) {
        if (item.hasProblem()) {
            refusals.count(tenant.name(), ErrorCode.valueOf(item.getProblem().getCode()), 1);
        }
    }

    /** A batch of a stream that could not be taken at all. */
    public void refusedAll(Call call, Refused why, int jobs) {
        refusals.count(tenants.ofSubmit(call.caller()).name(), why.code(), jobs);
    }

    static SubmitItem refused(Refused refused) {
        return SubmitItem.newBuilder().setProblem(refused.problem()).build();
    }

    public CompletableFuture<Job> get(Call call, GetJobRequest request) {
        return node.get(call.caller().scope(), id(request.getId()))
                .thenApplyAsync(found -> messages.job(existing(found)), call.executor());
    }

    public CompletableFuture<JobExplanation> explain(Call call, ExplainJobRequest request) {
        return node.explain(call.caller().scope(), id(request.getId()))
                .thenApplyAsync(found -> Explanations.of(existing(found)), call.executor());
    }

    public CompletableFuture<Job> await(Call call, AwaitJobRequest request) {
        long asked = JobCheck.between("timeout_ms", request.getTimeoutMs(), 0, Limits.AWAIT_MS);
        long micros = (asked == 0 ? Limits.DEFAULT_AWAIT_MS : asked) * 1_000;
        JobId id = id(request.getId());
        waiting.enter();
        try {
            return node.await(call.caller().scope(), id, micros)
                    .whenComplete((_, _) -> waiting.leave())
                    .thenApplyAsync(found -> messages.job(existing(found)), call.executor());
        } catch (RuntimeException e) {
            waiting.leave();
            throw e;
        }
    }

    /** Begins a watch; the sink hears of everything else, a job that is not there included. */
    public JobWatch watch(Call call, WatchJobRequest request, JobWatch.Sink sink) {
        JobId id = id(request.getId());
        waiting.enter();
        JobWatch watch = new JobWatch(call.executor(), messages::job, sink, waiting::leave);
        try {
            watch.start(watcher -> node.watch(call.caller().scope(), id, watcher));
        } catch (RuntimeException e) {
            watch.close();
            throw e;
        }
        return watch;
    }

    public CompletableFuture<CancelJobResponse> cancel(Call call, CancelJobRequest request) {
        return node.cancel(call.caller().scope(), id(request.getId()), call.author(request))
                .thenApplyAsync(
                        answer -> switch (answer) {
                            case Answer.Cancelled cancelled ->
                                CancelJobResponse.newBuilder()
                                        .setOutcome(cancelled.outcome().name().toLowerCase(Locale.ROOT))
                                        .setState(Messages.state(cancelled.state()))
                                        .build();
                            case Answer.Refused refused -> throw Refused.of(refused.refusal());
                            case Answer other -> throw unexpected(other);
                        },
                        call.executor());
    }

    public CompletableFuture<ListJobsResponse> list(Call call, ListJobsRequest request) {
        int size = (int) JobCheck.between("page_size", request.getPageSize(), 0, Limits.PAGE);
        String type = request.getType().isEmpty() ? "" : Text.typeName("type", request.getType());
        TenantId scope = tenants.scope(call.caller(), request.getTenant());
        JobQuery first = new JobQuery(scope, states(request), type, null, size == 0 ? Limits.DEFAULT_PAGE : size);
        JobQuery query = request.getCursor().isEmpty()
                ? first
                : new JobQuery(scope, first.states(), type, Cursor.read(first, request.getCursor()), first.limit());
        return node.list(query, position(request.getMinPosition()))
                .thenApplyAsync(
                        page -> {
                            ListJobsResponse.Builder response = ListJobsResponse.newBuilder();
                            page.jobs().forEach(view -> response.addJobs(messages.summary(view)));
                            if (page.next() != null) {
                                response.setNextCursor(Cursor.write(first, page.next()));
                            }
                            return response.build();
                        },
                        call.executor());
    }

    private static Set<dev.fairlane.core.model.JobState> states(ListJobsRequest request) {
        Set<dev.fairlane.core.model.JobState> states = EnumSet.noneOf(dev.fairlane.core.model.JobState.class);
        for (JobState state : request.getStateList()) {
            if (state == JobState.JOB_STATE_UNSPECIFIED || state == JobState.UNRECOGNIZED) {
                throw Refused.invalid("state", "expected a state of a job");
            }
            states.add(dev.fairlane.core.model.JobState.valueOf(state.name()));
        }
        return states;
    }

    private static Position position(String text) {
        try {
            return Position.parse(text.length() > 64 ? "-" : text);
        } catch (IllegalArgumentException e) {
            throw Refused.invalid("min_position", "expected the position of an answer to a submit, like 3.1415");
        }
    }

    static JobId id(String text) {
        try {
            return JobId.parse(text);
        } catch (IllegalArgumentException e) {
            throw Refused.invalid("id", "expected the id of a job, a UUID of version 7");
        }
    }

    private static <T> T existing(Optional<T> found) {
        return found.orElseThrow(() -> Refused.of(ErrorCode.JOB_NOT_FOUND, ErrorCode.JOB_NOT_FOUND.title()));
    }

    static IllegalStateException unexpected(Answer answer) {
        return new IllegalStateException("the node answered with " + answer);
    }
}
