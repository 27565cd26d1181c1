package dev.fairlane.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.protocol.v1.AwaitGroupRequest;
import dev.fairlane.protocol.v1.CancelGroupRequest;
import dev.fairlane.protocol.v1.CancelGroupResponse;
import dev.fairlane.protocol.v1.CreateGroupRequest;
import dev.fairlane.protocol.v1.GetGroupRequest;
import dev.fairlane.protocol.v1.GetJobRequest;
import dev.fairlane.protocol.v1.GroupsGrpc;
import dev.fairlane.protocol.v1.Job;
import dev.fairlane.protocol.v1.JobGroup;
import dev.fairlane.protocol.v1.JobState;
import dev.fairlane.protocol.v1.JobsGrpc;
import dev.fairlane.protocol.v1.ListGroupJobsRequest;
import dev.fairlane.protocol.v1.ListGroupJobsResponse;
import dev.fairlane.protocol.v1.NewJob;
import dev.fairlane.protocol.v1.SealGroupRequest;
import dev.fairlane.protocol.v1.SubmitGroupRequest;
import dev.fairlane.protocol.v1.SubmitGroupResponse;
import dev.fairlane.protocol.v1.SubmitItem;
import dev.fairlane.protocol.v1.SubmitRequest;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.runtime.WorkerSession;
import dev.fairlane.server.IdleStream;
import dev.fairlane.server.TestServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups through the real server: members, progress, results, callback. */
class GroupsTest {
    private static TestServer server;
    private static GroupsGrpc.GroupsBlockingStub groups;
    private static JobsGrpc.JobsBlockingStub jobs;

