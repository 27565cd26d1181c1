package dev.fairlane.server.grpc;

import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.Hello;
import dev.fairlane.protocol.v1.ServerMessage;
import dev.fairlane.protocol.v1.WorkerMessage;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.runtime.Node;
import dev.fairlane.runtime.WorkerSession;
import dev.fairlane.runtime.WorkerStream;
import dev.fairlane.server.api.Call;
import dev.fairlane.server.auth.Gate;
import dev.fairlane.server.fault.Refused;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One worker's stream. Its state belongs to the call's event loop; {@link Outward} is where the node's loop hands over.
 *
 * <pre>
 * waiting for Hello ──Hello──► connected ──half-close, error, violation, node ends──► closed
 * </pre>
 */
final class WorkerConnection implements StreamObserver<WorkerMessage> {
    /** Acks that may wait before nothing more is read from the worker. */
    private static final int UNREAD_MAX = 100_000;

    private final Gate gate;
    private final Call call;
    private final Node node;
    private final WorkerCheck check;
    private final ServerCallStreamObserver<ServerMessage> out;
    private final WorkerOutbox outbox;
    private @Nullable WorkerSession session;
    private boolean asked;
    private boolean closed;

    private WorkerConnection(
            Gate gate, Call call, Node node, WorkerCheck check, ServerCallStreamObserver<ServerMessage> out) {
        this.gate = gate;
        this.call = call;
        this.node = node;
        this.check = check;
        this.out = out;
        this.outbox = new WorkerOutbox(node.status().node());
    }

    static WorkerConnection open(Gate gate, Node node, WorkerCheck check, StreamObserver<ServerMessage> observer) {
        var out = (ServerCallStreamObserver<ServerMessage>) observer;
        WorkerConnection connection = new WorkerConnection(gate, GrpcGate.current(), node, check, out);
        out.disableAutoRequest();
        out.setOnReadyHandler(connection::pump);
        out.setOnCancelHandler(connection::leave);
        connection.asked = true;
        out.request(1);
        return connection;
    }

    @Override
    public void onNext(WorkerMessage message) {
        asked = false;
        if (closed) {
            return;
        }
        try {
            hear(message);
        } catch (RuntimeException e) {
            leave();
            out.onError(Replies.status(call, e));
            return;
        }
        pump();
    }

    private void hear(WorkerMessage message) {
        gate.admitAgain(call.caller());
        WorkerSession connected = session;
        if (message.getKindCase() == WorkerMessage.KindCase.HELLO) {
            if (connected != null) {
                throw Refused.of(ErrorCode.PROTOCOL_VIOLATION, "expected Hello once, but it came again");
            }
            session = connect(message.getHello());
            return;
        }
        if (connected == null) {
            throw Refused.of(ErrorCode.PROTOCOL_VIOLATION, "expected Hello first, but got " + message.getKindCase());
        }
        switch (message.getKindCase()) {
            case REPORT -> connected.report(check.report(message.getReport()));
            case HEARTBEAT ->
                connected.heartbeat(
                        WorkerCheck.leases(message.getHeartbeat().getHeldList()),
                        WorkerCheck.progress(message.getHeartbeat().getProgressList()),
                        message.getHeartbeat().getNumber());
            case DRAIN -> connected.drain();
            case HELLO, KIND_NOT_SET ->
                throw Refused.of(ErrorCode.PROTOCOL_VIOLATION, "expected a message of this protocol, but it is empty");
        }
    }

    private WorkerSession connect(Hello hello) {
        WorkerOffer offer = check.offer(call.caller(), hello);
        return node.connect(offer, WorkerCheck.leases(hello.getHeldList()), new Outward());
    }

    /** Sends what there is, as far as the worker reads; asks for more when it does, and while the node takes what comes. */
    private void pump() {
        while (!closed && out.isReady()) {
            ServerMessage next = outbox.next();
            if (next == null) {
                break;
            }
            out.onNext(next);
        }
        if (!closed && !asked && outbox.unread() < UNREAD_MAX && (session == null || session.listens())) {
            asked = true;
            out.request(1);
        }
    }

    @Override
    public void onError(Throwable failure) {
        leave();
    }

    @Override
    public void onCompleted() {
        if (!closed) {
            leave();
            out.onCompleted();
        }
    }

    /** Nothing is sent or heard any more; the node keeps the leases until they run out or the worker comes back. */
    private void leave() {
        if (!closed) {
            closed = true;
            if (session != null) {
                session.close();
            }
        }
    }

    private void end(String reason) {
        if (closed) {
            return;
        }
        for (ServerMessage next = outbox.next(); next != null; next = outbox.next()) {
            out.onNext(next); // acks of what is durable; the worker would deliver it again for nothing
        }
        leave();
        out.onError(Replies.status(call, Refused.later(ErrorCode.SESSION_ENDED, reason, 0)));
    }

    /** Called on the node's loop: hands over to the event loop, all that was given in one go at once, and returns. */
    private final class Outward implements WorkerStream {
        private List<Runnable> given = new ArrayList<>();
        private @Nullable Consumer<Runnable> departures;

        @Override
        public void gathersUntil(Consumer<Runnable> departures) {
            this.departures = departures;
        }

        @Override
        public void welcome(long heartbeatMicros, List<LeaseRef> revoked) {
            put(() -> outbox.welcome(heartbeatMicros, revoked));
        }

        @Override
        public void leases(List<Granted> leases) {
            put(() -> outbox.leases(leases));
        }

        @Override
        public void acks(List<Ack> acks) {
            put(() -> outbox.acks(acks));
        }

        @Override
        public void cancels(List<LeaseRef> leases) {
            put(() -> outbox.cancels(leases));
        }

        @Override
        public void heartbeatAck(long number, List<LeaseRef> revoked) {
            put(() -> outbox.heartbeatAck(number, revoked));
        }

        @Override
        public void drain(boolean handOver) {
            put(() -> outbox.drain(handOver));
        }

        @Override
        public void listening() {
            put(() -> {});
        }

        @Override
        public void handOvers(List<LeaseRef> leases) {
            put(() -> outbox.handOvers(leases));
        }

        @Override
        public void refused(Refusal refusal) {
            call.executor().execute(() -> {
                if (!closed) {
                    leave();
                    out.onError(Replies.status(call, Refused.of(refusal)));
                }
            });
        }

        @Override
        public void ended(String reason) {
            depart();
            call.executor().execute(() -> end(reason));
        }

        private void put(Runnable deed) {
            given.add(deed);
            if (departures == null) {
                depart();
            } else if (given.size() == 1) {
                departures.accept(this::depart);
            }
        }

        private void depart() {
            if (given.isEmpty()) {
                return;
            }
            List<Runnable> deeds = given;
            given = new ArrayList<>();
            call.executor().execute(() -> {
                if (!closed) {
                    deeds.forEach(Runnable::run);
                    pump();
                }
            });
        }
    }
}
