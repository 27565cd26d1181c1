package dev.fairlane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Schedules from the command line, one by one and as a file. */
class ScheduleCommandsTest extends CommandLineBed {
    private static final String BATCH = "POST /v1/schedules:batch";
    private static final String CREATED = """
            {"outcome":"created","schedule":{"name":"nightly"},"changes":[{"field":"cron","after":"0 2 * * *"}]}""";
    private static final String CHANGED = """
            {"outcome":"changed","changes":[{"field":"every_ms","before":"10000","after":"30000"},{"field":"zone","before":"UTC"}]}""";
    private static final String UNCHANGED = "{\"outcome\":\"unchanged\",\"changes\":[]}";

    @Test
    void aScheduleIsPutWithAllItSays() {
        server.answer("PUT /v1/schedules/nightly", 200, CREATED);
        int exit = run(
                "schedule",
                "put",
                "nightly",
                "--cron",
                "0 2 * * *",
                "--zone",
                "Europe/Berlin",
                "--type",
                "report",
                "--payload",
                "{\"a\":1}",
                "--catchup",
                "latest",
                "--exact",
                "--pause-on-failure");
        assertThat(exit).as(err()).isZero();
        assertThat(body())
                .isEqualTo("{\"cron\":\"0 2 * * *\",\"zone\":\"Europe/Berlin\",\"jitter_ms\":0,\"catchup\":\"latest\","
                        + "\"pause_on_failure\":true,\"job\":{\"type\":\"report\",\"payload\":{\"a\":1}}}");
        assertThat(out()).contains("+ nightly (created)", "cron: 0 2 * * *");

        server.answer("PUT /v1/schedules/nightly?dry_run=true", 200, CREATED);
        assertThat(run("schedule", "put", "nightly", "--cron", "0 2 * * *", "--type", "report", "--dry-run"))
                .as(err())
                .isZero();
        assertThat(out()).contains("+ nightly (would be created)");
    }

    @Test
    void schedulesAreListedAndSteered() {
        server.answer("GET /v1/schedules?page_size=1000", 200, """
                {"schedules":[{"name":"poll","spec":{"every_ms":30000,"job":{"type":"poll"}},"state":"active","fired":3,"skipped":0,
                 "missed":0,"next":"2026-11-15T00:00:00Z"}]}""");
        assertThat(run("schedule", "list")).isZero();
        assertThat(out()).contains("NAME", "poll", "every 30s", "active");
        server.answer("POST /v1/schedules/poll:pause", 200, "{\"name\":\"poll\",\"state\":\"paused\"}");
        assertThat(run("schedule", "pause", "poll", "--why", "moving")).isZero();
        assertThat(body()).isEqualTo("{\"why\":\"moving\"}");
        server.answer("POST /v1/schedules/poll:trigger", 200, "{\"job_id\":\"0199\"}");
        assertThat(run("schedule", "trigger", "poll")).isZero();
        assertThat(out().strip()).isEqualTo("0199");
        server.answer("DELETE /v1/schedules/poll", 200, "{}");
        assertThat(run("schedule", "delete", "poll")).isZero();
        server.answer("POST /v1/schedules:preview", 200, "{\"ticks\":[{\"local\":\"2027-01-01T00:00:00Z[UTC]\"}]}");
        assertThat(run("schedule", "preview", "--cron", "@yearly", "--count", "1"))
                .isZero();
        assertThat(body()).isEqualTo("{\"spec\":{\"cron\":\"@yearly\"},\"count\":1}");
        assertThat(out().strip()).isEqualTo("2027-01-01T00:00:00Z[UTC]");
    }

    private static String items(String... items) {
        return items(List.of(items));
    }

    private static String items(List<String> items) {
        return "{\"items\":[" + String.join(",", items) + "]}";
    }

    private Path file(String text) throws IOException {
        return Files.writeString(home.resolve("schedules.yaml"), text);
    }

