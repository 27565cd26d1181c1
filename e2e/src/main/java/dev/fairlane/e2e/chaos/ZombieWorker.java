package dev.fairlane.e2e.chaos;

import com.google.protobuf.ByteString;
import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.EventLog;
import dev.fairlane.protocol.v1.Ack;
import dev.fairlane.protocol.v1.Heartbeat;
import dev.fairlane.protocol.v1.Hello;
import dev.fairlane.protocol.v1.Lease;
import dev.fairlane.protocol.v1.LeaseRef;
import dev.fairlane.protocol.v1.PoolSlots;
import dev.fairlane.protocol.v1.Report;
import dev.fairlane.protocol.v1.ServerMessage;
import dev.fairlane.protocol.v1.Success;
import dev.fairlane.protocol.v1.WorkerFailure;
import dev.fairlane.protocol.v1.WorkerMessage;
import dev.fairlane.protocol.v1.WorkersGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A worker as nobody should write one. It never lists what it holds in its heartbeats, so its leases run out under it; half of its
 * outcomes are sent only then, some of them twice, some over another connection. It writes down what the server answers: an outcome
 * that came too late has to be refused.
 */
public final class ZombieWorker {
    private static final int SLOTS = 10;
    private static final long HEARTBEAT_MILLIS = 500;
    private static final long RECONNECT_MILLIS = 200;

    private final String name;
    private final EventLog log;
    private final WorkersGrpc.WorkersStub stub;
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(4);
    private final Object sending = new Object();
    private @Nullable StreamObserver<WorkerMessage> stream;

    private ZombieWorker(String name, EventLog log, WorkersGrpc.WorkersStub stub) {
        this.name = name;
        this.log = log;
        this.stub = stub;
    }

    /** Arguments: address, key file, name, history file. Ends when its standard input does. */
    public static void main(String[] args) throws IOException {
        URI address = URI.create(args[0]);
        Metadata headers = new Metadata();
        headers.put(
                Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
                "Bearer " + Files.readString(Path.of(args[1])).strip());
        ManagedChannel channel = NettyChannelBuilder.forAddress(address.getHost(), address.getPort())
                .usePlaintext()
                .intercept(MetadataUtils.newAttachHeadersInterceptor(headers))
                .build();
        ZombieWorker zombie =
                new ZombieWorker(args[2], EventLog.create(Path.of(args[3])), WorkersGrpc.newStub(channel));
        zombie.connect(channel);
        zombie.clock.scheduleWithFixedDelay(
                () -> zombie.send(WorkerMessage.newBuilder()
                        .setHeartbeat(Heartbeat.getDefaultInstance())
                        .build()),
                HEARTBEAT_MILLIS,
                HEARTBEAT_MILLIS,
                TimeUnit.MILLISECONDS);
        System.in.transferTo(OutputStream.nullOutputStream());
        System.exit(0);
    }

    private void connect(ManagedChannel channel) {
        channel.resetConnectBackoff();
        StreamObserver<WorkerMessage> opened = stub.connect(new StreamObserver<>() {
            @Override
            public void onNext(ServerMessage message) {
                message.getLeases().getLeasesList().forEach(lease -> clock.execute(() -> take(lease)));
                message.getAcks().getAcksList().forEach(ack -> clock.execute(() -> answered(ack)));
            }

            @Override
            public void onError(Throwable broken) {
                again();
            }

            @Override
            public void onCompleted() {
                again();
            }

            private void again() {
                synchronized (sending) {
                    stream = null;
                }
                clock.schedule(() -> connect(channel), RECONNECT_MILLIS, TimeUnit.MILLISECONDS);
            }
        });
        synchronized (sending) {
            stream = opened;
            opened.onNext(WorkerMessage.newBuilder()
                    .setHello(Hello.newBuilder()
                            .setWorker(name)
                            .addTypes(Work.ZOMBIE)
                            .addOffers(PoolSlots.newBuilder().setPool("short").setSlots(SLOTS)))
                    .build());
        }
    }

    /** What cannot be sent now is not kept: a zombie does not care. */
    private void send(WorkerMessage message) {
        synchronized (sending) {
            StreamObserver<WorkerMessage> open = stream;
            if (open != null) {
                open.onNext(message);
            }
        }
    }

    private void take(Lease lease) {
        log.record(new Event.Started(
                EventLog.now(), name, id(lease.getLease()), lease.getLease().getToken(), lease.getExecution()));
        ThreadLocalRandom random = ThreadLocalRandom.current();
        boolean late = random.nextBoolean();
        long millis = late ? lease.getLeaseMs() + random.nextLong(lease.getLeaseMs()) : random.nextLong(20);
        boolean succeeded = random.nextInt(4) > 0;
        clock.schedule(() -> finish(lease, succeeded), millis, TimeUnit.MILLISECONDS);
        if (random.nextInt(4) == 0) {
            clock.schedule(() -> report(lease, succeeded), 2 * millis + 500, TimeUnit.MILLISECONDS);
        }
    }

    private void finish(Lease lease, boolean succeeded) {
        log.record(new Event.Ended(
                EventLog.now(), name, id(lease.getLease()), lease.getLease().getToken(), succeeded));
        report(lease, succeeded);
    }

    private void report(Lease lease, boolean succeeded) {
        Report.Builder report = Report.newBuilder();
        if (succeeded) {
            String result = "{\"token\":" + lease.getLease().getToken() + "}";
            report.addSucceeded(Success.newBuilder()
                    .setLease(lease.getLease())
                    .setResult(ByteString.copyFrom(result, StandardCharsets.UTF_8)));
        } else {
            report.addFailed(WorkerFailure.newBuilder()
                    .setLease(lease.getLease())
                    .setFailureClass("APP_ERROR")
                    .setMessage("does not feel like it"));
        }
        send(WorkerMessage.newBuilder().setReport(report).build());
    }

    private void answered(Ack ack) {
        log.record(new Event.Answered(
                EventLog.now(), name, id(ack.getLease()), ack.getLease().getToken(), !ack.getRevoked()));
    }

    private static String id(LeaseRef lease) {
        return new UUID(lease.getIdHi(), lease.getIdLo()).toString();
    }
}
