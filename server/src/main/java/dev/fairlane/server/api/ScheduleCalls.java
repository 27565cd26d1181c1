package dev.fairlane.server.api;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleRules;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.DeleteScheduleRequest;
import dev.fairlane.protocol.v1.DeleteScheduleResponse;
import dev.fairlane.protocol.v1.GetScheduleRequest;
import dev.fairlane.protocol.v1.ListSchedulesRequest;
import dev.fairlane.protocol.v1.ListSchedulesResponse;
import dev.fairlane.protocol.v1.NamedSchedule;
import dev.fairlane.protocol.v1.PauseScheduleRequest;
import dev.fairlane.protocol.v1.PreviewScheduleRequest;
import dev.fairlane.protocol.v1.PreviewScheduleResponse;
import dev.fairlane.protocol.v1.PutScheduleItem;
import dev.fairlane.protocol.v1.PutScheduleRequest;
import dev.fairlane.protocol.v1.PutScheduleResponse;
import dev.fairlane.protocol.v1.PutSchedulesRequest;
import dev.fairlane.protocol.v1.PutSchedulesResponse;
import dev.fairlane.protocol.v1.ResumeScheduleRequest;
import dev.fairlane.protocol.v1.SchedulePreview;
import dev.fairlane.protocol.v1.ScheduleSpec;
import dev.fairlane.protocol.v1.TriggerScheduleRequest;
import dev.fairlane.protocol.v1.TriggerScheduleResponse;
import dev.fairlane.runtime.JobSchedules;
import dev.fairlane.runtime.Node;
import dev.fairlane.server.admit.JobCheck;
import dev.fairlane.server.admit.Limits;
import dev.fairlane.server.admit.ScheduleCheck;
import dev.fairlane.server.admit.Text;
import dev.fairlane.server.fault.RefusalCounts;
import dev.fairlane.server.fault.Refused;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What can be done with schedules. They belong to the tenant that a submit of the caller would. */
public final class ScheduleCalls {
    private static final int PREVIEW = 10;
    private static final int PREVIEW_MAX = 100;

    private final JobSchedules schedules;
    private final Tenants tenants;
    private final Intake intake;
    private final InstantSource clock;
    private final RefusalCounts refusals;

    public ScheduleCalls(Node node, Intake intake, InstantSource clock, RefusalCounts refusals) {
        this.schedules = node.schedules();
        this.tenants = new Tenants(node);
        this.intake = intake;
        this.clock = clock;
        this.refusals = refusals;
    }

    public CompletableFuture<PutScheduleResponse> put(Call call, PutScheduleRequest request) {
        Tenant tenant = tenants.ofSubmit(call.caller());
        Command.PutSchedule put = checked(tenant, request.getName(), request.getSpec(), request.getDryRun());
        return schedules
                .put(put, call.author(request))
                .thenApplyAsync(
                        answer -> {
                            Answer.ScheduleIs is = is(answer);
                            return PutScheduleResponse.newBuilder()
                                    .setSchedule(ScheduleText.schedule(is.schedule(), tenant.name(), true))
                                    .setOutcome(outcome(is))
                                    .addAllChanges(ScheduleText.changes(is.before(), is.schedule()))
                                    .build();
                        },
                        call.executor());
    }

    public CompletableFuture<PutSchedulesResponse> putAll(Call call, PutSchedulesRequest request) {
        int count = request.getSchedulesCount();
        if (count > Limits.SCHEDULES_PER_CALL) {
            throw Refused.over(
                    ErrorCode.TOO_MANY_JOBS,
                    "schedules",
                    "expected at most " + Limits.SCHEDULES_PER_CALL + " schedules, but got " + count
                            + "; send more calls",
                    Limits.SCHEDULES_PER_CALL,
                    count);
        }
        if (count == 0) {
            throw Refused.invalid(
                    "schedules", "expected 1 to " + Limits.SCHEDULES_PER_CALL + " schedules, but there is none");
        }
        Tenant tenant = tenants.ofSubmit(call.caller());
        List<Command.PutSchedule> good = new ArrayList<>(count);
        @Nullable PutScheduleItem[] items = new PutScheduleItem[count];
        for (int i = 0; i < count; i++) {
            NamedSchedule asked = request.getSchedules(i);
            try {
                good.add(checked(tenant, asked.getName(), asked.getSpec(), request.getDryRun()));
            } catch (Refused refused) {
                items[i] = refused(asked.getName(), refused);
            }
        }
        CompletableFuture<List<Answer>> answers = good.isEmpty()
                ? CompletableFuture.completedFuture(List.of())
                : schedules.putAll(tenant.id(), good, call.author(request));
        return answers.thenApplyAsync(answered -> merge(tenant, request, items, answered), call.executor());
    }

