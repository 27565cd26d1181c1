package dev.fairlane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Changing, pausing and bulk from the command line. */
class ControlCommandsTest extends CommandLineBed {
    private static final String OK = "{\"outcome\":\"ok\",\"state\":\"QUEUED\",\"revision\":1}";

    @Override
    int run(String... arguments) {
        stdin = "{\"n\":3}";
        return super.run(arguments);
    }

    @Test
    void aJobIsChanged() {
        server.answer("POST /v1/jobs/j1:update?if_revision=3", 200, OK);

        assertThat(run(
                        "job",
                        "update",
                        "j1",
                        "--priority",
                        "1",
                        "--payload",
                        "-",
                        "--lane",
                        "imports",
                        "--run-at",
                        "2026-11-15T08:30:00Z",
                        "--not-after",
                        "never",
                        "--tag",
                        "a=b",
                        "--if-revision",
                        "3"))
                .isZero();
        assertThat(body())
                .isEqualTo("{\"priority\":1,\"payload\":{\"n\":3},\"run_at\":\"2026-11-15T08:30:00Z\","
                        + "\"clear_not_after\":true,\"lane\":\"imports\",\"tags\":{\"a\":\"b\"}}");
        assertThat(out()).isEqualTo("j1  ok  QUEUED\n");
    }

    @Test
    void aStaleRevisionIsAConflict() {
        server.answer(
                "POST /v1/jobs/j1:update?if_revision=0",
                412,
                "{\"code\":\"REVISION_CONFLICT\",\"detail\":\"expected job j1 at revision 0\"}");

        assertThat(run("job", "update", "j1", "--priority", "1", "--if-revision", "0"))
                .isEqualTo(ExitCode.CONFLICT);
        assertThat(err()).contains("REVISION_CONFLICT");
    }

    @Test
    void nothingToChangeIsAMistake() {
        assertThat(run("job", "update", "j1")).isEqualTo(ExitCode.USAGE);
        assertThat(run("job", "update", "j1", "--run-at", "soon")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void aJobIsPrioritizedMovedPausedAndResumed() {
        server.answer("POST /v1/jobs/j1:update", 200, OK);
        server.answer("POST /v1/jobs/j1:pause", 200, OK);
        server.answer("POST /v1/jobs/j1:resume", 200, OK);

        assertThat(run("job", "prioritize", "j1", "0")).isZero();
        assertThat(body()).isEqualTo("{\"priority\":0}");
        assertThat(run("job", "move", "j1", "slow")).isZero();
        assertThat(body()).isEqualTo("{\"lane\":\"slow\"}");
        assertThat(run("pause", "job", "j1")).isZero();
        assertThat(run("resume", "job", "j1")).isZero();
    }

    @Test
    void aTypeIsPausedAndResumedAndListed() {
        server.answer("POST /v1/pauses", 200, "{\"kind\":\"type\",\"name\":\"mail\",\"paused\":true,\"why\":\"down\"}");
        server.answer("POST /v1/pauses:end", 200, "{\"kind\":\"type\",\"name\":\"mail\",\"paused\":false}");
        server.answer(
                "GET /v1/pauses",
                200,
                "{\"pauses\":[{\"kind\":\"type\",\"name\":\"mail\",\"tenant\":\"default\",\"by\":\"ops\",\"why\":\"down\"}]}");

        assertThat(run("pause", "type", "mail", "--why", "down")).isZero();
        assertThat(body()).isEqualTo("{\"kind\":\"type\",\"name\":\"mail\",\"why\":\"down\"}");
        assertThat(out()).isEqualTo("type mail  paused\n");
        assertThat(run("pauses")).isZero();
        assertThat(out()).contains("mail", "ops", "down");
        assertThat(run("resume", "type", "mail")).isZero();
        assertThat(out()).isEqualTo("type mail  not paused\n");
        assertThat(run("pause", "house", "x")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void manyAreCancelledOnceSaidYes() {
        server.answer("POST /v1/jobs:bulk", 200, "{\"id\":\"op-1\",\"state\":\"running\"}");
        server.answer(
                "GET /v1/operations/op-1",
                200,
                "{\"id\":\"op-1\",\"state\":\"done\",\"done\":7,\"skipped\":0,\"failed\":0}");

        assertThat(run("jobs", "cancel", "--type", "x", "--tag", "k=v")).isEqualTo(ExitCode.USAGE);
        assertThat(run("jobs", "cancel", "--type", "x", "--tag", "k=v", "--yes"))
                .isZero();
        assertThat(server.requests.get(0).body())
                .isEqualTo("{\"action\":\"cancel\",\"filter\":{\"type\":\"x\",\"tags\":{\"k\":\"v\"}},"
                        + "\"why\":\"\",\"rate\":0}");
        assertThat(out()).isEqualTo("op-1  done  7 done, 0 skipped, 0 failed\n");
        assertThat(run("jobs", "prioritize", "9", "--all", "--yes", "--no-wait"))
                .isZero();
        assertThat(body()).contains("\"all\":true", "\"change\":{\"priority\":9}");
    }

    @Test
    void theBarShowsHowFarItIs() {
        assertThat(BulkCommands.bar(1_234, 2_468)).isEqualTo("[###############               ] 1,234 of 2,468");
        assertThat(BulkCommands.bar(5, -1)).isEqualTo("5");
    }
}
