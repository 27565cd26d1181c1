package dev.fairlane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeadCommandTest extends CommandLineBed {
    private static final String JOB = """
            {"id":"j1","tenant":"default","type":"mail","state":"DEAD","execution":3,"ended_at":"2026-01-01T00:00:00Z",
             "failure":{"failure_class":"TIMEOUT","message":"too slow"},
             "attempts":[{"execution":1,"worker":"w0","failure_class":"TIMEOUT","message":"too slow","detail":"at A.b(A.java:1)"}],
             "replay":{"replayed_at":"2026-01-02T00:00:00Z","by":"ops","why":"fixed","count":2}}""";
    private static final String RUNNING = """
            {"id":"op-1-1","kind":"replay_dead","state":"running","expected":7,"done":2,"started_at":"2026-01-01T00:00:00Z"}""";
    private static final String DONE = """
            {"id":"op-1-1","kind":"replay_dead","state":"done","expected":7,"done":7,"filter":"dead letters of type mail",
             "started_at":"2026-01-01T00:00:00Z","ended_at":"2026-01-01T00:00:01Z"}""";
    private static final String COUNTED = "{\"kind\":\"replay_dead\",\"state\":\"dry_run\",\"expected\":7}";

    @Test
    void listShowsWhatTheyDiedOf() {
        server.answer(
                "GET /v1/dead-letters?type=mail&error_class=TIMEOUT&text=too%20slow&page_size=50",
                200, "{\"jobs\":[" + JOB + "]}");

        assertThat(run("dead", "list", "--type", "mail", "--class", "timeout", "--text", "too slow"))
                .isZero();
        assertThat(out()).contains("ID", "CLASS", "MESSAGE", "j1", "TIMEOUT", "too slow");
    }

    @Test
    void showHasAllAttemptsWithTheirDetail() {
        server.answer("GET /v1/jobs/j1", 200, JOB);

        assertThat(run("dead", "show", "j1")).isZero();
        assertThat(out())
                .contains("Execution 1:", "at A.b(A.java:1)")
                .contains("Replayed     2026-01-02T00:00:00Z by ops (time 2): fixed");
    }

    @Test
    void summaryCountsByTypeAndClass() {
        server.answer("GET /v1/dead-letters:summary", 200, """
                {"count":9,"last_hour":2,"groups":[{"tenant":"default","type":"mail","error_class":"TIMEOUT","count":9,"last_hour":2}]}""");

        assertThat(run("dead", "summary")).isZero();
        assertThat(out()).contains("mail", "TIMEOUT", "9", "LAST HOUR", "all");
    }

    @Test
    void oneIsReplayedWithAnotherPayload() {
        server.answer("POST /v1/jobs/j1:replay", 200, "{\"outcome\":\"replayed\",\"state\":\"QUEUED\"}");

        assertThat(run("dead", "replay", "j1", "--why", "typo", "--payload", "{\"n\":1}"))
                .isZero();
        assertThat(body()).isEqualTo("{\"why\":\"typo\",\"payload\":{\"n\":1}}");
        assertThat(out()).contains("j1  replayed  QUEUED");
    }

    @Test
    void oneThatIsNotDeadIsAConflict() {
        server.answer("POST /v1/jobs/j1:replay", 200, "{\"outcome\":\"not_dead\",\"state\":\"SUCCEEDED\"}");

        assertThat(run("dead", "replay", "j1", "--why", "w")).isEqualTo(ExitCode.CONFLICT);
    }

    @Test
    void manyAreReplayedAfterAQuestionAndFollowedToTheEnd() {
        server.answer("POST /v1/dead-letters:replay", 200, COUNTED)
                .answer("POST /v1/dead-letters:replay", 200, RUNNING)
                .answer("GET /v1/operations/op-1-1", 200, RUNNING)
                .answer("GET /v1/operations/op-1-1", 200, DONE);
        stdin = "y\n";

        assertThat(run("dead", "replay", "--type", "mail", "--rate", "5", "--canary", "2", "--why", "fixed"))
                .as(err())
                .isZero();
        assertThat(err()).contains("replay 7 jobs? [y/N]");
        assertThat(server.requests.get(1).body())
                .isEqualTo("{\"filter\":{\"type\":\"mail\"},\"rate\":5,\"canary\":2,\"why\":\"fixed\"}");
        assertThat(out()).contains("Operation    op-1-1", "State        done", "Done         7");
    }

    @Test
    void nothingIsDoneWithoutAYes() {
        server.answer("POST /v1/dead-letters:purge", 200, COUNTED);
        stdin = "\n";

        assertThat(run("dead", "purge", "--type", "mail", "--why", "old")).isEqualTo(ExitCode.FAILED);
        assertThat(server.requests).hasSize(1);
        assertThat(err()).contains("Nothing was done.");
    }

    @Test
    void aDryRunOnlyCounts() {
        server.answer("POST /v1/dead-letters:purge", 200, COUNTED);

        assertThat(run("dead", "purge", "--all", "--why", "old", "--dry-run")).isZero();
        assertThat(server.requests).hasSize(1);
        assertThat(server.requests.getFirst().body()).contains("\"dry_run\":true", "\"all\":true");
        assertThat(out()).contains("7 jobs");
    }

    @Test
    void aForgottenFilterIsNoFilter() {
        assertThat(run("dead", "purge", "--why", "old", "--yes")).isEqualTo(ExitCode.USAGE);
        assertThat(run("dead", "replay", "--why", "w", "--yes")).isEqualTo(ExitCode.USAGE);
        assertThat(run("dead", "replay", "--type", "mail", "--yes")).isEqualTo(ExitCode.USAGE);
        assertThat(server.requests).isEmpty();
    }

    @Test
    void operationsAreListedAndCancelled() {
        server.answer("GET /v1/operations", 200, "{\"operations\":[" + RUNNING + "]}")
                .answer("POST /v1/operations/op-1-1:cancel", 200, DONE.replace("done\",\"ex", "cancelled\",\"ex"));

        assertThat(run("operation", "list")).isZero();
        assertThat(out()).contains("op-1-1", "replay_dead", "running");
        assertThat(run("operation", "cancel", "op-1-1")).isZero();
        assertThat(out()).contains("cancelled");
    }
}
