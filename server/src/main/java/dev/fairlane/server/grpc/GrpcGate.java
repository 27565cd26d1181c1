package dev.fairlane.server.grpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.fairlane.protocol.ProblemStatus;
import dev.fairlane.server.api.Call;
import dev.fairlane.server.api.TraceId;
import dev.fairlane.server.auth.Caller;
import dev.fairlane.server.auth.Gate;
import dev.fairlane.server.fault.Refused;
import dev.fairlane.server.routes.RouteTable;
import dev.fairlane.server.routes.Rpc;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;

/** Lets a call in when its key allows it, and tells what comes after who calls. */
final class GrpcGate implements ServerInterceptor {
    private static final Metadata.Key<String> AUTHORIZATION = key("authorization");
    private static final Metadata.Key<String> TENANT = key(Gate.TENANT_HEADER);
    private static final Metadata.Key<String> IDEMPOTENCY_KEY = key(Call.IDEMPOTENCY_KEY);
    private static final Metadata.Key<String> TRACEPARENT = key("traceparent");
    private static final Context.Key<Call> CALL = Context.key("fairlane-call");

    private final Gate gate;
    private final RouteTable table;

    GrpcGate(Gate gate, RouteTable table) {
        this.gate = gate;
        this.table = table;
    }

    /** The call under way on this thread. */
    static Call current() {
        return CALL.get();
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        String traceId = TraceId.of(headers.get(TRACEPARENT));
        try {
            Rpc rpc = table.rpc(call.getMethodDescriptor().getFullMethodName());
            Caller caller = gate.admit(headers.get(AUTHORIZATION), headers.get(TENANT), rpc.roles());
            Call admitted = Call.of(
                    caller,
                    ServiceRequestContext.current().eventLoop().withoutContext(),
                    traceId,
                    headers.get(IDEMPOTENCY_KEY));
            rpc.requireNoKeyOnStream(admitted.idempotencyKey());
            // Else Armeria keeps the first message of a stream, which may be megabytes, as long as the stream lasts.
            ServiceRequestContext.current().logBuilder().requestContent(null, null);
            return Contexts.interceptCall(Context.current().withValue(CALL, admitted), call, headers, next);
        } catch (Refused refused) {
            StatusRuntimeException status = ProblemStatus.toStatus(refused.problem(), traceId);
            call.close(status.getStatus(), ProblemStatus.trailersOf(status));
            return new ServerCall.Listener<>() {};
        }
    }

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }
}
