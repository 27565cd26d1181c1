package dev.fairlane.sdk.internal;

import dev.fairlane.protocol.v1.Ack;
import dev.fairlane.protocol.v1.LeaseRef;
import dev.fairlane.protocol.v1.Leases;
import dev.fairlane.protocol.v1.ServerMessage;
import dev.fairlane.protocol.v1.Welcome;
import dev.fairlane.protocol.v1.WorkerMessage;
import dev.fairlane.protocol.v1.WorkersGrpc;
import io.grpc.CallOptions;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import org.jspecify.annotations.Nullable;

/**
 * One life of the stream to the server. Messages come in on the network thread and are passed on at once; everything that goes out
 * is sent by the loop, which also looks here for what changed: welcome, heartbeat acks, the end.
 */
final class Link implements ClientResponseObserver<WorkerMessage, ServerMessage> {
    private final Receiver receiver;
    private @Nullable ClientCallStreamObserver<WorkerMessage> requests;
    private volatile @Nullable Welcome welcome;
    private volatile long heartbeatAcked;
    private volatile @Nullable Status end;

    /** Where messages go. Called on the network thread: must not block. */
    interface Receiver {
        void leased(Leases leases);

        void acked(Ack ack);

        void cancelled(LeaseRef lease);

        /** The job shall make room for others at its next checkpoint. */
        void handOverAsked(LeaseRef lease);

        /** Somebody wants this worker gone. */
        void drainOrdered(boolean handOver);

        /** Something on the link changed that the loop should look at. */
        void changed();
    }

    private Link(Receiver receiver) {
        this.receiver = receiver;
    }

    static Link open(Rpc rpc, Receiver receiver, WorkerMessage hello) {
        Link link = new Link(receiver);
        ClientCalls.asyncBidiStreamingCall(
                rpc.channel().newCall(WorkersGrpc.getConnectMethod(), CallOptions.DEFAULT), link);
        link.send(hello);
        return link;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<WorkerMessage> stream) {
        requests = stream;
        stream.setOnReadyHandler(receiver::changed);
    }

    @Override
    public void onNext(ServerMessage message) {
        switch (message.getKindCase()) {
            case LEASES -> receiver.leased(message.getLeases());
            case ACKS -> message.getAcks().getAcksList().forEach(receiver::acked);
            case CANCELS -> message.getCancels().getLeasesList().forEach(receiver::cancelled);
            case HAND_OVERS -> message.getHandOvers().getLeasesList().forEach(receiver::handOverAsked);
            case DRAIN -> receiver.drainOrdered(message.getDrain().getHandOver());
            case HEARTBEAT_ACK -> {
                heartbeatAcked = message.getHeartbeatAck().getNumber();
                receiver.changed();
            }
            case WELCOME -> {
                welcome = message.getWelcome();
                receiver.changed();
            }
            case KIND_NOT_SET -> {
                // A message of a newer server: what it says is not for this worker.
            }
        }
    }

    @Override
    public void onError(Throwable failure) {
        end = Status.fromThrowable(failure);
        receiver.changed();
    }

    @Override
    public void onCompleted() {
        end = Status.OK.withDescription("the server ended the stream");
        receiver.changed();
    }

    @Nullable Welcome welcome() {
        return welcome;
    }

    long heartbeatAcked() {
        return heartbeatAcked;
    }

    /** How it ended; null while it lives. */
    @Nullable Status end() {
        return end;
    }

    boolean ready() {
        return stream().isReady();
    }

    void send(WorkerMessage message) {
        stream().onNext(message);
    }

    void complete() {
        stream().onCompleted();
    }

    void cancel(String reason) {
        stream().cancel(reason, null);
    }

    private ClientCallStreamObserver<WorkerMessage> stream() {
        if (requests == null) {
            throw new IllegalStateException("the stream was not started");
        }
        return requests;
    }
}
