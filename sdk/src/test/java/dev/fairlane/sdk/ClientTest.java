package dev.fairlane.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.fairlane.protocol.v1.Failure;
import dev.fairlane.protocol.v1.NewJob;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClientTest {
    private final FakeServer server = new FakeServer();
    private final Fairlane fairlane = server.connect();

    record SendEmail(String to, String template) {}

    record SendResult(String messageId) {}

    @AfterEach
    void close() {
        fairlane.close();
        server.close();
    }

    @Test
    void submitCarriesEveryOption() {
        JobHandle job = fairlane.submit(Job.of("send_email", new SendEmail("a@example.com", "reset"))
                .priority(1)
                .runAt(Instant.ofEpochSecond(10, 5_000))
                .notAfter(Instant.ofEpochSecond(20))
                .maxAttempts(3)
                .timeLimit(Duration.ofSeconds(4))
                .idempotencyKey("k-1")
                .tag("team", "growth")
                .header("traceparent", "00-1-2-01")
                .lane("training")
                .maxAge(Duration.ofHours(2))
                .uniqueKey("u-1")
                .exact()
                .fairKey("f-1")
                .concurrencyKey("c-1")
                .rateKey("r-1", 3)
                .demand(Resources.cores(2).andMemoryMib(512).andGpus(1))
                .requires("arm", "gpu")
                .payloadVersion(2));

        NewJob sent = server.submitted.getFirst();
        assertThat(sent.getType()).isEqualTo("send_email");
        assertThat(sent.getPayload().toStringUtf8()).isEqualTo("{\"to\":\"a@example.com\",\"template\":\"reset\"}");
        assertThat(sent.getPriority()).isEqualTo(1);
        assertThat(sent.getRunAtMicros()).isEqualTo(10_000_005);
        assertThat(sent.getNotAfterMicros()).isEqualTo(20_000_000);
        assertThat(sent.getMaxAttempts()).isEqualTo(3);
        assertThat(sent.getTimeLimitMs()).isEqualTo(4_000);
        assertThat(sent.getIdempotencyKey()).isEqualTo("k-1");
        assertThat(sent.getTagsMap()).isEqualTo(Map.of("team", "growth"));
        assertThat(sent.getHeadersMap()).isEqualTo(Map.of("traceparent", "00-1-2-01"));
        assertThat(sent.getLane()).isEqualTo("training");
        assertThat(sent.getMaxAgeMs()).isEqualTo(7_200_000);
        assertThat(sent.getUniqueKey()).isEqualTo("u-1");
        assertThat(sent.getExact()).isTrue();
        assertThat(sent.getFairKey()).isEqualTo("f-1");
        assertThat(sent.getConcurrencyKey()).isEqualTo("c-1");
        assertThat(sent.getRateKey()).isEqualTo("r-1");
        assertThat(sent.getRateCost()).isEqualTo(3);
        assertThat(sent.getDemand().getCpuMillis()).isEqualTo(2_000);
        assertThat(sent.getDemand().getMemoryMib()).isEqualTo(512);
        assertThat(sent.getDemand().getGpus()).isEqualTo(1);
        assertThat(sent.getRequiresList()).containsExactly("arm", "gpu");
        assertThat(sent.getPayloadVersion()).isEqualTo(2);
        assertThat(job.stateAtSubmit()).isEqualTo(JobState.QUEUED);
        assertThat(job.position()).isEqualTo("1.7");
    }

    @Test
    void optionsDoNotChangeTheJobTheyAreAskedOf() {
        Job plain = Job.of("t", 1);
        Job urgent = plain.priority(0).delay(Duration.ofMillis(5));
        fairlane.submitAll(List.of(plain, urgent));

        assertThat(server.submitted.get(0).hasPriority()).isFalse();
        assertThat(server.submitted.get(1).hasPriority()).isTrue();
        assertThat(server.submitted.get(1).getDelayMs()).isEqualTo(5);
    }

    @Test
    void bytesGoAsTheyAre() {
        fairlane.submit(Job.raw("t", new byte[] {1, 2}, "image/png"));

        assertThat(server.submitted.getFirst().getPayload().toByteArray()).containsExactly(1, 2);
        assertThat(server.submitted.getFirst().getContentType()).isEqualTo("image/png");
    }

    @Test
    void aBadItemOfABatchIsRefusedAlone() {
        List<SubmitResult> results = fairlane.submitAll(List.of(Job.of("a"), Job.of(""), Job.of("c")));

        assertThat(results).extracting(SubmitResult::accepted).containsExactly(true, false, true);
        assertThat(results.get(1).refusal())
                .isInstanceOf(FairlaneException.Invalid.class)
                .hasMessage("type: expected 1 to 128 characters, but got 0");
        assertThatThrownBy(() -> results.get(1).orThrow()).isInstanceOf(FairlaneException.class);
        assertThat(server.calls).containsExactly("SubmitBatch");
    }

    @Test
    void moreThanABatchHoldsIsSeveralCalls() {
        assertThat(fairlane.submitAll(
                        IntStream.range(0, 1_001).mapToObj(i -> Job.of("t", i)).toList()))
                .hasSize(1_001);
        assertThat(server.calls).containsExactly("SubmitBatch", "SubmitBatch");
    }

    @Test
    void awaitReadsTheResult() {
        JobHandle job = fairlane.submit(Job.of("send_email"));
        server.end(job.id(), dev.fairlane.protocol.v1.JobState.SUCCEEDED, "{\"messageId\":\"m-1\"}");

        assertThat(job.await(SendResult.class, Duration.ofSeconds(60))).isEqualTo(new SendResult("m-1"));
        assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void awaitThrowsWhatTheJobFailedWith() {
        JobHandle job = fairlane.submit(Job.of("send_email"));
        server.put(server.end(job.id(), dev.fairlane.protocol.v1.JobState.DEAD, "").toBuilder()
                .setFailure(Failure.newBuilder().setFailureClass("APP_ERROR").setMessage("boom"))
                .build());

        var failed = catchThrowableOfType(
                FairlaneException.JobFailed.class, () -> job.await(SendResult.class, Duration.ofSeconds(60)));
        assertThat(failed.code()).isEqualTo("JOB_DEAD");
        assertThat(failed).hasMessageContaining("APP_ERROR: boom");
        assertThat(failed.job().failure().orElseThrow().message()).isEqualTo("boom");
    }

    @Test
    void awaitEndsWhenItsTimeIsOver() {
        JobHandle job = fairlane.submit(Job.of("send_email"));

        assertThatThrownBy(() -> job.await(Duration.ofMillis(20)))
                .isInstanceOf(FairlaneException.TimedOut.class)
                .hasMessageContaining("is QUEUED after PT0.02S");
    }

    @Test
    void watchShowsEveryChangeUntilTheEndAlsoOverALostConnection() {
        JobHandle job = fairlane.submit(Job.of("t"));
        List<JobState> seen = new java.util.ArrayList<>();
        try (var changes = job.watch()) {
            changes.forEach(info -> {
                seen.add(info.state());
                if (info.state() == JobState.QUEUED) {
                    server.refuse(FakeServer.problem(Status.Code.UNAVAILABLE, "NOT_SERVING", "going down"));
                    server.put(server.jobs.get(job.id()).toBuilder()
                            .setState(dev.fairlane.protocol.v1.JobState.RUNNING)
                            .build());
                } else if (info.state() == JobState.RUNNING) {
                    server.end(job.id(), dev.fairlane.protocol.v1.JobState.SUCCEEDED, "1");
                }
            });
        }
        assertThat(seen).containsExactly(JobState.QUEUED, JobState.RUNNING, JobState.SUCCEEDED);
        assertThat(server.calls.stream().filter("Watch"::equals)).hasSize(2);
    }

    @Test
    void listFetchesPagesOnlyWhileTheyAreRead() {
        fairlane.submitAll(IntStream.range(0, 25).mapToObj(i -> Job.of("t" + i)).toList());

        assertThat(fairlane.list(JobFilter.all().pageSize(10))
                        .map(JobInfo::type)
                        .limit(12))
                .hasSize(12)
                .startsWith("t24", "t23")
                .endsWith("t13");
        assertThat(server.calls.stream().filter("List"::equals)).hasSize(2);
        assertThat(fairlane.list(JobFilter.all().pageSize(10))).hasSize(25);
    }

    @Test
    void errorsKeepTheirStableCode() {
        var missing = catchThrowableOfType(
                FairlaneException.NotFound.class, () -> fairlane.job("no-such").get());
        assertThat(missing.code()).isEqualTo("JOB_NOT_FOUND");
        assertThat(missing.retryable()).isFalse();

        server.refuse(FakeServer.problem(Status.Code.ALREADY_EXISTS, "IDEMPOTENCY_KEY_REUSED", "other body"));
        var conflict = catchThrowableOfType(
                FairlaneException.Conflict.class,
                () -> fairlane.submit(Job.of("t").idempotencyKey("k")));
        assertThat(conflict.code()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
    }

    @Test
    void aWrongKeyIsDenied() {
        try (Fairlane stranger = Fairlane.connect(server.url(), "other")) {
            assertThatThrownBy(stranger::status)
                    .isInstanceOfSatisfying(
                            FairlaneException.Denied.class,
                            e -> assertThat(e.code()).isEqualTo("UNAUTHENTICATED"));
        }
    }

    @Test
    void readsAndKeyedSubmitsAreRepeated() {
        var down = FakeServer.problem(Status.Code.UNKNOWN, "OUTCOME_UNKNOWN", "lost it");
        server.refuse(down, down);
        fairlane.status();
        assertThat(server.calls).containsExactly("GetStatus", "GetStatus", "GetStatus");

        server.refuse(down);
        fairlane.submit(Job.of("t").idempotencyKey("k"));
        assertThat(server.submitted).hasSize(1);
    }

    @Test
    void aSubmitWithoutKeyIsRepeatedUnderTheSameRequestId() {
        server.loseAnswers = 2;
        fairlane.submit(Job.of("t"));
        fairlane.submit(Job.of("t"));
        assertThat(server.calls).containsExactly("Submit", "Submit", "Submit", "Submit");
        assertThat(server.requestIds).hasSize(4);
        assertThat(server.requestIds.get(0)).isNotEmpty().isEqualTo(server.requestIds.get(2));
        assertThat(server.requestIds.get(3)).isNotEqualTo(server.requestIds.get(2));
    }

    @Test
    void aSubmitThatTheServerDidNotTakeIsRepeatedAfterTheTimeItSaid() {
        server.refuse(
                FakeServer.problem(Status.Code.RESOURCE_EXHAUSTED, "DEPTH_LIMIT", "slow", Duration.ofMillis(30)),
                FakeServer.problem(Status.Code.UNAVAILABLE, "NODE_FULL", "full"));
        fairlane.submit(Job.of("t"));

        assertThat(server.calls).containsExactly("Submit", "Submit", "Submit");
        assertThat(server.submitted).hasSize(1);
    }

    @Test
    void aSubmitThatNeverLeftIsRepeatedUntilTheServerIsThere() throws Exception {
        int port = server.port();
        server.close();
        try (Fairlane early = Fairlane.connect("http://localhost:" + port, FakeServer.KEY)) {
            Thread later = Thread.ofVirtual().unstarted(() -> early.submit(Job.of("t")));
            later.start();
            try (FakeServer restarted = new FakeServer(port)) {
                later.join(Duration.ofSeconds(60));
                assertThat(restarted.submitted).hasSize(1);
            }
        }
    }

    @Test
    void anUnreachableServerIsSaidSo() {
        String url = server.url();
        server.close();
        try (Fairlane nobody = Fairlane.builder()
                .address(url)
                .key("k")
                .deadline(Duration.ofMillis(300))
                .connect()) {
            // On a busy machine the first call may be over before its connection is refused.
            await().untilAsserted(() -> assertThatThrownBy(nobody::status)
                    .isInstanceOf(FairlaneException.Unavailable.class)
                    .hasMessageContaining("onnection refused"));
        }
    }

    @Test
    void addressesAndKeysThatCannotBeAreRefusedAtOnce() {
        assertThatThrownBy(() -> Fairlane.connect("localhost:8080", "k"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("http://localhost:8080");
        assertThatThrownBy(() -> Fairlane.connect("http://localhost:8080", "ke y"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Fairlane.builder().connect()).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void cancelSaysWhatItDid() {
        assertThat(fairlane.submit(Job.of("t")).cancel()).isEqualTo(CancelOutcome.CANCEL_REQUESTED);
    }

    @Test
    void rulesOfATenantGoThrough() {
        TenantRules rules = TenantRules.builder()
                .tier(TenantRules.Tier.PRO)
                .submitRate(5_000)
                .maxOpenJobs(9)
                .inFlight(Pool.SHORT, 100)
                .reserved(Pool.named("gpu"), 2)
                .lane("training", 20, Collections.nCopies(10, Duration.ofMinutes(1)))
                .concurrencyLimit("user-*", 2)
                .rateLimit("mail", 100, Duration.ofMinutes(1))
                .quota(TenantRules.QuotaKind.SLOT_SECONDS, 100_000, 200_000)
                .closedTypes(true)
                .build();
        assertThat(fairlane.admin().putTenant("acme", rules).rules()).isEqualTo(rules);
        TenantRules got = fairlane.admin().tenant("acme").rules();
        assertThat(got.tier()).isEqualTo(TenantRules.Tier.PRO);
        assertThat(got.submitRate()).hasValue(5_000);
        assertThat(got.maxOpenJobs()).hasValue(9);
        assertThat(got.inFlight()).isEqualTo(Map.of("short", 100));
        assertThat(got.reserved()).isEqualTo(Map.of("gpu", 2));
        assertThat(got.laneWeights()).isEqualTo(Map.of("training", 20));
        assertThat(got.concurrencyLimits()).isEqualTo(Map.of("user-*", 2));
        assertThat(got.closedTypes()).isTrue();
    }

    @Test
    void whatJobsOfATypeNeedGoesThrough() {
        JobNeeds needs = JobNeeds.NONE
                .withFairKey("f")
                .withConcurrencyKey("c")
                .withRate("r", 3)
                .withDemand(Resources.cores(1.5).andMemoryMib(512).andGpus(1))
                .withRequires(List.of("arm"));
        Admin.TypeInfo type = fairlane.admin()
                .putType(
                        null,
                        "render",
                        Pool.LONG,
                        0,
                        null,
                        TypeRules.builder()
                                .maxInFlight(7)
                                .needs(needs)
                                .preemptible(true)
                                .build());
        assertThat(type.rules().maxInFlight()).isEqualTo(7);
        assertThat(type.rules().needs()).isEqualTo(needs);
        assertThat(type.rules().preemptible()).isTrue();
        assertThat(type.movedTo()).contains(Pool.named("gpu"));
    }

    @Test
    void aServerNearItsBoundsSaysSo() {
        JobHandle urgent = fairlane.submit(Job.of("t").priority(1));
        JobHandle patient = fairlane.submit(Job.of("t").priority(8));
        assertThat(urgent.degraded()).isFalse();
        assertThat(urgent.get().degraded()).isFalse();
        assertThat(patient.degraded()).isTrue();
        assertThat(patient.get().degraded()).isTrue();
        assertThat(fairlane.submitAll(List.of(Job.of("t").priority(9)))
                        .getFirst()
                        .orThrow()
                        .degraded())
                .isTrue();
        assertThat(fairlane.status().refusals())
                .containsExactly(new ServerStatus.RefusalCount("acme", "RATE_LIMIT", 3));
    }

    @Test
    void adminCallsGoThrough() {
        assertThat(fairlane.status().pools().getFirst().slots()).isEqualTo(50);
        assertThat(fairlane.admin().putTenant("acme", 20).weight()).isEqualTo(20);
        assertThat(fairlane.admin().tenants()).hasSize(1);
        assertThat(fairlane.admin()
                        .putType("acme", "render", Pool.LONG, 2, Duration.ofHours(1))
                        .timeLimit())
                .isEqualTo(Duration.ofHours(1));
        assertThat(fairlane.admin().types(null)).hasSize(1);
        Admin.NewKey key = fairlane.admin().createKey("ci", "acme", Admin.Role.SUBMITTER);
        assertThat(key.secret()).isEqualTo("s3cret");
        assertThat(key.toString()).doesNotContain("s3cret");
        assertThat(fairlane.admin().keys()).hasSize(1);
        assertThat(fairlane.admin().revokeKey("k1").revokedAt()).isPresent();
    }
}
