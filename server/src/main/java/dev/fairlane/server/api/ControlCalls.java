package dev.fairlane.server.api;

import com.google.protobuf.Message;
import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobFilter;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.ChangeJobResponse;
import dev.fairlane.protocol.v1.ChangeJobsRequest;
import dev.fairlane.protocol.v1.ListPausesRequest;
import dev.fairlane.protocol.v1.ListPausesResponse;
import dev.fairlane.protocol.v1.Operation;
import dev.fairlane.protocol.v1.PauseJobRequest;
import dev.fairlane.protocol.v1.PauseRequest;
import dev.fairlane.protocol.v1.PauseState;
import dev.fairlane.protocol.v1.ResumeJobRequest;
import dev.fairlane.protocol.v1.ResumeRequest;
import dev.fairlane.protocol.v1.UpdateJobRequest;
import dev.fairlane.runtime.Controls;
import dev.fairlane.runtime.Node;
import dev.fairlane.server.admit.ChangeCheck;
import dev.fairlane.server.admit.JobCheck;
import dev.fairlane.server.admit.Limits;
import dev.fairlane.server.admit.PayloadSchemas;
import dev.fairlane.server.admit.Text;
import dev.fairlane.server.auth.Caller;
import dev.fairlane.server.auth.Role;
import dev.fairlane.server.fault.Refused;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** Changing, moving and holding back jobs that wait. */
public final class ControlCalls {
    private static final int RATE_MAX = 100_000;

    private final Node node;
    private final Tenants tenants;
    private final OperationCalls operations;
    private final PayloadSchemas schemas = new PayloadSchemas();

    public ControlCalls(Node node, OperationCalls operations) {
        this.node = node;
        this.tenants = new Tenants(node);
        this.operations = operations;
    }

    public CompletableFuture<ChangeJobResponse> update(Call call, UpdateJobRequest request) {
        JobId id = JobCalls.id(request.getId());
        JobChange change = ChangeCheck.check(request.getChange());
        int revision = request.hasIfRevision()
                ? (int) JobCheck.between("if_revision", request.getIfRevision(), 0, Integer.MAX_VALUE)
                : Command.ANY_REVISION;
        TenantId scope = call.caller().scope();
        Author author = call.author(request);
        Payload payload = change.payload();
        if (payload == null) {
            return answered(call, node.controls().change(scope, id, change, revision, author));
        }
        return answered(
                call,
                node.get(scope, id)
                        .thenComposeAsync(
                                found -> {
                                    found.ifPresent(job -> obeysItsSchema(job.spec(), payload));
                                    return node.controls().change(scope, id, change, revision, author);
                                },
                                call.executor()));
    }

    private void obeysItsSchema(JobSpec spec, Payload payload) {
        String schema = node.payloadSchema(spec.tenant(), spec.type());
        if (!schema.isEmpty()) {
            schemas.check(schema, payload);
        }
    }

    public CompletableFuture<ChangeJobResponse> pauseJob(Call call, PauseJobRequest request) {
        JobId id = JobCalls.id(request.getId());
        return answered(call, node.controls().pause(call.caller().scope(), id, true, call.author(request)));
    }

    public CompletableFuture<ChangeJobResponse> resumeJob(Call call, ResumeJobRequest request) {
        JobId id = JobCalls.id(request.getId());
        return answered(call, node.controls().pause(call.caller().scope(), id, false, call.author(request)));
    }

    private static CompletableFuture<ChangeJobResponse> answered(Call call, CompletableFuture<Answer> reply) {
        return reply.thenApplyAsync(
                answer -> switch (answer) {
                    case Answer.Changed changed -> {
                        ChangeJobResponse.Builder response = ChangeJobResponse.newBuilder()
                                .setOutcome(changed.outcome().name().toLowerCase(Locale.ROOT))
                                .setState(Messages.state(changed.state()));
                        if (changed.revision() >= 0) {
                            response.setRevision(changed.revision());
                        }
                        yield response.build();
                    }
                    case Answer.Refused refused -> throw Refused.of(refused.refusal());
                    case Answer other -> throw JobCalls.unexpected(other);
                },
                call.executor());
    }

    // ---- many jobs

    public CompletableFuture<Operation> changeJobs(Call call, ChangeJobsRequest request) {
        Controls.Deed deed = named("action", request.getAction(), Controls.Deed.values());
        if (!request.hasFilter()) {
            throw Refused.invalid("filter", "expected something to choose jobs by, but there is nothing");
        }
        TenantId scope = tenants.scope(call.caller(), request.getFilter().getTenant());
        JobFilter filter = ChangeCheck.check(request.getFilter(), scope);
        if (deed != Controls.Deed.CHANGE && request.hasChange()) {
            throw Refused.invalid("change", "expected a change with the action change only");
        }
        JobChange change =
                deed == Controls.Deed.CHANGE ? ChangeCheck.checkForMany(request.getChange()) : JobChange.NOTHING;
        int rate = (int) JobCheck.between("rate", request.getRate(), 0, RATE_MAX);
        Controls.Bulk bulk = new Controls.Bulk(
                deed, filter, change, ChangeCheck.words(filter), call.caller().keyName(), why(request.getWhy()), rate);
        return node.controls().start(bulk, call.author(request)).thenApplyAsync(operations::message, call.executor());
    }

