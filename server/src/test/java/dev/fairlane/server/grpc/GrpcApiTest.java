package dev.fairlane.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.fairlane.protocol.ProblemStatus;
import dev.fairlane.protocol.v1.AdminGrpc;
import dev.fairlane.protocol.v1.AwaitJobRequest;
import dev.fairlane.protocol.v1.CancelJobRequest;
import dev.fairlane.protocol.v1.CreateKeyRequest;
import dev.fairlane.protocol.v1.CreateKeyResponse;
import dev.fairlane.protocol.v1.GetJobRequest;
import dev.fairlane.protocol.v1.GetStatusRequest;
import dev.fairlane.protocol.v1.Job;
import dev.fairlane.protocol.v1.JobState;
import dev.fairlane.protocol.v1.JobsGrpc;
import dev.fairlane.protocol.v1.ListJobsRequest;
import dev.fairlane.protocol.v1.NewJob;
import dev.fairlane.protocol.v1.RevokeKeyRequest;
import dev.fairlane.protocol.v1.SubmitBatchRequest;
import dev.fairlane.protocol.v1.SubmitBatchResponse;
import dev.fairlane.protocol.v1.SubmitRequest;
import dev.fairlane.protocol.v1.SubmitResponse;
import dev.fairlane.protocol.v1.WatchJobRequest;
import dev.fairlane.server.TestServer;
import dev.fairlane.server.admit.Limits;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrpcApiTest {
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
    void aJobGoesInAndIsFound() {
        SubmitResponse made = submit(job("grpc").setPayload(ByteString.copyFromUtf8("[1]")));
        Job job = jobs.get(GetJobRequest.newBuilder().setId(made.getId()).build());
        assertThat(job.getType()).isEqualTo("grpc");
        assertThat(job.getPayload().toStringUtf8()).isEqualTo("[1]");
        assertThat(job.getState()).isEqualTo(JobState.QUEUED);
        assertThat(jobs.list(ListJobsRequest.newBuilder()
                                .setType("grpc")
                                .setMinPosition(made.getPosition())
                                .build())
                        .getJobsList())
                .extracting(Job::getId)
                .contains(made.getId());
    }

    @Test
    void aBatchIsAnsweredItemByItem() {
        SubmitBatchResponse response = jobs.submitBatch(SubmitBatchRequest.newBuilder()
                .setTag(-1)
                .addJobs(job("b"))
                .addJobs(job(""))
                .addJobs(job("b"))
                .build());
        assertThat(response.getTag()).isEqualTo(-1);
        assertThat(response.getItemsList())
                .extracting(item -> item.hasProblem())
                .containsExactly(false, true, false);
        assertThat(response.getItems(1).getProblem().getCode()).isEqualTo("INVALID_ARGUMENT");
        assertThat(response.getItems(1).getProblem().getField()).isEqualTo("type");
        assertThat(response.getPosition()).isNotEmpty();
    }

    @Test
    void aStreamOfBatchesIsAnsweredInOrder() {
        List<SubmitBatchResponse> answers = Collections.synchronizedList(new ArrayList<>());
        Ending<SubmitBatchResponse> out = new Ending<>(answers);
        StreamObserver<SubmitBatchRequest> in =
                server.stub(JobsGrpc.JobsStub.class).submitStream(out);
        int batches = 200;
        for (int i = 0; i < batches; i++) {
            SubmitBatchRequest.Builder batch = SubmitBatchRequest.newBuilder().setTag(i);
            for (int j = 0; j < 20; j++) {
                batch.addJobs(job("streamed"));
            }
            in.onNext(batch.build());
        }
        in.onNext(SubmitBatchRequest.newBuilder().setTag(batches).build());
        in.onCompleted();
        out.await();
        assertThat(answers)
                .extracting(SubmitBatchResponse::getTag)
                .containsExactlyElementsOf(IntStream.rangeClosed(0, batches)
                        .mapToObj(i -> (long) i)
                        .toList());
        assertThat(answers.subList(0, batches))
                .allSatisfy(answer -> assertThat(answer.getItemsList())
                        .hasSize(20)
                        .allMatch(item -> !item.getId().isEmpty()));
        assertThat(answers.getLast().getItems(0).getProblem().getField()).isEqualTo("jobs");
    }

    @Test
    void aStreamEndsWithItsKey() {
        AdminGrpc.AdminBlockingStub admin = server.stub(AdminGrpc.AdminBlockingStub.class);
        CreateKeyResponse key = admin.createKey(CreateKeyRequest.newBuilder()
                .setName("short-lived")
                .setRole("submitter")
                .build());
        List<SubmitBatchResponse> answers = Collections.synchronizedList(new ArrayList<>());
        Ending<SubmitBatchResponse> out = new Ending<>(answers);
        StreamObserver<SubmitBatchRequest> in =
                server.stub(JobsGrpc.JobsStub.class, key.getSecret()).submitStream(out);
        in.onNext(SubmitBatchRequest.newBuilder().addJobs(job("before")).build());
        await().until(() -> answers.size() == 1);
        admin.revokeKey(
                RevokeKeyRequest.newBuilder().setId(key.getKey().getId()).build());
        in.onNext(SubmitBatchRequest.newBuilder().addJobs(job("after_it")).build());
        assertThat(Status.fromThrowable(out.failure()).getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(answers).hasSize(1);
        assertThat(jobs.list(ListJobsRequest.newBuilder().setType("after_it").build())
                        .getJobsList())
                .isEmpty();
    }

    @Test
    void aWatchEndsWithTheJob() {
        String id = submit(job("watched")).getId();
        Iterator<Job> images = jobs.watch(WatchJobRequest.newBuilder().setId(id).build());
        assertThat(images.next().getState()).isEqualTo(JobState.QUEUED);
        assertThat(jobs.cancel(CancelJobRequest.newBuilder().setId(id).build()).getOutcome())
                .isEqualTo("cancelled");
        assertThat(images.next().getState()).isEqualTo(JobState.CANCELLED);
        assertThat(images.hasNext()).isFalse();
        assertThat(jobs.await(AwaitJobRequest.newBuilder().setId(id).build()).getState())
                .isEqualTo(JobState.CANCELLED);
    }

    @Test
    void refusalsCarryTheirCode() {
        refused(
                Status.Code.NOT_FOUND,
                "JOB_NOT_FOUND",
                () -> jobs.get(GetJobRequest.newBuilder()
                        .setId("0199d6c5-0000-7000-8000-000000000000")
                        .build()));
        refused(
                Status.Code.NOT_FOUND,
                "JOB_NOT_FOUND",
                () -> jobs.watch(WatchJobRequest.newBuilder()
                                .setId("0199d6c5-0000-7000-8000-000000000000")
                                .build())
                        .hasNext());
        refused(
                Status.Code.INVALID_ARGUMENT,
                "INVALID_ARGUMENT",
                () -> jobs.submit(SubmitRequest.getDefaultInstance()));
        refused(
                Status.Code.INVALID_ARGUMENT,
                "TOO_MANY_JOBS",
                () -> jobs.submitBatch(SubmitBatchRequest.newBuilder()
                        .addAllJobs(Collections.nCopies(1_001, job("t").build()))
                        .build()));
        refused(
                Status.Code.INVALID_ARGUMENT,
                "CALL_TOO_LARGE",
                () -> jobs.submitBatch(SubmitBatchRequest.newBuilder()
                        .addJobs(job("t").setPayload(ByteString.copyFrom(new byte[Limits.CALL_BYTES])))
                        .build()));
        refused(
                Status.Code.INVALID_ARGUMENT,
                "CALL_TOO_LARGE",
                () -> jobs.submitBatch(SubmitBatchRequest.newBuilder()
                        .addJobs(job("t").setPayload(ByteString.copyFrom(new byte[5 * Limits.CALL_BYTES])))
                        .build()));
        refused(
                Status.Code.UNAUTHENTICATED,
                "UNAUTHENTICATED",
                () -> server.stub(JobsGrpc.JobsBlockingStub.class, "flk_0123456789ab_x")
                        .get(GetJobRequest.getDefaultInstance()));
        String worker = server.newKey("", "worker");
        refused(
                Status.Code.PERMISSION_DENIED,
                "PERMISSION_DENIED",
                () -> server.stub(JobsGrpc.JobsBlockingStub.class, worker).submit(SubmitRequest.getDefaultInstance()));
    }

    @Test
    void aTenantSeesItsOwnOnly() {
        String mine = server.newKey("mine", "admin");
        String theirs = server.newKey("theirs", "submitter");
        JobsGrpc.JobsBlockingStub my = server.stub(JobsGrpc.JobsBlockingStub.class, mine);
        String id =
                my.submit(SubmitRequest.newBuilder().setJob(job("t")).build()).getId();
        assertThat(my.get(GetJobRequest.newBuilder().setId(id).build()).getTenant())
                .isEqualTo("mine");
        JobsGrpc.JobsBlockingStub their = server.stub(JobsGrpc.JobsBlockingStub.class, theirs);
        refused(
                Status.Code.NOT_FOUND,
                "JOB_NOT_FOUND",
                () -> their.get(GetJobRequest.newBuilder().setId(id).build()));
        refused(
                Status.Code.NOT_FOUND,
                "JOB_NOT_FOUND",
                () -> their.cancel(CancelJobRequest.newBuilder().setId(id).build()));
        refused(
                Status.Code.PERMISSION_DENIED,
                "PERMISSION_DENIED",
                () -> their.list(ListJobsRequest.newBuilder().setTenant("mine").build()));
        await().untilAsserted(() -> {
            assertThat(my.list(ListJobsRequest.getDefaultInstance()).getJobsList())
                    .isNotEmpty()
                    .allMatch(job -> job.getTenant().equals("mine"));
            assertThat(server.stub(AdminGrpc.AdminBlockingStub.class, mine)
                            .getStatus(GetStatusRequest.getDefaultInstance())
                            .getTenantsList())
                    .extracting(tenant -> tenant.getTenant())
                    .containsExactly("mine");
        });
    }

    static void refused(Status.Code status, String code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        StatusRuntimeException refused = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(refused).as(code).isNotNull();
        assertThat(refused.getStatus().getCode()).as(refused.toString()).isEqualTo(status);
        assertThat(ProblemStatus.problemOf(refused).orElseThrow().getCode()).isEqualTo(code);
    }

    private static SubmitResponse submit(NewJob.Builder job) {
        return jobs.submit(SubmitRequest.newBuilder().setJob(job).build());
    }

    private static NewJob.Builder job(String type) {
        return NewJob.newBuilder().setType(type);
    }
}
