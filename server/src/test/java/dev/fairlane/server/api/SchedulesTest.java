package dev.fairlane.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.protocol.v1.GetJobRequest;
import dev.fairlane.protocol.v1.GetScheduleRequest;
import dev.fairlane.protocol.v1.Job;
import dev.fairlane.protocol.v1.JobsGrpc;
import dev.fairlane.protocol.v1.NamedSchedule;
import dev.fairlane.protocol.v1.NewJob;
import dev.fairlane.protocol.v1.PreviewScheduleRequest;
import dev.fairlane.protocol.v1.PutScheduleItem;
import dev.fairlane.protocol.v1.PutScheduleRequest;
import dev.fairlane.protocol.v1.PutScheduleResponse;
import dev.fairlane.protocol.v1.PutSchedulesRequest;
import dev.fairlane.protocol.v1.Schedule;
import dev.fairlane.protocol.v1.ScheduleChange;
import dev.fairlane.protocol.v1.SchedulePreview;
import dev.fairlane.protocol.v1.ScheduleSpec;
import dev.fairlane.protocol.v1.SchedulesGrpc;
import dev.fairlane.server.TestServer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Schedules through the real server, by gRPC and REST. */
class SchedulesTest {
    private static TestServer server;
    private static SchedulesGrpc.SchedulesBlockingStub schedules;
    private static JobsGrpc.JobsBlockingStub jobs;