    @BeforeAll
    static void start(@TempDir Path home) {
        server = TestServer.start(home);
        groups = server.stub(GroupsGrpc.GroupsBlockingStub.class);
        jobs = server.stub(JobsGrpc.JobsBlockingStub.class);
        Echo.start(server, "echo");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** A worker that answers with what it was given. */
    private static final class Echo extends IdleStream {
        private final CompletableFuture<WorkerSession> session = new CompletableFuture<>();

        static void start(TestServer server, String type) {
            Echo echo = new Echo();
            echo.session.complete(server.node()
                    .connect(new WorkerOffer("echo", null, List.of(type), Map.of("short", 10)), List.of(), echo));
        }

        @Override
        public void leases(List<Granted> leases) {
            List<WorkerSession.Success> done = new ArrayList<>();
            for (Granted lease : leases) {
                done.add(new WorkerSession.Success(
                        new LeaseRef(lease.spec().id(), lease.status().token()),
                        new Payload(lease.spec().payload().bytes(), Payload.JSON)));
            }
            session.thenAccept(known -> known.report(new WorkerSession.Report(List.of(), done, List.of())));
        }
    }

    private static NewJob echo(int number) {
        return NewJob.newBuilder()
                .setType("echo")
                .setPayload(ByteString.copyFromUtf8(Integer.toString(number)))
                .build();
    }

    private static JobGroup await(String id) {
        return groups.awaitGroup(AwaitGroupRequest.newBuilder().setId(id).build());
    }

    @Test
    void aGroupSubmittedAtOnceRunsAndItsCallbackFollows() {
        SubmitGroupRequest.Builder request = SubmitGroupRequest.newBuilder()
                .setName("night")
                .setCallback(NewJob.newBuilder().setType("echo").setPayload(ByteString.copyFromUtf8("\"all\"")));
        for (int i = 0; i < 120; i++) {
            request.addJobs(echo(i));
        }
        SubmitGroupResponse submitted = groups.submitGroup(request.build());
        assertThat(submitted.getItemsList()).hasSize(120).noneMatch(SubmitItem::hasProblem);
        String id = submitted.getGroup().getId();
        JobGroup done = await(id);
        assertThat(done.getState()).isEqualTo("done");
        assertThat(done.getTotal()).isEqualTo(120);
        assertThat(done.getSucceeded()).isEqualTo(120);
        assertThat(groups.getGroup(GetGroupRequest.newBuilder().setId(id).build()))
                .isEqualTo(done);

        List<String> results = new ArrayList<>();
        String cursor = "";
        do {
            ListGroupJobsResponse page = groups.listGroupJobs(ListGroupJobsRequest.newBuilder()
                    .setId(id)
                    .setPageSize(50)
                    .setCursor(cursor)
                    .build());
            page.getJobsList().forEach(job -> {
                assertThat(job.getGroup()).isEqualTo(id);
                results.add(job.getResult().toString(StandardCharsets.UTF_8));
            });
            cursor = page.getNextCursor();
        } while (!cursor.isEmpty());
        assertThat(results).hasSize(120).doesNotHaveDuplicates();

        Job callback = Awaitility.await()
                .until(
                        () -> jobs.get(GetJobRequest.newBuilder()
                                .setId(done.getCallbackJob())
                                .build()),
                        job -> job.getState() == JobState.SUCCEEDED);
        assertThat(callback.getHeadersMap())
                .containsEntry("fairlane-group", id)
                .containsEntry("fairlane-group-succeeded", "120");
        assertThat(callback.getResult().toString(StandardCharsets.UTF_8)).isEqualTo("\"all\"");
    }

    @Test
    void anOpenGroupTakesJobsUntilItIsSealed() {
        String id = groups.createGroup(CreateGroupRequest.newBuilder()
                        .setCallbackOn("all_succeeded")
                        .build())
                .getId();
        SubmitRequest member = SubmitRequest.newBuilder()
                .setJob(echo(1).toBuilder().setGroup(id))
                .build();
        jobs.submit(member);
        Awaitility.await()
                .until(() ->
                        groups.getGroup(GetGroupRequest.newBuilder().setId(id).build())
                                        .getSucceeded()
                                == 1);
        assertThat(groups.awaitGroup(AwaitGroupRequest.newBuilder()
                                .setId(id)
                                .setTimeoutMs(20)
                                .build())
                        .getState())
                .isEqualTo("open");
        assertThat(groups.sealGroup(SealGroupRequest.newBuilder().setId(id).build())
                        .getState())
                .isEqualTo("done");
        assertThat(groups.sealGroup(SealGroupRequest.newBuilder().setId(id).build())
                        .getState())
                .isEqualTo("done");
        assertThat(server.send("POST", "/v1/jobs", "{\"type\":\"echo\",\"group\":\"" + id + "\"}")
                        .body())
                .contains("GROUP_NOT_FOUND");
    }

    @Test
    void cancellingAGroupSealsItAndCancelsWhatWaits() {
        String id = groups.createGroup(CreateGroupRequest.getDefaultInstance()).getId();
        for (int i = 0; i < 3; i++) {
            jobs.submit(SubmitRequest.newBuilder()
                    .setJob(NewJob.newBuilder().setType("nobody").setGroup(id))
                    .build());
        }
        CancelGroupResponse cancelled =
                groups.cancelGroup(CancelGroupRequest.newBuilder().setId(id).build());
        assertThat(cancelled.getCancelled()).isEqualTo(3);
        assertThat(cancelled.getNextCursor()).isEmpty();
        JobGroup done = await(id);
        assertThat(done.getState()).isEqualTo("done");
        assertThat(done.getCancelled()).isEqualTo(3);
        assertThat(groups.cancelGroup(CancelGroupRequest.newBuilder().setId(id).build())
                        .getAlreadyDone())
                .isEqualTo(3);
    }

    @Test
    void aGroupOfAnotherTenantIsNotThere() {
        String id = groups.createGroup(CreateGroupRequest.getDefaultInstance()).getId();
        String key = server.newKey("stranger", "submitter");
        for (String path : List.of("", ":await", "/jobs")) {
            var answer = TestServer.send(server.request("/v1/groups/" + id + path)
                    .setHeader("Authorization", "Bearer " + key)
                    .build());
            assertThat(answer.statusCode()).as(path).isEqualTo(404);
            assertThat(answer.body()).contains("GROUP_NOT_FOUND");
        }
    }

    @Test
    void badCallsAreRefusedAndChangeNothing() {
        String large = "\"" + "x".repeat(17 << 10) + "\"";
        for (String body : List.of(
                "{\"callback\":{\"type\":\"echo\",\"delay_ms\":5}}",
                "{\"callback\":{\"type\":\"echo\",\"idempotency_key\":\"k\"}}",
                "{\"callback\":{\"type\":\"fairlane.webhook\"}}",
                "{\"callback\":{\"type\":\"echo\"},\"callback_on\":\"sometimes\"}",
                "{\"name\":\"" + "n".repeat(129) + "\"}")) {
            assertThat(server.send("POST", "/v1/groups", body).statusCode())
                    .as(body)
                    .isEqualTo(400);
        }
        assertThat(server.send("POST", "/v1/groups", "{\"callback\":{\"type\":\"e\",\"payload\":" + large + "}}")
                        .statusCode())
                .isEqualTo(413);
        assertThat(server.send("POST", "/v1/groups:submit", "{\"jobs\":[]}").statusCode())
                .isEqualTo(400);
        assertThat(server.send("POST", "/v1/jobs", "{\"type\":\"e\",\"group\":\"mine\"}")
                        .statusCode())
                .isEqualTo(400);
        assertThat(server.get("/v1/groups/nonsense").statusCode()).isEqualTo(400);
    }
}
