package dev.fairlane.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.fairlane.core.shard.Engine;
import dev.fairlane.protocol.ProblemStatus;
import dev.fairlane.protocol.v1.AdminGrpc;
import dev.fairlane.protocol.v1.AwaitJobRequest;
import dev.fairlane.protocol.v1.CancelJobRequest;
import dev.fairlane.protocol.v1.CreateKeyRequest;
import dev.fairlane.protocol.v1.CreateKeyResponse;
import dev.fairlane.protocol.v1.Drain;
import dev.fairlane.protocol.v1.GetJobRequest;
import dev.fairlane.protocol.v1.Heartbeat;
import dev.fairlane.protocol.v1.Hello;
import dev.fairlane.protocol.v1.Job;
import dev.fairlane.protocol.v1.JobState;
import dev.fairlane.protocol.v1.JobsGrpc;
import dev.fairlane.protocol.v1.Lease;
import dev.fairlane.protocol.v1.NewJob;
import dev.fairlane.protocol.v1.PoolSlots;
import dev.fairlane.protocol.v1.Report;
import dev.fairlane.protocol.v1.Resources;
import dev.fairlane.protocol.v1.RevokeKeyRequest;
import dev.fairlane.protocol.v1.ServerMessage;
import dev.fairlane.protocol.v1.SubmitBatchRequest;
import dev.fairlane.protocol.v1.SubmitRequest;
import dev.fairlane.protocol.v1.Success;
import dev.fairlane.protocol.v1.WorkerFailure;
import dev.fairlane.protocol.v1.WorkerMessage;
import dev.fairlane.protocol.v1.WorkersGrpc;
import dev.fairlane.server.TestServer;
import dev.fairlane.server.admit.Limits;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerStreamTest {
    private static TestServer server;
    private static JobsGrpc.JobsBlockingStub jobs;

    @BeforeAll
    static void start(@TempDir Path home) {
        server = TestServer.start(home);
        jobs = server.stub(JobsGrpc.JobsBlockingStub.class);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aWorkerEndsWithItsKey() {
        AdminGrpc.AdminBlockingStub admin = server.stub(AdminGrpc.AdminBlockingStub.class);
        CreateKeyResponse key = admin.createKey(CreateKeyRequest.newBuilder()
                .setName("short-lived")
                .setRole("worker")
                .build());
        Connected worker = connect(key.getSecret(), hello("revoked", "nothing").build());
        admin.revokeKey(
                RevokeKeyRequest.newBuilder().setId(key.getKey().getId()).build());
        worker.in()
                .onNext(WorkerMessage.newBuilder()
                        .setHeartbeat(Heartbeat.getDefaultInstance())
                        .build());
        assertThat(Status.fromThrowable(worker.out().failure()).getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
    }

    @Test
    void aWorkerIsWelcomedGetsLeasesAndHearsOfItsResults() {
        Connected worker = connect(hello("w1", "run").build());
        String id = submit("run", "{\"a\":1}");
        Lease lease = worker.nextLease(0);
        assertThat(worker.seen.getFirst().getWelcome().getHeartbeatMs()).isPositive();
        assertThat(worker.seen.getFirst().getWelcome().getHeartbeatAcks()).isTrue();
        assertThat(lease.getType()).isEqualTo("run");
        assertThat(lease.getTenant()).isEqualTo("default");
        assertThat(lease.getPayload().toStringUtf8()).isEqualTo("{\"a\":1}");
        assertThat(lease.getAttempt()).isEqualTo(1);
        assertThat(lease.getLeaseMs()).isEqualTo(10_000);
        worker.say(Report.newBuilder()
                .addStarted(lease.getLease())
                .addSucceeded(Success.newBuilder().setLease(lease.getLease()).setResult(ByteString.copyFromUtf8("7"))));
        await().until(() -> worker.acks().count() == 1);
        Job job = jobs.await(AwaitJobRequest.newBuilder().setId(id).build());
        assertThat(job.getState()).isEqualTo(JobState.SUCCEEDED);
        assertThat(job.getResult().toStringUtf8()).isEqualTo("7");
        assertThat(job.getWorker()).isEqualTo("w1");
        worker.in.onCompleted();
        worker.out.await();
    }

    @Test
    void heartbeatsAreAnsweredAndCancelsPushed() {
        Connected worker = connect(hello("w2", "cancelled").build());
        String id = submit("cancelled", "1");
        Lease lease = worker.nextLease(0);
        worker.in.onNext(WorkerMessage.newBuilder()
                .setHeartbeat(Heartbeat.newBuilder().setNumber(41).addHeld(lease.getLease()))
                .build());
        await().until(() -> worker.seen.stream()
                .anyMatch(message -> message.getHeartbeatAck().getNumber() == 41));
        jobs.cancel(CancelJobRequest.newBuilder().setId(id).build());
        await().until(() ->
                worker.seen.stream().anyMatch(message -> message.getCancels().getLeasesCount() == 1));
        worker.say(Report.newBuilder()
                .addFailed(WorkerFailure.newBuilder()
                        .setLease(lease.getLease())
                        .setFailureClass("APP_ERROR")
                        .setMessage("stopped\0here")));
        assertThat(jobs.await(AwaitJobRequest.newBuilder().setId(id).build()).getState())
                .isEqualTo(JobState.CANCELLED);
        worker.in.onCompleted();
        worker.out.await();
    }

    @Test
    void aDrainingWorkerGetsNoMore() {
        Connected worker = connect(hello("w3", "drained").build());
        worker.in.onNext(
                WorkerMessage.newBuilder().setDrain(Drain.getDefaultInstance()).build());
        await().until(() -> server.node().status().workers().stream()
                .anyMatch(one -> one.worker().equals("w3") && one.draining()));
        String id = submit("drained", "1");
        assertThat(jobs.await(AwaitJobRequest.newBuilder()
                                .setId(id)
                                .setTimeoutMs(50)
                                .build())
                        .getState())
                .isEqualTo(JobState.QUEUED);
        worker.in.onCompleted();
        worker.out.await();
    }

    @Test
    void aResultThatIsTooLargeEndsTheJobInsteadOfTheStream() {
        Connected worker = connect(hello("w4", "large").build());
        String id = submit("large", "1");
        Lease lease = worker.nextLease(0);
        worker.say(Report.newBuilder()
                .addSucceeded(Success.newBuilder()
                        .setLease(lease.getLease())
                        .setResult(ByteString.copyFrom(new byte[Limits.PAYLOAD_BYTES + 1]))));
        Job job = jobs.await(AwaitJobRequest.newBuilder().setId(id).build());
        assertThat(job.getState()).isEqualTo(JobState.DEAD);
        assertThat(job.getFailure().getMessage()).contains("262144 bytes");
        worker.in.onCompleted();
        worker.out.await();
    }

    @Test
    void manyLargePayloadsAreSplitOverMessages() {
        byte[] payload = ("\"" + "x".repeat(200_000) + "\"").getBytes();
        int count = 60;
        for (int i = 0; i < count; i += 20) {
            SubmitBatchRequest.Builder batch = SubmitBatchRequest.newBuilder();
            for (int j = 0; j < 20; j++) {
                batch.addJobs(NewJob.newBuilder().setType("heavy").setPayload(ByteString.copyFrom(payload)));
            }
            jobs.submitBatch(batch.build());
        }
        Connected worker =
                connect(hello("w5", "heavy").setOffers(0, slots("short", count)).build());
        await().until(() -> worker.leases().count() == count);
        assertThat(worker.seen).allMatch(message -> message.getSerializedSize() < Limits.WORKER_MESSAGE_BYTES);
        Set<Long> ids = new HashSet<>();
        worker.leases().forEach(lease -> ids.add(lease.getLease().getIdLo()));
        assertThat(ids).hasSize(count);
        Report.Builder report = Report.newBuilder();
        worker.leases()
                .forEach(lease -> report.addSucceeded(Success.newBuilder().setLease(lease.getLease())));
        worker.say(report);
        await().until(() -> worker.acks().count() == count);
        worker.in.onCompleted();
        worker.out.await();
    }

    @Test
    void whoBreaksTheProtocolIsToldSoAndClosed() {
        violates(
                "PROTOCOL_VIOLATION",
                WorkerMessage.newBuilder().setDrain(Drain.getDefaultInstance()).build());
        violates("PROTOCOL_VIOLATION", WorkerMessage.getDefaultInstance());
        WorkerMessage hello = message(hello("v", "t").build());
        violates("PROTOCOL_VIOLATION", hello, hello);
        violates(
                "PROTOCOL_VIOLATION",
                hello,
                WorkerMessage.newBuilder()
                        .setReport(Report.newBuilder().addSucceeded(Success.getDefaultInstance()))
                        .build());
        violates(
                "INVALID_ARGUMENT",
                hello,
                WorkerMessage.newBuilder()
                        .setReport(Report.newBuilder()
                                .addFailed(WorkerFailure.newBuilder()
                                        .setLease(dev.fairlane.protocol.v1.LeaseRef.getDefaultInstance())
                                        .setFailureClass("WORKER_CRASH")))
                        .build());
        violates("INVALID_ARGUMENT", message(hello("", "t").build()));
        violates("INVALID_ARGUMENT", message(hello("v\0", "t").build()));
        violates("INVALID_ARGUMENT", message(hello("v", "no type").build()));
        violates("INVALID_ARGUMENT", message(hello("v").build()));
        violates(
                "INVALID_ARGUMENT",
                message(hello("v", Collections.nCopies(1_001, "t").toArray(String[]::new))
                        .build()));
        violates("INVALID_ARGUMENT", message(hello("v", "t").clearOffers().build()));
        violates(
                "INVALID_ARGUMENT",
                message(hello("v", "t")
                        .setResources(Resources.newBuilder().setMemoryMib(-1))
                        .build()));
        violates("INVALID_ARGUMENT", message(hello("v", "t").addTags("no tag").build()));
        violates(
                "INVALID_ARGUMENT",
                message(hello("v", "t").addAllTags(Collections.nCopies(65, "t")).build()));
        violates(
                "INVALID_ARGUMENT",
                message(hello("v", "t").setOffers(0, slots("short", 0)).build()));
        violates(
                "INVALID_ARGUMENT",
                message(hello("v", "t").setOffers(0, slots("short", 100_001)).build()));
        violates(
                "INVALID_ARGUMENT",
                message(hello("v", "t").addOffers(slots("short", 1)).build()));
        violates(
                "UNKNOWN_POOL",
                message(hello("v", "t").setOffers(0, slots("huge", 1)).build()));
        violates(
                "CALL_TOO_LARGE",
                message(hello("v", "t")
                        .setSdkVersion("x".repeat(Limits.WORKER_MESSAGE_BYTES))
                        .build()));
        assertThat(server.node().status().workers())
                .noneMatch(worker -> worker.worker().isEmpty());
    }

    @Test
    void aResultUnderAnotherTokenIsRevoked() {
        Connected worker = connect(hello("w6", "elses").build());
        String id = submit("elses", "1");
        Lease lease = worker.nextLease(0);
        worker.say(Report.newBuilder()
                .addSucceeded(Success.newBuilder()
                        .setLease(lease.getLease().toBuilder()
                                .setToken(lease.getLease().getToken() + 1))));
        await().until(() -> worker.acks().anyMatch(ack -> ack));
        assertThat(jobs.get(GetJobRequest.newBuilder().setId(id).build())
                        .getState()
                        .getNumber())
                .isLessThan(JobState.SUCCEEDED_VALUE);
        worker.in.onCompleted();
        worker.out.await();
    }

    @Test
    void aResultForSomebodyElsesLeaseIsRevoked() {
        JobsGrpc.JobsBlockingStub theirs =
                server.stub(JobsGrpc.JobsBlockingStub.class, server.newKey("ours", "submitter"));
        Connected owner =
                connect(server.newKey("ours", "worker"), hello("w7", "private").build());
        Connected stranger = connect(
                server.newKey("strangers", "worker"), hello("w7", "private").build());
        String id = theirs.submit(SubmitRequest.newBuilder()
                        .setJob(NewJob.newBuilder().setType("private").setPayload(ByteString.copyFromUtf8("1")))
                        .build())
                .getId();
        Lease lease = owner.nextLease(0);

        stranger.say(Report.newBuilder()
                .addSucceeded(Success.newBuilder().setLease(lease.getLease()).setResult(ByteString.copyFromUtf8("6"))));
        await().until(() -> stranger.acks().count() == 1);
        assertThat(stranger.acks()).containsExactly(true);

        owner.say(Report.newBuilder()
                .addSucceeded(Success.newBuilder().setLease(lease.getLease()).setResult(ByteString.copyFromUtf8("7"))));
        await().until(() -> owner.acks().count() == 1);
        assertThat(owner.acks()).containsExactly(false);
        assertThat(theirs.await(AwaitJobRequest.newBuilder().setId(id).build())
                        .getResult()
                        .toStringUtf8())
                .isEqualTo("7");
        for (Connected worker : List.of(owner, stranger)) {
            worker.in.onCompleted();
            worker.out.await();
        }
    }

    @Test
    void theServersOwnWorkerHasItsNameForItself() {
        violates("INVALID_ARGUMENT", message(hello("fairlane-webhooks", "t").build()));
    }

    /** On a server of its own: it is full afterwards. */
    @Test
    void aWorkerOfOneKindTooManyIsRefusedAndTheOthersStay(@TempDir Path home) {
        try (TestServer full = TestServer.start(home)) {
            WorkersGrpc.WorkersStub workers = full.stub(WorkersGrpc.WorkersStub.class);
            List<List<ServerMessage>> taken = new ArrayList<>();
            for (int kind = 0; kind < Engine.MAX_WIDE_KINDS; kind++) {
                taken.add(new CopyOnWriteArrayList<>());
                workers.connect(new Ending<>(taken.getLast()))
                        .onNext(message(hello("k" + kind, "type-" + kind).build()));
            }
            await().until(() -> taken.stream().noneMatch(List::isEmpty));

            Ending<ServerMessage> refused = new Ending<>(new CopyOnWriteArrayList<>());
            workers.connect(refused).onNext(message(hello("late", "one-more").build()));
            Throwable failure = refused.failure();
            assertThat(ProblemStatus.problemOf(failure).map(problem -> problem.getCode()))
                    .as(failure.toString())
                    .contains("WORKER_KINDS");
            List<ServerMessage> seen = new CopyOnWriteArrayList<>();
            workers.connect(new Ending<>(seen))
                    .onNext(message(hello("twin", "type-7").build()));
            await().until(() -> seen.stream().anyMatch(ServerMessage::hasWelcome));
        }
    }

    private static void violates(String code, WorkerMessage... messages) {
        List<ServerMessage> seen = new CopyOnWriteArrayList<>();
        Ending<ServerMessage> out = new Ending<>(seen);
        StreamObserver<WorkerMessage> in =
                server.stub(WorkersGrpc.WorkersStub.class).connect(out);
        for (WorkerMessage message : messages) {
            in.onNext(message);
        }
        Throwable failure = out.failure();
        assertThat(ProblemStatus.problemOf(failure).map(problem -> problem.getCode()))
                .as(failure.toString())
                .contains(code);
    }

    private record Connected(StreamObserver<WorkerMessage> in, Ending<ServerMessage> out, List<ServerMessage> seen) {
        Stream<Lease> leases() {
            return new ArrayList<>(seen).stream().flatMap(message -> message.getLeases().getLeasesList().stream());
        }

        /** Whether each ack says that the lease was revoked. */
        Stream<Boolean> acks() {
            return new ArrayList<>(seen)
                    .stream()
                            .flatMap(message -> message.getAcks().getAcksList().stream())
                            .map(ack -> ack.getRevoked());
        }

        Lease nextLease(int index) {
            await().until(() -> leases().count() > index);
            return leases().toList().get(index);
        }

        void say(Report.Builder report) {
            in.onNext(WorkerMessage.newBuilder().setReport(report).build());
        }
    }

    private static Connected connect(Hello hello) {
        return connect(server.adminKey(), hello);
    }

    private static Connected connect(String key, Hello hello) {
        List<ServerMessage> seen = new CopyOnWriteArrayList<>();
        Ending<ServerMessage> out = new Ending<>(seen);
        StreamObserver<WorkerMessage> in =
                server.stub(WorkersGrpc.WorkersStub.class, key).connect(out);
        in.onNext(message(hello));
        await().until(() -> out.ended() || !seen.isEmpty());
        return new Connected(in, out, seen);
    }

    private static WorkerMessage message(Hello hello) {
        return WorkerMessage.newBuilder().setHello(hello).build();
    }

    private static Hello.Builder hello(String worker, String... types) {
        return Hello.newBuilder().setWorker(worker).addAllTypes(List.of(types)).addOffers(slots("short", 4));
    }

    private static PoolSlots slots(String pool, int slots) {
        return PoolSlots.newBuilder().setPool(pool).setSlots(slots).build();
    }

    private static String submit(String type, String payload) {
        return jobs.submit(SubmitRequest.newBuilder()
                        .setJob(NewJob.newBuilder().setType(type).setPayload(ByteString.copyFromUtf8(payload)))
                        .build())
                .getId();
    }
}
