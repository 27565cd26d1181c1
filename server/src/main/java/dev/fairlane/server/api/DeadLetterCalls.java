package dev.fairlane.server.api;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.DeadCount;
import dev.fairlane.journal.DeadFilter;
import dev.fairlane.journal.DeadQuery;
import dev.fairlane.protocol.v1.DeadGroup;
import dev.fairlane.protocol.v1.DeadLetterFilter;
import dev.fairlane.protocol.v1.DeadSummary;
import dev.fairlane.protocol.v1.ListDeadRequest;
import dev.fairlane.protocol.v1.ListDeadResponse;
import dev.fairlane.protocol.v1.Operation;
import dev.fairlane.protocol.v1.PurgeDeadRequest;
import dev.fairlane.protocol.v1.ReplayDeadRequest;
import dev.fairlane.protocol.v1.ReplayJobRequest;
import dev.fairlane.protocol.v1.ReplayJobResponse;
import dev.fairlane.protocol.v1.SummarizeDeadRequest;
import dev.fairlane.runtime.Node;
import dev.fairlane.server.admit.JobCheck;
import dev.fairlane.server.admit.Limits;
import dev.fairlane.server.admit.PayloadSchemas;
import dev.fairlane.server.admit.Text;
import dev.fairlane.server.fault.Refused;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Looking at dead letters, bringing them back, removing them. Who did it and why goes to the audit. */
public final class DeadLetterCalls {
    private static final int WHY_LENGTH = 500;
    private static final int TEXT_LENGTH = 200;
    private static final int MAX_RATE = 100_000;
    private static final int MAX_CANARIES = 1_000;

    private final Node node;
    private final OperationCalls operations;
    private final Tenants tenants;
    private final Messages messages;
    private final PayloadSchemas schemas = new PayloadSchemas();

    public DeadLetterCalls(Node node, OperationCalls operations) {
        this.node = node;
        this.operations = operations;
        this.tenants = new Tenants(node);
        this.messages = new Messages(node);
    }

    public CompletableFuture<ListDeadResponse> list(Call call, ListDeadRequest request) {
        int size = (int) JobCheck.between("page_size", request.getPageSize(), 0, Limits.PAGE);
        DeadFilter filter = filter(
                tenants.scope(call.caller(), request.getTenant()),
                request.getType(),
                request.getErrorClass(),
                request.getText(),
                request.getFromMicros(),
                request.getToMicros());
        DeadQuery.Place after = request.getCursor().isEmpty() ? null : DeadCursor.read(filter, request.getCursor());
        return node.deadLetters()
                .list(new DeadQuery(filter, after, size == 0 ? Limits.DEFAULT_PAGE : size, true))
                .thenApplyAsync(
                        page -> {
                            ListDeadResponse.Builder response = ListDeadResponse.newBuilder();
                            page.jobs().forEach(view -> response.addJobs(messages.summary(view)));
                            if (page.next() != null) {
                                response.setNextCursor(DeadCursor.write(filter, page.next()));
                            }
                            return response.build();
                        },
                        call.executor());
    }

    public CompletableFuture<DeadSummary> summarize(Call call, SummarizeDeadRequest request) {
        DeadFilter filter = filter(
                tenants.scope(call.caller(), request.getTenant()),
                request.getType(),
                request.getErrorClass(),
                request.getText(),
                request.getFromMicros(),
                request.getToMicros());
        return node.deadLetters()
                .count(filter)
                .thenApplyAsync(
                        counts -> {
                            DeadSummary.Builder summary = DeadSummary.newBuilder()
                                    .setCount(counts.stream()
                                            .mapToLong(DeadCount::count)
                                            .sum())
                                    .setLastHour(counts.stream()
                                            .mapToLong(DeadCount::lastHour)
                                            .sum());
                            counts.forEach(count -> summary.addGroups(group(count)));
                            return summary.build();
                        },
                        call.executor());
    }

    private DeadGroup group(DeadCount count) {
        Tenant tenant = node.tenant(count.tenant());
        FailureClass failureClass = count.failureClass();
        return DeadGroup.newBuilder()
                .setTenant(tenant == null ? "" : tenant.name())
                .setType(count.type())
                .setErrorClass(failureClass == null ? "" : failureClass.name())
                .setCount(count.count())
                .setLastHour(count.lastHour())
                .setOldestAtMicros(count.oldestAt())
                .setNewestAtMicros(count.newestAt())
                .build();
    }

