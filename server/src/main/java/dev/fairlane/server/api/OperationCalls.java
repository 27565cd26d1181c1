package dev.fairlane.server.api;

import dev.fairlane.core.model.Tenant;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.CancelOperationRequest;
import dev.fairlane.protocol.v1.GetOperationRequest;
import dev.fairlane.protocol.v1.ListOperationsRequest;
import dev.fairlane.protocol.v1.ListOperationsResponse;
import dev.fairlane.protocol.v1.Operation;
import dev.fairlane.runtime.Node;
import dev.fairlane.server.admit.Limits;
import dev.fairlane.server.admit.Text;
import dev.fairlane.server.fault.Refused;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Looking at operations over many jobs, and stopping them. Each kind is begun by a call of its own. */
public final class OperationCalls {
    private final Node node;

    public OperationCalls(Node node) {
        this.node = node;
    }

    public CompletableFuture<Operation> get(Call call, GetOperationRequest request) {
        return node.operations()
                .get(call.caller().scope(), id(request.getId()))
                .thenApplyAsync(this::existing, call.executor());
    }

    public CompletableFuture<ListOperationsResponse> list(Call call, ListOperationsRequest request) {
        return node.operations()
                .list(call.caller().scope())
                .thenApplyAsync(
                        all -> {
                            ListOperationsResponse.Builder response = ListOperationsResponse.newBuilder();
                            all.forEach(one -> response.addOperations(message(one)));
                            return response.build();
                        },
                        call.executor());
    }

    public CompletableFuture<Operation> cancel(Call call, CancelOperationRequest request) {
        String id = id(request.getId());
        return node.operations()
                .cancel(call.caller().scope(), id, call.author(request))
                .thenApplyAsync(this::existing, call.executor());
    }

    /** What the starter of an operation hears. */
    Operation message(dev.fairlane.runtime.Operation operation) {
        Tenant tenant = operation.scope() == null ? null : node.tenant(operation.scope());
        Operation.Builder message = Operation.newBuilder()
                .setId(operation.id())
                .setKind(operation.kind())
                .setTenant(tenant == null ? "" : tenant.name())
                .setFilter(operation.filter())
                .setBy(operation.by())
                .setWhy(operation.why())
                .setState(operation.state().name().toLowerCase(Locale.ROOT))
                .setMatched(operation.matched())
                .setDone(operation.done())
                .setSkipped(operation.skipped())
                .setFailed(operation.failed())
                .setNote(operation.note())
                .setStartedAtMicros(operation.startedAt())
                .setEndedAtMicros(operation.endedAt());
        if (operation.expected() >= 0) {
            message.setExpected(operation.expected());
        }
        return message.build();
    }

    private Operation existing(Optional<dev.fairlane.runtime.Operation> found) {
        return message(found.orElseThrow(() -> Refused.field(
                ErrorCode.OPERATION_NOT_FOUND,
                "id",
                "there is no such operation; it may have ended with the node that ran it, and can be started again")));
    }

    private static String id(String text) {
        return Text.line("id", text, Limits.NAME_LENGTH);
    }
}