    @BeforeAll
    static void start(@TempDir Path home) {
        server = TestServer.start(home);
        schedules = server.stub(SchedulesGrpc.SchedulesBlockingStub.class);
        jobs = server.stub(JobsGrpc.JobsBlockingStub.class);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static PutScheduleResponse put(String name, ScheduleSpec.Builder spec) {
        return schedules.putSchedule(
                PutScheduleRequest.newBuilder().setName(name).setSpec(spec).build());
    }

    private static ScheduleSpec.Builder spec() {
        return ScheduleSpec.newBuilder().setJob(NewJob.newBuilder().setType("report"));
    }

    @Test
    void whatIsPutIsReadBackAndPuttingItAgainChangesNothing() {
        ScheduleSpec.Builder spec = spec().setCron(" 30 2 * * MON-FRI")
                .setZone("Europe/Berlin")
                .setDstGap("shift")
                .setCatchup("latest")
                .setOverlap("buffer_one")
                .setJitterMs(0)
                .setMaxRuns(5)
                .setDescription("for the boss");
        assertThat(put("nightly", spec).getOutcome()).isEqualTo("created");
        PutScheduleResponse again = put("nightly", spec);
        assertThat(again.getOutcome()).isEqualTo("unchanged");
        assertThat(again.getChangesList()).isEmpty();
        Schedule read = schedules.getSchedule(
                GetScheduleRequest.newBuilder().setName("nightly").build());
        assertThat(read.getState()).isEqualTo("active");
        assertThat(read.getTenant()).isEqualTo("default");
        assertThat(read.getSpec()).isEqualTo(spec.setCron("30 2 * * MON-FRI").build());
        assertThat(put("nightly", read.getSpec().toBuilder()).getOutcome()).isEqualTo("unchanged");

        PutScheduleResponse dry = schedules.putSchedule(PutScheduleRequest.newBuilder()
                .setName("nightly")
                .setSpec(spec.setCron("0 3 * * *").clearDescription())
                .setDryRun(true)
                .build());
        assertThat(dry.getOutcome()).isEqualTo("changed");
        assertThat(dry.getChangesList())
                .containsExactly(
                        ScheduleChange.newBuilder()
                                .setField("cron")
                                .setBefore("30 2 * * MON-FRI")
                                .setAfter("0 3 * * *")
                                .build(),
                        ScheduleChange.newBuilder()
                                .setField("description")
                                .setBefore("for the boss")
                                .build());
        assertThat(schedules
                        .getSchedule(GetScheduleRequest.newBuilder()
                                .setName("nightly")
                                .build())
                        .getSpec())
                .isEqualTo(read.getSpec());
    }

    @Test
    void manyArePutAtOnceAndAnsweredOneByOne() {
        put("many-2", spec().setCron("@daily"));
        PutSchedulesRequest.Builder many = PutSchedulesRequest.newBuilder()
                .addSchedules(named("many-1", spec().setCron("@daily")))
                .addSchedules(named("many-2", spec().setCron("@daily")))
                .addSchedules(named("many 3", spec().setCron("@daily")))
                .addSchedules(named("many-4", spec().setCron("@daily").clearJob()))
                .addSchedules(named("many-5", spec().setCron("0 0 30 2 *")))
                .addSchedules(named("many-6", spec().setEveryMs(5_000)));
        List<PutScheduleItem> tried =
                schedules.putSchedules(many.setDryRun(true).build()).getItemsList();
        assertThat(server.get("/v1/schedules/many-1").statusCode()).isEqualTo(404);
        List<PutScheduleItem> done =
                schedules.putSchedules(many.setDryRun(false).build()).getItemsList();
        assertThat(done).isEqualTo(tried);
        assertThat(done)
                .extracting(PutScheduleItem::getName)
                .containsExactly("many-1", "many-2", "many 3", "many-4", "many-5", "many-6");
        assertThat(done)
                .extracting(PutScheduleItem::getOutcome)
                .containsExactly("created", "unchanged", "", "", "", "created");
        assertThat(done)
                .extracting(item -> item.getProblem().getField())
                .containsExactly("", "", "name", "job", "", "");
        assertThat(done.get(4).getProblem().getCode()).isEqualTo("INVALID_ARGUMENT");
        assertThat(done.getFirst().getChangesList())
                .extracting(ScheduleChange::getField)
                .contains("cron", "job.type");
        assertThat(server.get("/v1/schedules/many-6").statusCode()).isEqualTo(200);
    }

    @Test
    void theSecondOfTwoUnderOneNameIsPutOnTheFirst() {
        HttpResponse<String> twice = server.send(
                "POST",
                "/v1/schedules:batch",
                "{\"schedules\":[{\"name\":\"twice\",\"spec\":{\"cron\":\"@daily\",\"job\":{\"type\":\"report\"}}},"
                        + "{\"name\":\"twice\",\"spec\":{\"cron\":\"@hourly\",\"job\":{\"type\":\"report\"}}}]}");
        assertThat(twice.body()).contains("\"outcome\":\"created\"", "\"outcome\":\"changed\"");
        assertThat(server.get("/v1/schedules/twice").body()).contains("@hourly");
        assertThat(server.send("POST", "/v1/schedules:batch", "{}").statusCode())
                .isEqualTo(400);
    }

    private static NamedSchedule named(String name, ScheduleSpec.Builder spec) {
        return NamedSchedule.newBuilder().setName(name).setSpec(spec).build();
    }

    @Test
    void aTickSubmitsItsJob() {
        put("often", spec().setEveryMs(1_000).setJitterMs(0).setOverlap("allow"));
        Schedule fired = Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(
                        () -> schedules.getSchedule(
                                GetScheduleRequest.newBuilder().setName("often").build()),
                        schedule -> schedule.getFired() >= 2);
        Job job = jobs.get(GetJobRequest.newBuilder().setId(fired.getLastJob()).build());
        assertThat(job.getType()).isEqualTo("report");
        assertThat(job.getHeadersMap()).containsEntry("fairlane-schedule", "often");
        assertThat(ChronoUnit.MICROS.between(
                        Instant.EPOCH, Instant.parse(job.getHeadersOrThrow("fairlane-scheduled-at"))))
                .isEqualTo(fired.getLastTickMicros())
                .isLessThanOrEqualTo(job.getSubmittedAtMicros());
        assertThat(server.send("DELETE", "/v1/schedules/often", "").statusCode())
                .isEqualTo(200);
        assertThat(server.get("/v1/schedules/often").statusCode()).isEqualTo(404);
    }

    @Test
    void restHasTheSameCalls() {
        HttpResponse<String> made = server.send(
                "PUT",
                "/v1/schedules/rest",
                "{\"cron\":\"@daily\",\"job\":{\"type\":\"report\",\"payload\":{\"a\":1}}}");
        assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
        assertThat(made.body()).contains("\"outcome\":\"created\"", "\"payload\":{\"a\":1}", "\"zone\":\"UTC\"");
        assertThat(server.send("POST", "/v1/schedules/rest:pause", "{\"why\":\"moving\"}")
                        .body())
                .contains("\"state\":\"paused\"", "moving");
        assertThat(server.send("POST", "/v1/schedules/rest:resume", "").body()).contains("\"state\":\"active\"");
        assertThat(server.send("POST", "/v1/schedules/rest:trigger", "").body()).contains("\"job_id\":\"");
        assertThat(server.get("/v1/schedules/rest").body()).contains("\"triggered\":1");
        server.send("PUT", "/v1/schedules/rest-2", "{\"every_ms\":3600000,\"job\":{\"type\":\"report\"}}");
        assertThat(server.get("/v1/schedules?page_size=1").body()).contains("next_cursor");
        assertThat(server.send("POST", "/v1/schedules:preview", "{\"name\":\"rest\",\"count\":2}")
                        .body())
                .contains("T00:00:00Z[UTC]");
        assertThat(server.get("/v1/schedules/rest:preview?count=2&after=2030-05-01T12:00:00Z")
                        .body())
                .contains("2030-05-02T00:00:00Z[UTC]", "2030-05-03T00:00:00Z[UTC]")
                .doesNotContain("2030-05-04");
        assertThat(server.get("/v1/schedules/none:preview").statusCode()).isEqualTo(404);
        assertThat(server.get("/v1/schedules/rest:preview?spec=1").body()).contains("UNKNOWN_FIELD");
        assertThat(server.send(
                                "PUT",
                                "/v1/schedules/rest?dry_run=true",
                                "{\"cron\":\"@hourly\",\"job\":{\"type\":\"x\"}}")
                        .body())
                .contains("\"outcome\":\"changed\"", "\"field\":\"cron\"");
    }

    @Test
    void mistakesAreNamed() {
        assertThat(refused("{\"cron\":\"0 61 * * *\",\"job\":{\"type\":\"t\"}}"))
                .contains("\"cron\"", "at position 3");
        assertThat(refused("{\"cron\":\"0 0 30 2 *\",\"job\":{\"type\":\"t\"}}"))
                .contains("none within fifty years");
        assertThat(refused("{\"cron\":\"@daily\",\"zone\":\"Europe/Nowhere\",\"job\":{\"type\":\"t\"}}"))
                .contains("\"zone\"");
        assertThat(refused("{\"cron\":\"@daily\",\"every_ms\":1000,\"job\":{\"type\":\"t\"}}"))
                .contains("one of cron");
        assertThat(refused("{\"every_ms\":10,\"job\":{\"type\":\"t\"}}")).contains("every_ms");
        assertThat(refused("{\"every_ms\":1000}")).contains("job");
        assertThat(refused("{\"every_ms\":1000,\"job\":{\"type\":\"t\",\"delay_ms\":5}}"))
                .contains("delay_ms");
        assertThat(refused("{\"every_ms\":1000,\"overlap\":\"maybe\",\"job\":{\"type\":\"t\"}}"))
                .contains("overlap");
        assertThat(server.send("PUT", "/v1/schedules/a%20b", "{\"every_ms\":1000,\"job\":{\"type\":\"t\"}}")
                        .body())
                .contains("\"name\"");
        assertThat(server.send("POST", "/v1/schedules/none:trigger", "").body()).contains("SCHEDULE_NOT_FOUND");
    }

    private static String refused(String body) {
        HttpResponse<String> answer = server.send("PUT", "/v1/schedules/wrong", body);
        assertThat(answer.statusCode()).isEqualTo(400);
        return answer.body();
    }

    @Test
    void aRuleCanBePreviewedAcrossAChangeOfTheClocks() {
        assertThat(schedules
                        .previewSchedule(PreviewScheduleRequest.newBuilder()
                                .setSpec(ScheduleSpec.newBuilder()
                                        .setCron("30 2 * * *")
                                        .setZone("Europe/Berlin")
                                        .setDstGap("shift"))
                                .setCount(2)
                                .setAfterMicros(
                                        Instant.parse("2027-03-27T12:00:00Z").toEpochMilli() * 1_000)
                                .build())
                        .getTicksList())
                .extracting(SchedulePreview::getLocal)
                .containsExactly(
                        "2027-03-28T03:30:00+02:00[Europe/Berlin]", "2027-03-29T02:30:00+02:00[Europe/Berlin]");
    }

    @Test
    void aPreviewEndsWithTheRunsThatAreLeft() {
        assertThat(schedules
                        .previewSchedule(PreviewScheduleRequest.newBuilder()
                                .setSpec(ScheduleSpec.newBuilder()
                                        .setCron("@daily")
                                        .setMaxRuns(3))
                                .setCount(10)
                                .build())
                        .getTicksList())
                .hasSize(3);
    }

    @Test
    void tenantsDoNotSeeEachOthers() {
        put("mine", spec().setEveryMs(3_600_000));
        SchedulesGrpc.SchedulesBlockingStub others =
                server.stub(SchedulesGrpc.SchedulesBlockingStub.class, server.newKey("acme", "submitter"));
        assertThat(others.putSchedule(PutScheduleRequest.newBuilder()
                                .setName("mine")
                                .setSpec(spec().setEveryMs(7_200_000))
                                .build())
                        .getOutcome())
                .isEqualTo("created");
    }
}