    // ---- types, lanes, tenants, pools

    public CompletableFuture<PauseState> pause(Call call, PauseRequest request) {
        return set(
                call,
                request,
                gate(call.caller(), request.getKind(), request.getName(), request.getTenant(), true, request.getWhy()));
    }

    public CompletableFuture<PauseState> resume(Call call, ResumeRequest request) {
        return set(
                call,
                request,
                gate(
                        call.caller(),
                        request.getKind(),
                        request.getName(),
                        request.getTenant(),
                        false,
                        request.getWhy()));
    }

    private Command.SetGate gate(
            Caller caller, String kindName, String name, String tenantName, boolean closed, String why) {
        Gate.Kind kind = named("kind", kindName, Gate.Kind.values());
        if (kind != Gate.Kind.TYPE && kind != Gate.Kind.LANE) {
            requireAdmin(caller, kind);
            if (!tenantName.isEmpty()) {
                throw Refused.invalid("tenant", "expected none with a " + kindName + "; its name says all");
            }
        }
        String by = caller.keyName();
        return switch (kind) {
            case POOL -> {
                caller.requireAllTenants("pause a pool");
                yield new Command.SetGate(kind, Gate.EVERYBODY, Text.typeName("name", name), closed, by, why(why));
            }
            case SYSTEM -> {
                caller.requireAllTenants("put the system into maintenance");
                if (!name.isEmpty()) {
                    throw Refused.invalid("name", "expected none with the system, but got " + name);
                }
                yield new Command.SetGate(kind, Gate.EVERYBODY, "", closed, by, why(why));
            }
            case TENANT ->
                new Command.SetGate(
                        kind,
                        name.isEmpty()
                                ? tenants.ofSubmit(caller).id()
                                : tenants.named(caller, name).id(),
                        "",
                        closed,
                        by,
                        why(why));
            case TYPE, LANE -> {
                Tenant tenant = tenantName.isEmpty() ? tenants.ofSubmit(caller) : tenants.named(caller, tenantName);
                yield new Command.SetGate(kind, tenant.id(), Text.typeName("name", name), closed, by, why(why));
            }
        };
    }

    private static void requireAdmin(Caller caller, Gate.Kind kind) {
        if (caller.role() != Role.ADMIN) {
            throw Refused.of(
                    ErrorCode.PERMISSION_DENIED,
                    "expected an admin key to pause a " + kind.name().toLowerCase(Locale.ROOT) + ", but got a "
                            + caller.role().name().toLowerCase(Locale.ROOT) + " key");
        }
    }

    private CompletableFuture<PauseState> set(Call call, Message request, Command.SetGate set) {
        return node.controls()
                .setGate(set, call.author(request))
                .thenApplyAsync(
                        answer -> switch (answer) {
                            case Answer.GateIs is -> message(is.gate());
                            case Answer.Refused refused -> throw Refused.of(refused.refusal());
                            case Answer other -> throw JobCalls.unexpected(other);
                        },
                        call.executor());
    }

    public CompletableFuture<ListPausesResponse> listPauses(Call call, ListPausesRequest request) {
        return node.controls()
                .gates(call.caller().scope())
                .thenApplyAsync(
                        gates -> ListPausesResponse.newBuilder()
                                .addAllPauses(gates.stream().map(this::message).toList())
                                .build(),
                        call.executor());
    }

    private PauseState message(Gate gate) {
        boolean ofEverybody = gate.kind() == Gate.Kind.POOL || gate.kind() == Gate.Kind.SYSTEM;
        Tenant tenant = ofEverybody ? null : node.tenant(gate.tenant());
        String tenantName = tenant == null ? "" : tenant.name();
        return PauseState.newBuilder()
                .setKind(gate.kind().name().toLowerCase(Locale.ROOT))
                .setName(gate.kind() == Gate.Kind.TENANT ? tenantName : gate.name())
                .setTenant(tenantName)
                .setPaused(gate.closed())
                .setBy(gate.by())
                .setWhy(gate.why())
                .setChangedAtMicros(gate.changedAt())
                .build();
    }

    private static String why(String text) {
        return Text.line("why", text, Limits.FAILURE_MESSAGE_LENGTH);
    }

    private static <E extends Enum<E>> E named(String field, String name, E[] all) {
        for (E one : all) {
            if (one.name().toLowerCase(Locale.ROOT).equals(name)) {
                return one;
            }
        }
        List<String> names = Arrays.stream(all)
                .map(one -> one.name().toLowerCase(Locale.ROOT))
                .toList();
        throw Refused.invalid(field, "expected one of " + String.join(", ", names));
    }
}
