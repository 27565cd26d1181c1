package dev.fairlane.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.fairlane.protocol.v1.Ack;
import dev.fairlane.protocol.v1.Acks;
import dev.fairlane.protocol.v1.Cancels;
import dev.fairlane.protocol.v1.HandOvers;
import dev.fairlane.protocol.v1.Heartbeat;
import dev.fairlane.protocol.v1.HeartbeatAck;
import dev.fairlane.protocol.v1.Hello;
import dev.fairlane.protocol.v1.Lease;
import dev.fairlane.protocol.v1.LeaseRef;
import dev.fairlane.protocol.v1.Leases;
import dev.fairlane.protocol.v1.Report;
import dev.fairlane.protocol.v1.ServerMessage;
import dev.fairlane.protocol.v1.Success;
import dev.fairlane.protocol.v1.Welcome;
import dev.fairlane.protocol.v1.WorkerFailure;
import dev.fairlane.protocol.v1.WorkerMessage;
import dev.fairlane.protocol.v1.WorkersGrpc;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The worker part of {@link FakeServer}: tests take its sessions and play the server by hand. */
final class FakeWorkers extends WorkersGrpc.WorkersImplBase {
    private static final AtomicLong TOKENS = new AtomicLong(1L << 41);

    private final BlockingQueue<Session> sessions = new LinkedBlockingQueue<>();
    volatile boolean answerHeartbeats = true;

    @Override
    public StreamObserver<WorkerMessage> connect(StreamObserver<ServerMessage> toWorker) {
        return new Session(toWorker);
    }

    /** The next worker that said hello. */
    Session next() throws InterruptedException {
        Session session = sessions.poll(60, TimeUnit.SECONDS);
        assertThat(session).as("a worker connects").isNotNull();
        return session;
    }

    static Lease.Builder lease(String type, String json) {
        UUID id = UUID.randomUUID();
        return Lease.newBuilder()
                .setLease(LeaseRef.newBuilder()
                        .setIdHi(id.getMostSignificantBits())
                        .setIdLo(id.getLeastSignificantBits())
                        .setToken(TOKENS.incrementAndGet()))
                .setType(type)
                .setTenant("default")
                .setPayload(ByteString.copyFromUtf8(json))
                .setAttempt(1)
                .setExecution(1)
                .setMaxAttempts(5)
                .setLeaseMs(10_000)
                .setTimeLimitMs(30_000);
    }

    /** One life of a worker's stream. */
    final class Session implements StreamObserver<WorkerMessage> {
        private final StreamObserver<ServerMessage> toWorker;
        final BlockingQueue<Success> succeeded = new LinkedBlockingQueue<>();
        final BlockingQueue<WorkerFailure> failed = new LinkedBlockingQueue<>();
        final BlockingQueue<LeaseRef> handedOver = new LinkedBlockingQueue<>();
        final BlockingQueue<LeaseRef> started = new LinkedBlockingQueue<>();
        final BlockingQueue<Heartbeat> heartbeats = new LinkedBlockingQueue<>();
        final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
        final BlockingQueue<Boolean> drains = new LinkedBlockingQueue<>();
        final AtomicLong reports = new AtomicLong();
        volatile Hello hello;
        volatile boolean ackResults = true;

        Session(StreamObserver<ServerMessage> toWorker) {
            this.toWorker = toWorker;
        }

        @Override
        public void onNext(WorkerMessage message) {
            switch (message.getKindCase()) {
                case HELLO -> {
                    hello = message.getHello();
                    sessions.add(this);
                }
                case REPORT -> reported(message.getReport());
                case HEARTBEAT -> {
                    heartbeats.add(message.getHeartbeat());
                    if (answerHeartbeats) {
                        send(ServerMessage.newBuilder()
                                .setHeartbeatAck(HeartbeatAck.newBuilder()
                                        .setNumber(message.getHeartbeat().getNumber())));
                    }
                }
                case DRAIN -> drains.add(true);
                case KIND_NOT_SET -> throw new AssertionError("an empty message");
            }
        }

        private void reported(Report report) {
            reports.incrementAndGet();
            Acks.Builder acks = Acks.newBuilder();
            report.getSucceededList().forEach(s -> acks.addAcks(Ack.newBuilder().setLease(s.getLease())));
            report.getFailedList().forEach(f -> acks.addAcks(Ack.newBuilder().setLease(f.getLease())));
            report.getHandedOverList()
                    .forEach(lease -> acks.addAcks(Ack.newBuilder().setLease(lease)));
            if (ackResults && acks.getAcksCount() > 0) {
                send(ServerMessage.newBuilder().setAcks(acks));
            }
            started.addAll(report.getStartedList());
            succeeded.addAll(report.getSucceededList());
            failed.addAll(report.getFailedList());
            handedOver.addAll(report.getHandedOverList());
        }

        @Override
        public void onError(Throwable failure) {
            ends.add("error: " + failure.getMessage());
        }

        @Override
        public void onCompleted() {
            ends.add("completed");
            synchronized (this) {
                toWorker.onCompleted();
            }
        }

        Session welcome(LeaseRef... revoked) {
            return welcome(3_000, revoked);
        }

        Session welcome(long heartbeatMillis, LeaseRef... revoked) {
            Welcome.Builder welcome = Welcome.newBuilder()
                    .setHeartbeatMs(heartbeatMillis)
                    .setNode("n1")
                    .setHeartbeatAcks(true);
            for (LeaseRef lease : revoked) {
                welcome.addRevoked(lease);
            }
            send(ServerMessage.newBuilder().setWelcome(welcome));
            return this;
        }

        LeaseRef lease(Lease.Builder lease) {
            send(ServerMessage.newBuilder().setLeases(Leases.newBuilder().addLeases(lease)));
            return lease.getLease();
        }

        void cancel(LeaseRef lease) {
            send(ServerMessage.newBuilder().setCancels(Cancels.newBuilder().addLeases(lease)));
        }

        void askHandOver(LeaseRef lease) {
            send(ServerMessage.newBuilder().setHandOvers(HandOvers.newBuilder().addLeases(lease)));
        }

        void ack(LeaseRef lease, boolean revoked) {
            send(ServerMessage.newBuilder()
                    .setAcks(Acks.newBuilder()
                            .addAcks(Ack.newBuilder().setLease(lease).setRevoked(revoked))));
        }

        void drop() {
            synchronized (this) {
                toWorker.onError(Status.UNAVAILABLE
                        .withDescription("dropped by the test")
                        .asRuntimeException());
            }
        }

        synchronized void send(ServerMessage.Builder message) {
            toWorker.onNext(message.build());
        }

        <T> T take(BlockingQueue<T> queue) throws InterruptedException {
            T next = queue.poll(60, TimeUnit.SECONDS);
            assertThat(next).as("a message of the worker").isNotNull();
            return next;
        }
    }
}
