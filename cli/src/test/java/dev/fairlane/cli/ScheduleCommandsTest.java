package dev.fairlane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Schedules from the command line, one by one and as a file. */
class ScheduleCommandsTest extends CommandLineBed {
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
        server.answer("PUT /v1/schedules/nightly?dry_run=true", 200, CREATED);
        server.answer("PUT /v1/schedules/poll?dry_run=true", 200, CHANGED);
        server.answer("PUT /v1/schedules/same?dry_run=true", 200, UNCHANGED);
        assertThat(run("apply", "-f", file.toString(), "--dry-run")).as(err()).isZero();
        assertThat(out())
                .contains(
                        "+ nightly (created)",
                        "~ poll (changed)",
                        "every_ms: 10000 → 30000",
                        "zone: UTC → (unset)",
                        "= same (unchanged)");
        assertThat(run("apply", "-f", file.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains("2 of 3", "--yes");
        assertThat(server.requests).hasSize(6);

        server.answer("PUT /v1/schedules/nightly", 200, CREATED);
        server.answer("PUT /v1/schedules/poll", 200, CHANGED);
        assertThat(run("apply", "-f", file.toString(), "--yes")).as(err()).isZero();
        assertThat(server.requests).hasSize(11);
        assertThat(server.requests.get(9).body())
                .isEqualTo(
                        "{\"cron\":\"0 2 * * *\",\"job\":{\"type\":\"report\",\"payload\":{\"of\":\"yesterday\",\"n\":[1,2.5,true,null]}}}");
        assertThat(server.requests.get(10).body()).isEqualTo("{\"job\":{\"type\":\"poll\"},\"every_ms\":30000}");
        assertThat(out()).contains("2 of 3 applied");
    }

    @Test
    void manyAreAppliedAtOnce() throws IOException {
        StringBuilder text = new StringBuilder("schedules:\n");
        for (int i = 0; i < 60_000; i++) {
            text.append("  - {name: s").append(i).append(", every: 30s, job: {type: poll, payload: {n: 1}}}\n");
        }
        assertThat(text.length()).as("more than the library takes by itself").isGreaterThan(3 << 20);
        server.answer("PUT /v1/schedules/s0?dry_run=true", 404, "{\"code\":\"TENANT_NOT_FOUND\"}");
        assertThat(run("apply", "-f", file(text.toString()).toString(), "--yes"))
                .isEqualTo(ExitCode.NOT_FOUND);
        assertThat(err()).contains("schedule s0");
        assertThat(server.requests).hasSizeLessThan(60_000);

        server.requests.clear();
        StringBuilder few = new StringBuilder("schedules:\n");
        for (int i = 0; i < 100; i++) {
            few.append("  - {name: f").append(i).append(", every: 30s, job: {type: poll}}\n");
            server.answer("PUT /v1/schedules/f" + i + "?dry_run=true", 200, i % 2 == 0 ? CREATED : UNCHANGED);
            server.answer("PUT /v1/schedules/f" + i, 200, CREATED);
        }
        assertThat(run("apply", "-f", file(few.toString()).toString(), "--yes"))
                .as(err())
                .isZero();
        assertThat(server.requests).hasSize(150);
        assertThat(out()).contains("+ f98 (created)", "= f99 (unchanged)", "50 of 100 applied");
        assertThat(out().indexOf("f10 ")).isLessThan(out().indexOf("f11 "));
    }

    @Test
    void nothingIsAppliedWhenOneIsWrong() throws IOException {
        Path file = file("""
                schedules:
                  - {name: good, every: 30s, job: {type: poll}}
                  - {name: bad, cron: "61 * * * *", job: {type: poll}}
                """);
        server.answer("PUT /v1/schedules/good?dry_run=true", 200, CREATED);
        server.answer(
                "PUT /v1/schedules/bad?dry_run=true",
                400,
                "{\"code\":\"INVALID_ARGUMENT\",\"detail\":\"at position 1: no\",\"field\":\"cron\"}");
        assertThat(run("apply", "-f", file.toString(), "--yes")).isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains("schedule bad: cron: at position 1");
        assertThat(server.requests).hasSize(2);
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