    /**
     * @param items of those that were refused before
     * @param answers to the others
     */
    private PutSchedulesResponse merge(
            Tenant tenant, PutSchedulesRequest request, @Nullable PutScheduleItem[] items, List<Answer> answers) {
        PutSchedulesResponse.Builder response = PutSchedulesResponse.newBuilder();
        int next = 0;
        for (int i = 0; i < items.length; i++) {
            PutScheduleItem refused = items[i];
            PutScheduleItem item =
                    refused != null ? refused : item(request.getSchedules(i).getName(), answers.get(next++));
            if (item.hasProblem()) {
                refusals.count(
                        tenant.name(), ErrorCode.valueOf(item.getProblem().getCode()), 1);
            }
            response.addItems(item);
        }
        return response.build();
    }

    private static PutScheduleItem item(String name, Answer answer) {
        return switch (answer) {
            case Answer.ScheduleIs is ->
                PutScheduleItem.newBuilder()
                        .setName(name)
                        .setOutcome(outcome(is))
                        .addAllChanges(ScheduleText.changes(is.before(), is.schedule()))
                        .build();
            case Answer.Refused refused -> refused(name, Refused.of(refused.refusal()));
            case Answer other -> throw JobCalls.unexpected(other);
        };
    }

    private static PutScheduleItem refused(String name, Refused why) {
        return PutScheduleItem.newBuilder()
                .setName(name)
                .setProblem(why.problem())
                .build();
    }

    private Command.PutSchedule checked(Tenant tenant, String name, ScheduleSpec spec, boolean dryRun) {
        ScheduleName id = name(tenant, name);
        if (!spec.hasJob()) {
            throw Refused.invalid("job", "expected a job to submit at every tick, but there is none");
        }
        ScheduleRules rules = ScheduleCheck.rules(spec);
        NewJob job = ScheduleCheck.template(spec.getJob(), intake.check(tenant, spec.getJob()));
        return new Command.PutSchedule(id, rules, job, dryRun);
    }

    private static String outcome(Answer.ScheduleIs is) {
        return is.outcome().name().toLowerCase(Locale.ROOT);
    }

    public CompletableFuture<dev.fairlane.protocol.v1.Schedule> get(Call call, GetScheduleRequest request) {
        Tenant tenant = tenants.ofSubmit(call.caller());
        ScheduleName id = name(tenant, request.getName());
        return existing(id).thenApplyAsync(found -> ScheduleText.schedule(found, tenant.name(), true), call.executor());
    }

    public CompletableFuture<ListSchedulesResponse> list(Call call, ListSchedulesRequest request) {
        int asked = (int) JobCheck.between("page_size", request.getPageSize(), 0, Limits.PAGE);
        int size = asked == 0 ? Limits.DEFAULT_PAGE : asked;
        Tenant tenant = tenants.ofSubmit(call.caller());
        ScheduleName after = request.getCursor().isEmpty() ? null : cursor(tenant, request.getCursor());
        return schedules
                .list(tenant.id(), after, size + 1)
                .thenApplyAsync(found -> page(tenant, found, size), call.executor());
    }

    private static ListSchedulesResponse page(Tenant tenant, List<Schedule> found, int size) {
        List<Schedule> page = found.size() > size ? found.subList(0, size) : found;
        ListSchedulesResponse.Builder response = ListSchedulesResponse.newBuilder();
        page.forEach(one -> response.addSchedules(ScheduleText.schedule(one, tenant.name(), false)));
        if (found.size() > size) {
            response.setNextCursor(page.getLast().id().name());
        }
        return response.build();
    }

    public CompletableFuture<dev.fairlane.protocol.v1.Schedule> pause(Call call, PauseScheduleRequest request) {
        String why = Text.line("why", request.getWhy(), Limits.FAILURE_MESSAGE_LENGTH);
        return pause(call, request.getName(), true, why, call.author(request));
    }

    public CompletableFuture<dev.fairlane.protocol.v1.Schedule> resume(Call call, ResumeScheduleRequest request) {
        return pause(call, request.getName(), false, "", call.author(request));
    }

