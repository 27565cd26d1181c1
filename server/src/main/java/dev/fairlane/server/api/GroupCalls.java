package dev.fairlane.server.api;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.AuditDeed;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.JobGroup.CallbackOn;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.AwaitGroupRequest;
import dev.fairlane.protocol.v1.CancelGroupRequest;
import dev.fairlane.protocol.v1.CancelGroupResponse;
import dev.fairlane.protocol.v1.CreateGroupRequest;
import dev.fairlane.protocol.v1.GetGroupRequest;
import dev.fairlane.protocol.v1.JobGroup;
import dev.fairlane.protocol.v1.ListGroupJobsRequest;
import dev.fairlane.protocol.v1.ListGroupJobsResponse;
import dev.fairlane.protocol.v1.SealGroupRequest;
import dev.fairlane.protocol.v1.SubmitGroupRequest;
import dev.fairlane.protocol.v1.SubmitGroupResponse;
import dev.fairlane.protocol.v1.SubmitItem;
import dev.fairlane.runtime.JobGroups;
import dev.fairlane.runtime.Node;
import dev.fairlane.server.admit.JobCheck;
import dev.fairlane.server.admit.Limits;
import dev.fairlane.server.admit.Text;
import dev.fairlane.server.fault.RefusalCounts;
import dev.fairlane.server.fault.Refused;
import dev.fairlane.server.webhook.WebhookRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What can be done with groups of jobs. */
public final class GroupCalls {
    private static final int WAITING_MAX = 20_000;
    private static final int CALLBACK_BYTES = 16 << 10;
    private static final int RESULTS_PAGE = 100;

    private final Node node;
    private final JobGroups groups;
    private final Tenants tenants;
    private final Messages messages;
    private final WebhookRules webhooks;
    private final Intake intake;
    private final RefusalCounts refusals;
    private final Waiting waiting = new Waiting(WAITING_MAX);

    public GroupCalls(Node node, WebhookRules webhooks, Intake intake, RefusalCounts refusals) {
        this.node = node;
        this.groups = node.groups();
        this.tenants = new Tenants(node);
        this.messages = new Messages(node);
        this.webhooks = webhooks;
        this.refusals = refusals;
        this.intake = intake;
    }

    public CompletableFuture<JobGroup> create(Call call, CreateGroupRequest request) {
        Tenant tenant = tenants.ofSubmit(call.caller());
        NewJob callback = request.hasCallback() ? callback(request.getCallback()) : null;
        return groups.create(tenant.id(), name(request.getName()), callback, on(request.getCallbackOn()))
                .thenApplyAsync(this::group, call.executor());
    }

    public CompletableFuture<SubmitGroupResponse> submit(Call call, SubmitGroupRequest request) {
        int count = request.getJobsCount();
        if (count > Limits.JOBS_PER_CALL) {
            throw Refused.over(
                    ErrorCode.TOO_MANY_JOBS,
                    "jobs",
                    "expected at most " + Limits.JOBS_PER_CALL + " jobs, but got " + count
                            + "; make a group and submit more calls into it",
                    Limits.JOBS_PER_CALL,
                    count);
        }
        if (count == 0) {
            throw Refused.invalid("jobs", "expected 1 to " + Limits.JOBS_PER_CALL + " jobs, but there is none");
        }
        Tenant tenant = tenants.ofSubmit(call.caller());
        NewJob callback = request.hasCallback() ? callback(request.getCallback()) : null;
        List<NewJob> good = new ArrayList<>(count);
        SubmitItem[] items = new SubmitItem[count];
        for (int i = 0; i < count; i++) {
            try {
                if (!request.getJobs(i).getGroup().isEmpty()) {
                    throw Refused.invalid("group", "expected none, since the job joins the group of this call");
                }
                good.add(intake.check(tenant, request.getJobs(i)));
            } catch (Refused refused) {
                items[i] = JobCalls.refused(refused);
            }
        }
        String name = name(request.getName());
        dev.fairlane.core.model.JobGroup.CallbackOn on = on(request.getCallbackOn());
        CompletableFuture<List<NewJob>> found = Intake.refer(good)
                ? intake.find(good).thenApplyAsync(all -> JobCalls.remaining(good, all, items), call.executor())
                : CompletableFuture.completedFuture(good);
        return found.thenCompose(jobs -> groups.submit(tenant.id(), name, callback, on, jobs))
                .thenApplyAsync(submitted -> merge(tenant, items, submitted), call.executor());
    }

