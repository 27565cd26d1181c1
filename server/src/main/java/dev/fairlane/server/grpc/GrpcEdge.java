package dev.fairlane.server.grpc;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.grpc.GrpcSerializationFormats;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.grpc.GrpcService;
import com.linecorp.armeria.server.grpc.GrpcServiceBuilder;
import dev.fairlane.protocol.v1.AdminGrpc;
import dev.fairlane.protocol.v1.AuditGrpc;
import dev.fairlane.protocol.v1.ControlGrpc;
import dev.fairlane.protocol.v1.DeadLettersGrpc;
import dev.fairlane.protocol.v1.GroupsGrpc;
import dev.fairlane.protocol.v1.Job;
import dev.fairlane.protocol.v1.JobsGrpc;
import dev.fairlane.protocol.v1.LedgerGrpc;
import dev.fairlane.protocol.v1.OperationsGrpc;
import dev.fairlane.protocol.v1.SchedulesGrpc;
import dev.fairlane.protocol.v1.SubmitBatchRequest;
import dev.fairlane.protocol.v1.SubmitBatchResponse;
import dev.fairlane.protocol.v1.WatchJobRequest;
import dev.fairlane.protocol.v1.WebhooksGrpc;
import dev.fairlane.protocol.v1.WorkersGrpc;
import dev.fairlane.runtime.Node;
import dev.fairlane.server.admit.Limits;
import dev.fairlane.server.api.JobCalls;
import dev.fairlane.server.api.UnaryCalls;
import dev.fairlane.server.api.UnaryCalls.Unary;
import dev.fairlane.server.auth.Gate;
import dev.fairlane.server.routes.RouteTable;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.stub.ServerCalls;
import java.util.Set;

/** gRPC, made from the table of calls. The workers' streams stand apart because their messages are smaller. */
public final class GrpcEdge {
    private final Gate gate;
    private final GrpcGate door;
    private final RouteTable table;
    private final UnaryCalls calls;
    private final JobCalls jobs;
    private final Node node;
    private final WorkerCheck workers;

    public GrpcEdge(Gate gate, RouteTable table, UnaryCalls calls, JobCalls jobs, Node node, Set<String> pools) {
        this.gate = gate;
        this.door = new GrpcGate(gate, table);
        this.table = table;
        this.calls = calls;
        this.jobs = jobs;
        this.node = node;
        this.workers = new WorkerCheck(pools);
    }

    /** Jobs and Admin. */
    public GrpcService api() {
        ServerServiceDefinition.Builder jobsDefinition = unary(JobsGrpc.getServiceDescriptor());
        jobsDefinition.addMethod(
                JobsGrpc.getSubmitStreamMethod(), ServerCalls.asyncBidiStreamingCall((ServerCalls.BidiStreamingMethod<
                                SubmitBatchRequest, SubmitBatchResponse>)
                        out -> SubmitStream.open(gate, jobs, out)));
        jobsDefinition.addMethod(
                JobsGrpc.getWatchMethod(),
                ServerCalls.asyncServerStreamingCall((ServerCalls.ServerStreamingMethod<WatchJobRequest, Job>)
                        (request, out) -> WatchStream.open(jobs, request, out)));
        return builder()
                .addService(jobsDefinition.build())
                .addService(unary(GroupsGrpc.getServiceDescriptor()).build())
                .addService(unary(SchedulesGrpc.getServiceDescriptor()).build())
                .addService(unary(WebhooksGrpc.getServiceDescriptor()).build())
                .addService(unary(AdminGrpc.getServiceDescriptor()).build())
                .addService(unary(DeadLettersGrpc.getServiceDescriptor()).build())
                .addService(unary(OperationsGrpc.getServiceDescriptor()).build())
                .addService(unary(LedgerGrpc.getServiceDescriptor()).build())
                .addService(unary(AuditGrpc.getServiceDescriptor()).build())
                .addService(unary(ControlGrpc.getServiceDescriptor()).build())
                .maxRequestMessageLength(Limits.CALL_BYTES)
                .build();
    }

    public GrpcService workers() {
        ServerServiceDefinition.Builder definition =
                ServerServiceDefinition.builder(WorkersGrpc.getServiceDescriptor());
        definition.addMethod(
                WorkersGrpc.getConnectMethod(),
                ServerCalls.asyncBidiStreamingCall(out -> WorkerConnection.open(gate, node, workers, out)));
        return builder()
                .addService(definition.build())
                .maxRequestMessageLength(Limits.WORKER_MESSAGE_BYTES)
                .build();
    }

    /** Messages are bounded one by one, and streams live as long as they like. */
    public HttpService unbounded(HttpService service) {
        return service.decorate((delegate, context, request) -> {
            context.setMaxRequestLength(0);
            if (table.streams(context.path())) {
                context.clearRequestTimeout();
            }
            return delegate.serve(context, request);
        });
    }

    private GrpcServiceBuilder builder() {
        return GrpcService.builder()
                .intercept(door)
                .exceptionHandler(new GrpcFaults())
                .supportedSerializationFormats(GrpcSerializationFormats.PROTO)
                .useBlockingTaskExecutor(false);
    }

    private ServerServiceDefinition.Builder unary(ServiceDescriptor service) {
        ServerServiceDefinition.Builder definition = ServerServiceDefinition.builder(service);
        for (Unary<?, ?> unary : calls.all()) {
            if (service.getName().equals(unary.method().getServiceName())) {
                add(definition, unary);
            }
        }
        return definition;
    }

    private static <Q extends Message, R extends Message> void add(
            ServerServiceDefinition.Builder definition, Unary<Q, R> unary) {
        definition.addMethod(unary.method(), ServerCalls.asyncUnaryCall((ServerCalls.UnaryMethod<Q, R>)
                (request, out) -> Replies.answer(out, call -> unary.deed().apply(call, request))));
    }
}