    @Test
    void aFileIsShownFirstAndAppliedWhenToldTo() throws IOException {
        Path file = file("""
                schedules:
                  - name: nightly
                    cron: "0 2 * * *"
                    job: {type: report, payload: {of: yesterday, n: [1, 2.5, true, null]}}
                  - name: poll
                    every: 30s
                    job: {type: poll}
                  - name: same
                    at: "2027-01-01T00:00:00Z"
                    job: {type: x}
                """);
        server.answer(BATCH, 200, items(CREATED, CHANGED, UNCHANGED));
        assertThat(run("apply", "-f", file.toString(), "--dry-run")).as(err()).isZero();
        assertThat(out())
                .contains(
                        "+ nightly (would be created)",
                        "~ poll (would be changed)",
                        "every_ms: 10000 → 30000",
                        "zone: UTC → (unset)",
                        "= same (unchanged)");
        assertThat(run("apply", "-f", file.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains("2 of 3", "--yes");
        assertThat(server.requests)
                .hasSize(2)
                .allSatisfy(request -> assertThat(request.body()).startsWith("{\"dry_run\":true,"));

        server.answer(BATCH, 200, items(CREATED, CHANGED));
        assertThat(run("apply", "-f", file.toString(), "--yes")).as(err()).isZero();
        assertThat(server.requests).hasSize(4);
        assertThat(server.requests.getLast().body())
                .isEqualTo("{\"dry_run\":false,\"schedules\":[{\"name\":\"nightly\",\"spec\":{\"cron\":\"0 2 * * *\","
                        + "\"job\":{\"type\":\"report\",\"payload\":{\"of\":\"yesterday\",\"n\":[1,2.5,true,null]}}}},"
                        + "{\"name\":\"poll\",\"spec\":{\"job\":{\"type\":\"poll\"},\"every_ms\":30000}}]}");
        assertThat(out()).contains("2 of 3 applied: 1 created, 1 changed").doesNotContain("(created)");
    }

    private Path fileOf(int schedules) throws IOException {
        StringBuilder text = new StringBuilder("schedules:\n");
        for (int i = 0; i < schedules; i++) {
            text.append("  - {name: s").append(i).append(", every: 30s, job: {type: poll, payload: {n: 1}}}\n");
        }
        return file(text.toString());
    }

    @Test
    void manyAreSentAThousandAtATime() throws IOException {
        Path file = fileOf(60_000);
        assertThat(Files.size(file)).as("more than the library takes by itself").isGreaterThan(3 << 20);
        server.answer(BATCH, 200, items(Collections.nCopies(1_000, CREATED)));
        assertThat(run("apply", "-f", file.toString(), "--yes")).as(err()).isZero();
        assertThat(server.requests).hasSize(120);
        assertThat(out()).contains("+ s59999 (would be created)", "60000 of 60000 applied");
        assertThat(out().indexOf("s10 ")).isLessThan(out().indexOf("s11 "));
    }

    @Test
    void afterAFailureTheRestIsNotSent() throws IOException {
        server.answer(BATCH, 404, "{\"code\":\"TENANT_NOT_FOUND\"}");
        assertThat(run("apply", "-f", fileOf(2_000).toString(), "--yes")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(server.requests).hasSize(1);
    }

    @Test
    void largeOnesAreSentInSmallParts() throws IOException {
        StringBuilder text = new StringBuilder("schedules:\n");
        for (int i = 0; i < 3; i++) {
            text.append("  - {name: s").append(i).append(", every: 30s, job: {type: poll, payload: ");
            text.append("x".repeat(1 << 20)).append("}}\n");
        }
        server.answer(BATCH, 200, items(CREATED));
        assertThat(run("apply", "-f", file(text.toString()).toString(), "--dry-run"))
                .as(err())
                .isZero();
        assertThat(server.requests).hasSize(3);
    }

    @Test
    void nothingIsAppliedWhenOneIsWrong() throws IOException {
        Path file = file("""
                schedules:
                  - {name: good, every: 30s, job: {type: poll}}
                  - {name: bad, cron: "61 * * * *", job: {type: poll}}
                  - {name: worse, cron: "62 * * * *", job: {type: poll}}
                """);
        String wrong =
                "{\"problem\":{\"code\":\"INVALID_ARGUMENT\",\"detail\":\"at position 1: no\",\"field\":\"cron\"}}";
        server.answer(BATCH, 200, items(CREATED, wrong, wrong));
        assertThat(run("apply", "-f", file.toString(), "--yes")).isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains("schedule bad: cron: at position 1", "1 more", "nothing was applied");
        assertThat(out()).contains("+ good (would be created)").doesNotContain("(created)");
        assertThat(server.requests).hasSize(1);
    }

    @Test
    void whatWasAppliedIsSaidWhenOneIsRefusedAfterAllWereFoundGood() throws IOException {
        Path file = file("""
                schedules:
                  - {name: good, every: 30s, job: {type: poll}}
                  - {name: many, every: 30s, job: {type: poll}}
                """);
        String full = "{\"problem\":{\"code\":\"SCHEDULE_LIMIT\",\"detail\":\"one too many\"}}";
        server.answer(BATCH, 200, items(CREATED, CREATED));
        server.answer(BATCH, 200, items(CREATED, full));
        assertThat(run("apply", "-f", file.toString(), "--yes")).isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains("schedule many: one too many; 1 of 2 were applied");
    }

    @Test
    void whatTheServerCannotReadIsNamedAsInTheFile() throws IOException {
        Path file = file("""
                schedules:
                  - {name: good, every: 30s, job: {type: poll}}
                  - {name: bad, croon: "@daily", job: {type: poll}}
                """);
        server.answer(
                BATCH,
                400,
                "{\"code\":\"UNKNOWN_FIELD\",\"detail\":\"no such field\",\"field\":\"schedules[1].spec.croon\"}");
        assertThat(run("apply", "-f", file.toString(), "--yes")).isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains("schedule bad: croon: no such field");
    }

    @Test
    void aFileThatCannotBeReadIsRefused() throws IOException {
        assertThat(run("apply", "-f", home.resolve("none.yaml").toString())).isEqualTo(ExitCode.USAGE);
        for (String text : new String[] {
            "schedules: [",
            "schedules: 5",
            "jobs: []",
            "schedules:\n  - {every: 30s}",
            "schedules:\n  - {name: a, every: 30s}\n  - {name: a, every: 30s}",
            "schedules:\n  - {name: a, name: b}",
            "schedules: &x\n  - {name: a, job: *x}"
        }) {
            assertThat(run("apply", "-f", file(text).toString())).as(text).isEqualTo(ExitCode.USAGE);
            assertThat(err()).isNotEmpty();
        }
        assertThat(server.requests).isEmpty();
    }
}
