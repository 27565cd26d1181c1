package dev.fairlane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Groups, results, and workers that are asked to go. */
class LongJobCommandsTest extends CommandLineBed {
    private static final String OPEN = """
            {"id":"g1","name":"night","state":"open","total":3,"succeeded":1,"failed":0}""";
    private static final String DONE = """
            {"id":"g1","name":"night","state":"done","total":3,"succeeded":3,"failed":0}""";

    @Test
    void aGroupIsMadeWithItsCallback() {
        server.answer("POST /v1/groups", 201, OPEN);

        assertThat(run(
                        "group",
                        "create",
                        "night",
                        "--callback",
                        "report",
                        "--callback-payload",
                        "{\"n\":1}",
                        "--all-succeeded",
                        "--tenant",
                        "acme"))
                .isZero();

        assertThat(out()).isEqualTo("g1\n");
        assertThat(body())
                .isEqualTo("{\"name\":\"night\",\"callback\":{\"type\":\"report\",\"payload\":{\"n\":1}},"
                        + "\"callback_on\":\"all_succeeded\"}");
        assertThat(run("group", "create", "--callback", "report", "--callback-payload", "{"))
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void aGroupIsShownSealedAndCancelled() {
        server.answer("GET /v1/groups/g1", 200, OPEN);
        server.answer("POST /v1/groups/g1:seal", 200, DONE.replace("done", "sealed"));
        server.answer("POST /v1/groups/g1:cancel", 200, "{\"cancelled\":2,\"next_cursor\":\"c2\"}");
        server.answer("POST /v1/groups/g1:cancel", 200, "{\"cancelled\":1}");

        assertThat(run("group", "get", "g1")).isZero();
        assertThat(out()).contains("name         night", "total        3");
        assertThat(run("group", "get", "g1", "-o", "name")).isZero();
        assertThat(out()).isEqualTo("g1\n");
        assertThat(run("group", "seal", "g1")).isZero();
        assertThat(out()).contains("sealed");
        assertThat(run("group", "cancel", "g1")).isZero();
        assertThat(body()).as("until there is no more").isEqualTo("{\"cursor\":\"c2\"}");
        assertThat(out()).contains("cancelled    2", "cancelled    1");
    }

    @Test
    void theJobsOfAGroupAreListedPageByPage() {
        server.answer(
                "GET /v1/groups/g1/jobs?page_size=100",
                200,
                "{\"jobs\":[{\"id\":\"j1\",\"type\":\"t\",\"state\":\"SUCCEEDED\",\"result\":7}],\"next_cursor\":\"c2\"}");
        server.answer(
                "GET /v1/groups/g1/jobs?page_size=100&cursor=c2",
                200,
                "{\"jobs\":[{\"id\":\"j2\",\"type\":\"t\",\"state\":\"RUNNING\"}]}");

        assertThat(run("group", "jobs", "g1")).isZero();

        assertThat(out()).contains("j1  t  SUCCEEDED  7", "j2  t  RUNNING");
    }

    @Test
    void aGroupIsWatchedUntilItIsDone() {
        server.answer("GET /v1/groups/g1", 200, OPEN);
        server.answer("GET /v1/groups/g1:await?timeout_ms=10000", 200, DONE);

        assertThat(run("group", "watch", "g1")).isZero();

        assertThat(err()).contains("open: 1 of 3 succeeded");
        assertThat(out()).contains("done");
        server.answer(
                "GET /v1/groups/nobody", 404, "{\"code\":\"GROUP_NOT_FOUND\",\"detail\":\"there is no such group\"}");
        assertThat(run("group", "watch", "nobody")).isEqualTo(ExitCode.NOT_FOUND);
    }

    @Test
    void aWorkerIsAskedToGo() {
        server.answer("POST /v1/workers/host%201:drain", 200, "{\"running\":3}");

        assertThat(run("worker", "drain", "host 1")).isZero();
        assertThat(body()).isEqualTo("{\"hand_over\":false}");
        assertThat(out()).isEqualTo("host 1 drains; it runs 3 jobs\n");
        assertThat(run("worker", "drain", "host 1", "--hand-over")).isZero();
        assertThat(body()).isEqualTo("{\"hand_over\":true}");

        server.answer(
                "POST /v1/workers/nobody:drain", 404, "{\"code\":\"WORKER_NOT_FOUND\",\"detail\":\"there is none\"}");
        assertThat(run("worker", "drain", "nobody")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(err()).contains("WORKER_NOT_FOUND");
    }

    @Test
    void aResultIsDownloadedAsItIs() throws IOException {
        server.answer("GET /v1/jobs/j1/result", 200, "text/csv", "a,b\n1,2\n");

        assertThat(run("job", "result", "j1")).isZero();
        assertThat(out()).isEqualTo("a,b\n1,2\n");
        Path file = Files.writeString(home.resolve("result.csv"), "what was there before");
        assertThat(run("job", "result", "j1", "--file", file.toString())).isZero();
        assertThat(file).hasContent("a,b\n1,2\n");
        assertThat(out()).isEmpty();
    }

    @Test
    void aResultThatIsNotThereLeavesTheFileAlone() throws IOException {
        server.answer("GET /v1/jobs/j2/result", 404, "{\"code\":\"RESULT_NOT_FOUND\",\"detail\":\"it has not ended\"}");
        Path file = Files.writeString(home.resolve("result.csv"), "what was there before");

        assertThat(run("job", "result", "j2", "-f", file.toString())).isEqualTo(ExitCode.NOT_FOUND);

        assertThat(err()).contains("RESULT_NOT_FOUND");
        assertThat(file).hasContent("what was there before");
    }
}