    private CompletableFuture<dev.fairlane.protocol.v1.Schedule> pause(
            Call call, String name, boolean paused, String why, Author author) {
        Tenant tenant = tenants.ofSubmit(call.caller());
        return schedules
                .pause(
                        new Command.PauseSchedule(
                                name(tenant, name), paused, call.caller().keyName(), why),
                        author)
                .thenApplyAsync(
                        answer -> ScheduleText.schedule(is(answer).schedule(), tenant.name(), true), call.executor());
    }

    public CompletableFuture<DeleteScheduleResponse> delete(Call call, DeleteScheduleRequest request) {
        return schedules
                .delete(name(tenants.ofSubmit(call.caller()), request.getName()), call.author(request))
                .thenApplyAsync(
                        answer -> {
                            is(answer);
                            return DeleteScheduleResponse.getDefaultInstance();
                        },
                        call.executor());
    }

    public CompletableFuture<TriggerScheduleResponse> trigger(Call call, TriggerScheduleRequest request) {
        return schedules
                .trigger(name(tenants.ofSubmit(call.caller()), request.getName()), call.author(request))
                .thenApplyAsync(
                        answer -> switch (answer) {
                            case Answer.Submitted submitted ->
                                TriggerScheduleResponse.newBuilder()
                                        .setJobId(submitted.id().toString())
                                        .build();
                            case Answer.Refused refused -> throw Refused.of(refused.refusal());
                            case Answer other -> throw JobCalls.unexpected(other);
                        },
                        call.executor());
    }

    public CompletableFuture<PreviewScheduleResponse> preview(Call call, PreviewScheduleRequest request) {
        int asked = (int) JobCheck.between("count", request.getCount(), 0, PREVIEW_MAX);
        int count = asked == 0 ? PREVIEW : asked;
        long asOf = JobCheck.time("after", request.getAfterMicros());
        long after = asOf > 0 ? asOf : TimeUnit.MILLISECONDS.toMicros(clock.millis());
        Tenant tenant = tenants.ofSubmit(call.caller());
        if (request.hasSpec() != request.getName().isEmpty()) {
            throw Refused.invalid("spec", "expected the name of a schedule or a spec, one of the two");
        }
        if (!request.hasSpec()) {
            ScheduleName id = name(tenant, request.getName());
            return existing(id).thenApplyAsync(found -> preview(found, after, count), call.executor());
        }
        Schedule imagined = Schedule.made(
                new ScheduleName(tenant.id(), ""),
                ScheduleCheck.rules(request.getSpec()),
                NewJob.of("", Payload.EMPTY),
                after);
        return CompletableFuture.completedFuture(preview(imagined, after, count));
    }

    /** With {@code from_completion} only the next tick is known. No more than there are runs left. */
    private static PreviewScheduleResponse preview(Schedule schedule, long after, int asked) {
        PreviewScheduleResponse.Builder response = PreviewScheduleResponse.newBuilder();
        long count = Math.min(asked, schedule.runsLeft());
        long tick = schedule.tickAfter(Math.max(after, schedule.progress().cursor()));
        for (int i = 0; i < count && tick != Schedule.NEVER; i++) {
            response.addTicks(SchedulePreview.newBuilder()
                    .setAtMicros(tick)
                    .setLocal(ScheduleText.local(schedule.rules().time(), tick)));
            tick = schedule.fromCompletion() ? Schedule.NEVER : schedule.tickAfter(tick);
        }
        if (response.getTicksCount() == 0 && schedule.createdAt() == after) {
            throw Refused.invalid("spec", "expected a rule with a tick to come, but there is none within fifty years");
        }
        return response.build();
    }

    private CompletableFuture<Schedule> existing(ScheduleName id) {
        return schedules
                .get(id)
                .thenApply(found -> found.orElseThrow(() ->
                        Refused.field(ErrorCode.SCHEDULE_NOT_FOUND, "name", "there is no schedule " + id.name())));
    }

    private static Answer.ScheduleIs is(Answer answer) {
        return switch (answer) {
            case Answer.ScheduleIs is -> is;
            case Answer.Refused refused -> throw Refused.of(refused.refusal());
            case Answer other -> throw JobCalls.unexpected(other);
        };
    }

    private static ScheduleName name(Tenant tenant, String name) {
        return new ScheduleName(tenant.id(), ScheduleCheck.name(name));
    }

    private static ScheduleName cursor(Tenant tenant, String cursor) {
        try {
            return name(tenant, cursor);
        } catch (Refused e) {
            throw Refused.field(ErrorCode.INVALID_CURSOR, "cursor", "expected next_cursor of a page of this list");
        }
    }
}