    private SubmitGroupResponse merge(Tenant tenant, @Nullable SubmitItem[] items, JobGroups.Submitted submitted) {
        SubmitGroupResponse.Builder response = SubmitGroupResponse.newBuilder().setGroup(group(submitted.group()));
        int next = 0;
        for (SubmitItem refused : items) {
            SubmitItem item =
                    refused != null ? refused : JobCalls.item(submitted.jobs().get(next++));
            JobCalls.count(refusals, tenant, item);
            response.addItems(item);
        }
        return response.setPosition(submitted.position().toString()).build();
    }

    public CompletableFuture<JobGroup> get(Call call, GetGroupRequest request) {
        return groups.get(call.caller().scope(), id(request.getId()))
                .thenApplyAsync(found -> messages.group(existing(found)), call.executor());
    }

    public CompletableFuture<JobGroup> seal(Call call, SealGroupRequest request) {
        return groups.seal(call.caller().scope(), id(request.getId())).thenApplyAsync(this::group, call.executor());
    }

    public CompletableFuture<JobGroup> await(Call call, AwaitGroupRequest request) {
        long asked = JobCheck.between("timeout_ms", request.getTimeoutMs(), 0, Limits.AWAIT_MS);
        long micros = (asked == 0 ? Limits.DEFAULT_AWAIT_MS : asked) * 1_000;
        JobId id = id(request.getId());
        waiting.enter();
        try {
            return groups.await(call.caller().scope(), id, micros)
                    .whenComplete((_, _) -> waiting.leave())
                    .thenApplyAsync(found -> messages.group(existing(found)), call.executor());
        } catch (RuntimeException e) {
            waiting.leave();
            throw e;
        }
    }

    public CompletableFuture<ListGroupJobsResponse> jobs(Call call, ListGroupJobsRequest request) {
        int asked = (int) JobCheck.between("page_size", request.getPageSize(), 0, RESULTS_PAGE);
        int size = asked == 0 ? Limits.DEFAULT_PAGE : asked;
        TenantId scope = call.caller().scope();
        return groups.members(scope, id(request.getId()), cursor(request.getCursor()), size)
                .thenCompose(found -> views(scope, existing(found)))
                .thenApplyAsync(
                        page -> {
                            ListGroupJobsResponse.Builder response = ListGroupJobsResponse.newBuilder();
                            page.views.forEach(view -> response.addJobs(messages.job(view)));
                            if (page.ids.size() == size) {
                                response.setNextCursor(page.ids.getLast().toString());
                            }
                            return response.build();
                        },
                        call.executor());
    }

    private record Page(List<JobId> ids, List<JobView> views) {}

    /** The members as they are now; one whose history is gone is left out. */
    private CompletableFuture<Page> views(@Nullable TenantId scope, List<JobId> ids) {
        List<CompletableFuture<Optional<JobView>>> looks =
                ids.stream().map(id -> node.get(scope, id)).toList();
        return CompletableFuture.allOf(looks.toArray(CompletableFuture<?>[]::new))
                .thenApply(_ -> new Page(
                        ids,
                        looks.stream()
                                .map(CompletableFuture::join)
                                .flatMap(Optional::stream)
                                .toList()));
    }

    public CompletableFuture<CancelGroupResponse> cancel(Call call, CancelGroupRequest request) {
        JobId id = id(request.getId());
        JobId after = cursor(request.getCursor());
        TenantId scope = call.caller().scope();
        Author by = call.author(request);
        return groups.get(scope, id)
                .thenCompose(found -> noted(existing(found), by))
                .thenCompose(each -> groups.seal(scope, id)
                        .thenApply(this::group)
                        .thenCompose(_ -> groups.members(scope, id, after, Limits.JOBS_PER_CALL))
                        .thenCompose(found -> cancelAll(scope, existing(found), each.orElse(null))))
                .thenApplyAsync(response -> response, call.executor());
    }