    public CompletableFuture<ReplayJobResponse> replay(Call call, ReplayJobRequest request) {
        JobId id = JobCalls.id(request.getId());
        String why = Text.line("why", request.getWhy(), WHY_LENGTH);
        Payload payload =
                request.hasPayload() ? JobCheck.payload(request.getPayload(), request.getContentType()) : null;
        if (payload == null && !request.getContentType().isEmpty()) {
            throw Refused.invalid("content_type", "expected a payload with it, but there is none");
        }
        String by = call.caller().keyName();
        return node.get(call.caller().scope(), id)
                .thenComposeAsync(
                        found -> {
                            found.ifPresent(job -> obeysItsSchema(job.spec(), payload));
                            return node.deadLetters()
                                    .replay(call.caller().scope(), id, payload, by, why, call.author(request));
                        },
                        call.executor())
                .thenApplyAsync(
                        answer -> switch (answer) {
                            case Answer.Replayed replayed ->
                                ReplayJobResponse.newBuilder()
                                        .setOutcome(replayed.outcome().name().toLowerCase(Locale.ROOT))
                                        .setState(Messages.state(replayed.state()))
                                        .build();
                            case Answer.Refused refused -> throw Refused.of(refused.refusal());
                            case Answer other -> throw new IllegalStateException("the node answered with " + other);
                        },
                        call.executor());
    }

    /** The type may have got a schema since the job was submitted, or another one. */
    private void obeysItsSchema(JobSpec spec, @Nullable Payload edited) {
        String schema = node.payloadSchema(spec.tenant(), spec.type());
        if (!schema.isEmpty()) {
            schemas.check(schema, edited == null ? spec.payload() : edited);
        }
    }

    private Optional<String> unfit(JobSpec job) {
        try {
            obeysItsSchema(job, null);
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of("job " + job.id() + " does not obey the schema of its type: " + e.getMessage());
        }
    }

    public CompletableFuture<Operation> replayAll(Call call, ReplayDeadRequest request) {
        int rate = (int) JobCheck.between("rate", request.getRate(), 0, MAX_RATE);
        int canaries = (int) JobCheck.between("canary", request.getCanary(), 0, MAX_CANARIES);
        DeadFilter filter = chosen(call, request.getFilter());
        String why = why(request.getWhy());
        if (request.getDryRun()) {
            return counted(call, "replay_dead", filter, why);
        }
        String by = call.caller().keyName();
        return node.deadLetters()
                .replayAll(filter, rate, canaries, by, why, this::unfit, call.author(request))
                .thenApplyAsync(operations::message, call.executor());
    }

    public CompletableFuture<Operation> purge(Call call, PurgeDeadRequest request) {
        DeadFilter filter = chosen(call, request.getFilter());
        String why = why(request.getWhy());
        if (request.getDryRun()) {
            return counted(call, "purge_dead", filter, why);
        }
        String by = call.caller().keyName();
        return node.deadLetters()
                .purge(filter, by, why, call.author(request))
                .thenApplyAsync(operations::message, call.executor());
    }

    /** What would be done. */
    private CompletableFuture<Operation> counted(Call call, String kind, DeadFilter filter, String why) {
        Tenant tenant = filter.scope() == null ? null : node.tenant(filter.scope());
        return node.deadLetters()
                .count(filter)
                .thenApplyAsync(
                        counts -> Operation.newBuilder()
                                .setKind(kind)
                                .setTenant(tenant == null ? "" : tenant.name())
                                .setBy(call.caller().keyName())
                                .setWhy(why)
                                .setState("dry_run")
                                .setExpected(counts.stream()
                                        .mapToLong(DeadCount::count)
                                        .sum())
                                .build(),
                        call.executor());
    }

    private DeadFilter chosen(Call call, DeadLetterFilter given) {
        DeadFilter filter = filter(
                tenants.scope(call.caller(), given.getTenant()),
                given.getType(),
                given.getErrorClass(),
                given.getText(),
                given.getFromMicros(),
                given.getToMicros());
        boolean empty = filter.equals(DeadFilter.all(filter.scope()));
        if (empty && !given.getAll()) {
            throw Refused.invalid("filter", "expected something to choose by, or all = true for every dead letter");
        }
        if (!empty && given.getAll()) {
            throw Refused.invalid("filter.all", "expected either all or something to choose by, but there are both");
        }
        return filter;
    }

    private static DeadFilter filter(
            @Nullable TenantId scope, String type, String errorClass, String text, long from, long to) {
        JobCheck.time("from", from);
        JobCheck.time("to", to);
        if (to > 0 && to <= from) {
            throw Refused.invalid("to", "expected a time after from");
        }
        return new DeadFilter(
                scope,
                type.isEmpty() ? "" : Text.typeName("type", type),
                errorClass.isEmpty() ? null : failureClass(errorClass),
                Text.line("text", text, TEXT_LENGTH),
                from,
                to);
    }

    private static FailureClass failureClass(String name) {
        for (FailureClass known : FailureClass.values()) {
            if (known.name().equals(name)) {
                return known;
            }
        }
        throw Refused.invalid("error_class", "expected a class of failure like APP_ERROR or TIMEOUT");
    }

    private static String why(String text) {
        if (text.isBlank()) {
            throw Refused.invalid("why", "expected a reason for the record, but there is none");
        }
        return Text.line("why", text, WHY_LENGTH);
    }
}
