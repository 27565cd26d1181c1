package dev.fairlane.e2e.longjob;

import com.google.protobuf.ByteString;
import dev.fairlane.protocol.v1.Heartbeat;
import dev.fairlane.protocol.v1.Hello;
import dev.fairlane.protocol.v1.Lease;
import dev.fairlane.protocol.v1.LeaseProgress;
import dev.fairlane.protocol.v1.PoolSlots;
import dev.fairlane.protocol.v1.Report;
import dev.fairlane.protocol.v1.ServerMessage;
import dev.fairlane.protocol.v1.Success;
import dev.fairlane.protocol.v1.WorkerMessage;
import dev.fairlane.protocol.v1.WorkersGrpc;
import io.grpc.Channel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Takes one job, saves a checkpoint, and holds the job with heartbeats for ever. When it wakes up from a pause it does not ask whether
 * the job is still its own: it sends a heartbeat, a checkpoint and a result, and writes down what the server says.
 */
public final class StubbornWorker {
    private static final long BEAT_MILLIS = 200;

    private final String address;
    private final String key;
    private final String type;
    private final String name;
    private final Notes notes;
    private final Channel channel;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Object sending = new Object();
    private @Nullable StreamObserver<WorkerMessage> stream;
    private volatile @Nullable Lease held;

    private StubbornWorker(String address, String key, String type, String name, Notes notes) {
        this.address = address;
        this.key = key;
        this.type = type;
        this.name = name;
        this.notes = notes;
        URI server = URI.create(address);
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + key);
        this.channel = NettyChannelBuilder.forAddress(server.getHost(), server.getPort())
                .usePlaintext()
                .intercept(MetadataUtils.newAttachHeadersInterceptor(headers))
                .build();
    }

    /** Arguments: address, key file, type, name, file for notes. Ends when it is killed. */
    public static void main(String[] args) throws IOException, InterruptedException {
        String key = Files.readString(Path.of(args[1])).strip();
        new StubbornWorker(args[0], key, args[2], args[3], new Notes(Path.of(args[4]))).live();
    }

    private void live() throws IOException, InterruptedException {
        connect();
        long last = System.nanoTime();
        for (long beat = 1; ; beat++) {
            TimeUnit.MILLISECONDS.sleep(BEAT_MILLIS);
            long now = System.nanoTime();
            Lease lease = held;
            if (lease == null) {
                last = now;
                continue;
            }
            heartbeat(lease, beat);
            if (now - last > TimeUnit.MILLISECONDS.toNanos(lease.getLeaseMs())) {
                notes.add("woke");
                notes.add("checkpoint " + checkpoint(lease, 4));
                report(lease);
            }
            last = now;
        }
    }

    private void connect() {
        StreamObserver<WorkerMessage> opened = WorkersGrpc.newStub(channel).connect(new StreamObserver<>() {
            @Override
            public void onNext(ServerMessage message) {
                message.getLeases().getLeasesList().forEach(lease -> Thread.startVirtualThread(() -> take(lease)));
                message.getAcks().getAcksList().forEach(ack -> notes.add("ack revoked=" + ack.getRevoked()));
                if (message.hasWelcome()) {
                    message.getWelcome().getRevokedList().forEach(lease -> notes.add("ack revoked=true"));
                }
            }

            @Override
            public void onError(Throwable broken) {
                notes.add("lost its stream");
            }

            @Override
            public void onCompleted() {
                notes.add("lost its stream");
            }
        });
        synchronized (sending) {
            stream = opened;
        }
        send(WorkerMessage.newBuilder()
                .setHello(Hello.newBuilder()
                        .setWorker(name)
                        .addTypes(type)
                        .addOffers(PoolSlots.newBuilder().setPool("long").setSlots(1)))
                .build());
    }

    private void take(Lease lease) {
        try {
            notes.add("checkpoint " + checkpoint(lease, 2));
        } catch (IOException e) {
            notes.add("checkpoint failed: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        held = lease;
        notes.add("leased " + lease.getLease().getToken());
    }

    private void heartbeat(Lease lease, long number) {
        send(WorkerMessage.newBuilder()
                .setHeartbeat(Heartbeat.newBuilder()
                        .addHeld(lease.getLease())
                        .addProgress(LeaseProgress.newBuilder()
                                .setLease(lease.getLease())
                                .setMessage("said by " + name))
                        .setNumber(number))
                .build());
    }

    private void report(Lease lease) {
        send(WorkerMessage.newBuilder()
                .setReport(Report.newBuilder()
                        .addSucceeded(Success.newBuilder()
                                .setLease(lease.getLease())
                                .setResult(ByteString.copyFromUtf8("{\"worker\":\"" + name + "\"}"))))
                .build());
        notes.add("reported");
    }

    private String checkpoint(Lease lease, int done) throws IOException, InterruptedException {
        String id = new UUID(lease.getLease().getIdHi(), lease.getLease().getIdLo()).toString();
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create(address + "/v1/jobs/" + id + "/checkpoint?token="
                                + lease.getLease().getToken()))
                        .header("Authorization", "Bearer " + key)
                        .PUT(BodyPublishers.ofString("{\"done\":" + done + "}"))
                        .build(),
                BodyHandlers.ofString());
        return answer.statusCode() + (answer.body().contains("LEASE_REVOKED") ? " LEASE_REVOKED" : "");
    }

    private void send(WorkerMessage message) {
        synchronized (sending) {
            StreamObserver<WorkerMessage> open = stream;
            if (open != null) {
                open.onNext(message);
            }
        }
    }
}