    /**
     * One entry per page of members, before anything is done: whoever calls chooses the page to begin with. A group that has nothing to
     * cancel needs none; a member that joins or comes back just then gets one of its own, by the author that is given back.
     */
    private CompletableFuture<Optional<Author>> noted(dev.fairlane.core.model.JobGroup group, Author by) {
        int left = group.progress().total() - group.progress().ended();
        if (left == 0) {
            return CompletableFuture.completedFuture(Optional.of(by));
        }
        AuditDeed deed = new AuditDeed("group.cancel", "group/" + group.id(), left + " jobs open", "");
        return node.audit().note(group.tenant(), deed, by).thenApply(_ -> Optional.empty());
    }

    /** @param author of an entry for each; null when there is one for all */
    private CompletableFuture<CancelGroupResponse> cancelAll(
            @Nullable TenantId scope, List<JobId> ids, @Nullable Author author) {
        List<CompletableFuture<Answer>> answers =
                ids.stream().map(id -> node.cancel(scope, id, author)).toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .thenApply(_ -> {
                    CancelGroupResponse.Builder response = CancelGroupResponse.newBuilder();
                    for (CompletableFuture<Answer> answer : answers) {
                        // one whose history is gone was done long ago
                        switch (answer.join() instanceof Answer.Cancelled cancelled
                                ? cancelled.outcome()
                                : Answer.CancelOutcome.ALREADY_DONE) {
                            case CANCELLED -> response.setCancelled(response.getCancelled() + 1);
                            case CANCEL_REQUESTED -> response.setCancelRequested(response.getCancelRequested() + 1);
                            case ALREADY_DONE -> response.setAlreadyDone(response.getAlreadyDone() + 1);
                        }
                    }
                    if (ids.size() == Limits.JOBS_PER_CALL) {
                        response.setNextCursor(ids.getLast().toString());
                    }
                    return response.build();
                });
    }

    private JobGroup group(Answer answer) {
        return switch (answer) {
            case Answer.GroupIs is -> messages.group(is.group());
            case Answer.Refused refused -> throw Refused.of(refused.refusal());
            case Answer other -> throw new IllegalStateException("the node answered with " + other);
        };
    }

    /** Kept in memory as long as the group is open, so it is small. */
    private NewJob callback(dev.fairlane.protocol.v1.NewJob job) {
        if (job.getPayload().size() > CALLBACK_BYTES) {
            throw Refused.over(
                    ErrorCode.PAYLOAD_TOO_LARGE,
                    "callback.payload",
                    "expected at most " + CALLBACK_BYTES + " bytes in a callback, but got "
                            + job.getPayload().size(),
                    CALLBACK_BYTES,
                    job.getPayload().size());
        }
        if (!job.getPayloadRef().isEmpty()) {
            throw Refused.invalid("callback.payload_ref", "a callback's payload must be in the call");
        }
        return webhooks.check(JobCheck.check(job));
    }

    private static String name(String name) {
        return Text.line("name", name, Limits.NAME_LENGTH);
    }

    private static CallbackOn on(String text) {
        if (text.isEmpty()) {
            return CallbackOn.ALL_DONE;
        }
        for (CallbackOn on : CallbackOn.values()) {
            if (on.name().toLowerCase(Locale.ROOT).equals(text)) {
                return on;
            }
        }
        throw Refused.invalid("callback_on", "expected all_done or all_succeeded");
    }

    private static JobId id(String text) {
        try {
            return JobId.parse(text);
        } catch (IllegalArgumentException e) {
            throw Refused.invalid("id", "expected the id of a group, a UUID of version 7");
        }
    }

    private static @Nullable JobId cursor(String text) {
        try {
            return text.isEmpty() ? null : JobId.parse(text);
        } catch (IllegalArgumentException e) {
            throw Refused.field(ErrorCode.INVALID_CURSOR, "cursor", "expected next_cursor of a page of this list");
        }
    }

    private static <T> T existing(Optional<T> found) {
        return found.orElseThrow(() -> Refused.of(ErrorCode.GROUP_NOT_FOUND, ErrorCode.GROUP_NOT_FOUND.title()));
    }
}
