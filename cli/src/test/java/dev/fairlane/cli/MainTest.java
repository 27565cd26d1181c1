package dev.fairlane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MainTest extends CommandLineBed {
    private static final String JOB = """
            {"id":"j1","tenant":"default","type":"send_email","pool":"short","priority":1,"state":"SUCCEEDED",
             "payload":{"to":"a","n":12345678901234567890,"f":1.50},"submitted_at":"2026-01-01T00:00:00Z","attempt":2,
             "max_attempts":5,"worker":"w1","cancel_requested":false,"result":{"ok":true},"tags":{"team":"growth"},
             "attempts":[{"execution":1,"worker":"w0","failure_class":"APP_ERROR","message":"boom"}]}""";

    @Test
    void jobGetShowsASheetForPeople() {
        server.answer("GET /v1/jobs/j1", 200, JOB);

        assertThat(run("job", "get", "j1")).isZero();
        assertThat(out())
                .contains("Id           j1", "State        SUCCEEDED", "Attempt      2/5", "Tags         team=growth")
                .contains(
                        "Payload      {\"to\":\"a\",\"n\":12345678901234567890,\"f\":1.50}",
                        "Result       {\"ok\":true}")
                .contains("EXECUTION  WORKER", "1          w0", "APP_ERROR")
                .doesNotContain("\033");
        assertThat(err()).isEmpty();
        assertThat(server.requests.getFirst().header("Authorization")).isEqualTo("Bearer k1");
    }

    @Test
    void otherFormatsAreForPrograms() {
        server.answer("GET /v1/jobs/j1", 200, JOB);

        run("job", "get", "j1", "-o", "json");
        assertThat(out())
                .startsWith("{\n")
                .contains("\"n\" : 12345678901234567890")
                .endsWith("}\n");
        run("job", "get", "j1", "-o", "yaml");
        assertThat(out()).contains("state: \"SUCCEEDED\"", "team: \"growth\"");
        run("job", "get", "j1", "--output", "name");
        assertThat(out()).isEqualTo("j1\n");
    }

    @Test
    void coloursAreForTerminalsAndOnlyIfWanted() {
        server.answer("GET /v1/jobs/j1", 200, JOB);
        terminal = true;
        run("job", "get", "j1");
        assertThat(out()).contains("\033[32mSUCCEEDED\033[0m");

        environment.put("NO_COLOR", "1");
        run("job", "get", "j1");
        assertThat(out()).doesNotContain("\033");
    }

    @Test
    void exitCodesTellWhatHappened() {
        server.answer("GET /v1/jobs/none", 404, "{\"code\":\"JOB_NOT_FOUND\",\"detail\":\"there is no job none\"}");
        assertThat(run("job", "get", "none")).isEqualTo(3);
        assertThat(err()).isEqualTo("fairlane: there is no job none (JOB_NOT_FOUND)\n");
        assertThat(out()).isEmpty();

        server.answer("GET /v1/status?fresh=true", 401, "{\"code\":\"UNAUTHENTICATED\",\"detail\":\"unknown key\"}");
        assertThat(run("status")).isEqualTo(4);

        server.answer("POST /v1/jobs", 409, "{\"code\":\"IDEMPOTENCY_KEY_REUSED\",\"detail\":\"other body\"}");
        assertThat(run("submit", "t", "--key", "k")).isEqualTo(5);

        server.answer("GET /v1/jobs/busy", 503, "{\"code\":\"NOT_SERVING\",\"detail\":\"starting\"}");
        assertThat(run("job", "get", "busy")).isEqualTo(6);

        assertThat(run("job", "get")).isEqualTo(2);
        assertThat(run("job")).isEqualTo(2);
        assertThat(run("nonsense")).isEqualTo(2);
        assertThat(run("status", "--url", "ftp//x")).isEqualTo(2);
    }

    @Test
    void aServerThatIsNotThereIsSaidSo() {
        String url = server.url();
        server.close();

        assertThat(run("status", "--url", url)).isEqualTo(6);
        assertThat(err()).contains("cannot reach the server at " + url, "fairlane up");
    }

    @Test
    void theKeyComesFromTheEnvironmentAFileOrTheServersHome() throws IOException {
        server.answer("GET /v1/status?fresh=true", 200, "{}");
        environment.remove("FAIRLANE_KEY");
        assertThat(run("status")).isEqualTo(4);
        assertThat(err()).contains("no API key", "admin.key");

        Files.createDirectories(home.resolve(".fairlane"));
        Files.writeString(home.resolve(".fairlane/admin.key"), "from-home\n");
        assertThat(run("status")).isZero();
        assertThat(server.requests.getLast().header("Authorization")).isEqualTo("Bearer from-home");

        Path file = Files.writeString(home.resolve("key"), "from-file\n");
        assertThat(run("status", "--key-file", file.toString())).isZero();
        assertThat(server.requests.getLast().header("Authorization")).isEqualTo("Bearer from-file");
    }

    @Test
    void submitSendsEveryOption() {
        server.answer("POST /v1/jobs", 201, "{\"id\":\"j9\",\"state\":\"QUEUED\",\"existing\":false}");

        assertThat(run(
                        "submit",
                        "send_email",
                        "{\"to\":\"a@example.com\",\"n\":1.50}",
                        "--priority",
                        "1",
                        "--delay",
                        "10m",
                        "--not-after",
                        "2026-11-15T08:30:00+01:00",
                        "--key",
                        "k-1",
                        "--tag",
                        "a=b",
                        "--tag",
                        "c=d",
                        "--header",
                        "h=v",
                        "--unique-key",
                        "u-1",
                        "--lane",
                        "training",
                        "--max-age",
                        "2h",
                        "--exact",
                        "--max-attempts",
                        "3",
                        "--time-limit",
                        "2s",
                        "--tenant",
                        "acme"))
                .isZero();
        assertThat(out()).isEqualTo("j9\n");
        assertThat(body())
                .isEqualTo(
                        "{\"type\":\"send_email\",\"payload\":{\"to\":\"a@example.com\",\"n\":1.50},\"priority\":1,"
                                + "\"delay_ms\":600000,\"not_after\":\"2026-11-15T07:30:00Z\",\"idempotency_key\":\"k-1\","
                                + "\"unique_key\":\"u-1\",\"lane\":\"training\",\"max_age_ms\":7200000,\"exact\":true,"
                                + "\"tags\":{\"a\":\"b\",\"c\":\"d\"},\"headers\":{\"h\":\"v\"},\"max_attempts\":3,\"time_limit_ms\":2000}");
        assertThat(server.requests.getLast().header("Fairlane-tenant")).isEqualTo("acme");
    }

    @Test
    void thePayloadMayBeAFileOrStdinOrNotJson() throws IOException {
        server.answer("POST /v1/jobs", 201, "{\"id\":\"j9\",\"state\":\"QUEUED\",\"existing\":true}");
        Path file = Files.writeString(home.resolve("p.json"), "[1]");
        run("submit", "t", "@" + file);
        assertThat(body()).isEqualTo("{\"type\":\"t\",\"payload\":[1]}");
        assertThat(err()).contains("belongs to this job already");

        stdin = "2";
        run("submit", "t", "-");
        assertThat(body()).isEqualTo("{\"type\":\"t\",\"payload\":2}");

        assertThat(run("submit", "t", "hello")).isEqualTo(2);
        assertThat(err()).contains("the payload is not JSON", "--content-type");
        assertThat(run("submit", "t", "hello", "--content-type", "text/plain")).isZero();
        assertThat(body()).contains("\"payload_base64\":\"aGVsbG8=\",\"content_type\":\"text/plain\"");
        assertThat(run("submit", "t", "@" + home.resolve("missing"))).isEqualTo(2);
        assertThat(run("submit", "t", "1", "--delay", "soon")).isEqualTo(2);
        assertThat(err()).contains("--delay: expected a time span like 500ms");
    }

    @Test
    void waitMirrorsTheEndOfTheJob() {
        server.answer("POST /v1/jobs", 201, "{\"id\":\"j1\",\"state\":\"QUEUED\"}");
        server.answer("GET /v1/jobs/j1:await?timeout_ms=30000", 503, "{\"code\":\"NOT_SERVING\"}");
        server.answer("GET /v1/jobs/j1:await?timeout_ms=30000", 200, "{\"id\":\"j1\",\"state\":\"RUNNING\"}");
        server.answer("GET /v1/jobs/j1:await?timeout_ms=30000", 200, JOB);
        assertThat(run("submit", "t", "--wait")).isZero();
        assertThat(out()).isEqualTo("{\"ok\":true}\n");
        assertThat(err()).isEqualTo("Submitted j1\n");

        server.answer(
                "GET /v1/jobs/j1:await?timeout_ms=30000",
                200,
                "{\"id\":\"j1\",\"state\":\"DEAD\",\"failure\":{\"failure_class\":\"APP_ERROR\",\"message\":\"boom\"}}");
        run("submit", "t", "--wait");
        assertThat(run("submit", "t", "--wait")).isEqualTo(1);
        assertThat(err()).contains("job j1 ended DEAD: APP_ERROR: boom");
    }

    @Test
    void waitingHasATimeLimitOfItsOwn() {
        server.answer("POST /v1/jobs", 201, "{\"id\":\"j1\",\"state\":\"QUEUED\"}");
        server.answer("GET /v1/jobs/j1:await?timeout_ms=1", 200, "{\"id\":\"j1\",\"state\":\"RUNNING\"}");

        assertThat(run("submit", "t", "--wait", "--timeout", "0ms")).isEqualTo(124);
        assertThat(err()).contains("has not ended within");
    }

    @Test
    void watchPrintsEveryChange() {
        server.answer("GET /v1/jobs/j1:watch", 200, "text/event-stream", """
                id: 1
                data: {"id":"j1","state":"QUEUED","changed_at":"T1","attempt":0,"max_attempts":5}

                """);
        server.answer("GET /v1/jobs/j1:watch", 200, "text/event-stream", """
                id: 2
                data: {"id":"j1","state":"DEAD","changed_at":"T2","attempt":5,"max_attempts":5,"worker":"w1"}

                """);

        assertThat(run("job", "watch", "j1")).isEqualTo(1);
        assertThat(out()).isEqualTo("T1  QUEUED  attempt 0/5\nT2  DEAD  attempt 5/5  w1\n");
        assertThat(server.requests.getLast().header("Last-event-id")).isEqualTo("1");
    }

    @Test
    void listFollowsPagesUpToItsLimit() {
        server.answer(
                "GET /v1/jobs?state=QUEUED&state=RUNNING&type=t&page_size=3",
                200,
                "{\"jobs\":[{\"id\":\"a\"},{\"id\":\"b\"}],\"next_cursor\":\"c 1\"}");
        server.answer(
                "GET /v1/jobs?state=QUEUED&state=RUNNING&type=t&page_size=1&cursor=c%201",
                200, "{\"jobs\":[{\"id\":\"c\"}],\"next_cursor\":\"c2\"}");

        assertThat(run("job", "list", "--state", "queued,running", "--type", "t", "--limit", "3", "-o", "name"))
                .isZero();
        assertThat(out()).isEqualTo("a\nb\nc\n");
        run("job", "list", "--state", "queued,running", "--type", "t", "--limit", "3");
        assertThat(out()).startsWith("ID  TYPE");
        assertThat(err()).contains("There are more");
    }

    @Test
    void cancelTakesSeveralIds() {
        server.answer("POST /v1/jobs/a:cancel", 200, "{\"outcome\":\"cancelled\",\"state\":\"CANCELLED\"}");
        server.answer("POST /v1/jobs/b:cancel", 200, "{\"outcome\":\"already_done\",\"state\":\"SUCCEEDED\"}");

        assertThat(run("job", "cancel", "a", "b")).isZero();
        assertThat(out()).isEqualTo("a  cancelled  CANCELLED\nb  already_done  SUCCEEDED\n");
    }

    @Test
    void aBatchIsSentInPartsAndRefusalsNameTheirLine() throws IOException {
        StringBuilder jobs = new StringBuilder();
        for (int i = 0; i < 1_500; i++) {
            jobs.append("{\"type\":\"t\"}\n").append(i == 10 ? "\n" : "");
        }
        Path file = Files.writeString(home.resolve("jobs.ndjson"), jobs);
        server.answer(
                "POST /v1/jobs:stream",
                200,
                "application/x-ndjson",
                "{\"id\":\"x\",\"state\":\"QUEUED\"}\n".repeat(1_000));
        server.answer(
                "POST /v1/jobs:stream",
                200,
                "application/x-ndjson",
                "{\"id\":\"x\",\"state\":\"QUEUED\"}\n".repeat(499)
                        + "{\"problem\":{\"code\":\"UNKNOWN_FIELD\",\"field\":\"tipe\",\"detail\":\"not known\"}}\n");

        assertThat(run("submit", "--batch", file.toString(), "-o", "name")).isEqualTo(1);
        assertThat(out().lines()).hasSize(1_499);
        assertThat(err()).contains("line 1501: tipe: not known (UNKNOWN_FIELD)", "1,499 submitted, 1 refused");
        assertThat(server.requests).hasSize(2);
        assertThat(run("submit", "--batch", "missing.ndjson")).isEqualTo(2);
        assertThat(run("submit", "t", "--batch", file.toString())).isEqualTo(2);
    }

    @Test
    void statusShowsPoolsTenantsAndWorkers() {
        server.answer("GET /v1/status?fresh=true", 200, """
                {"version":"1","node":"n1","state":"serving","uptime_ms":61000,"submitted":1234,
                 "pools":[{"pool":"short","waiting":3,"running":2,"slots":50,"oldest_waiting_ms":1500}],
                 "tenants":[{"tenant":"acme","weight":20,"slot_seconds":1.25}],
                 "workers":[{"worker":"w1","types":["a","b"],"offers":[{"pool":"short","slots":50}],"draining":true}]}""");

        assertThat(run("status")).isZero();
        assertThat(out())
                .contains("State        serving", "1,234 submitted", "short  3        2        50     1s", "acme")
                .contains("w1 (draining)  short=50", "a b");
    }

    @Test
    void tenantsTypesAndKeysAreKept() {
        server.answer("PUT /v1/tenants/acme", 200, "{\"name\":\"acme\",\"weight\":20}");
        assertThat(run("tenant", "put", "acme", "--weight", "20")).isZero();
        assertThat(body()).isEqualTo("{\"weight\":20}");
        assertThat(out()).contains("Weight       20");

        server.answer("GET /v1/tenants", 200, "{\"tenants\":[{\"name\":\"acme\",\"tier\":\"pro\",\"weight\":20}]}");
        run("tenant", "list");
        assertThat(out()).isEqualTo("NAME  TIER  WEIGHT\nacme  pro   20\n");

        server.answer("PUT /v1/types/render", 200, "{\"name\":\"render\",\"pool\":\"long\"}");
        run("type", "put", "render", "--pool", "long", "--time-limit", "2h", "--tenant", "acme");
        assertThat(body()).isEqualTo("{\"pool\":\"long\",\"time_limit_ms\":7200000,\"tenant\":\"acme\"}");
        server.answer("PUT /v1/types/charge", 200, "{\"name\":\"charge\"}");
        run(
                "type",
                "put",
                "charge",
                "--retry-delay",
                "1s",
                "--retry-delay",
                "1m",
                "--retry-on",
                "IOException",
                "--depends-on",
                "stripe",
                "--dependency-cap",
                "stripe=20",
                "--breaker",
                "10,30,5s");
        assertThat(body())
                .isEqualTo("{\"pool\":\"short\",\"rules\":{\"retry_delays_ms\":[1000,60000],"
                        + "\"retry_on\":[\"IOException\"],\"dependencies\":[\"stripe\"],"
                        + "\"dependency_caps\":[{\"dependency\":\"stripe\",\"executions\":20}],"
                        + "\"breaker\":{\"runs\":10,\"failing_percent\":30,\"window_ms\":5000}}}");
        assertThat(run("type", "put", "charge", "--dependency-cap", "stripe")).isEqualTo(ExitCode.USAGE);
        assertThat(run("type", "put", "charge", "--unique", "args,queued")).isEqualTo(ExitCode.USAGE);
        run("type", "put", "charge", "--unique", "key,a_time,reject,10m", "--payload-schema", "{\"type\":\"object\"}");
        assertThat(body())
                .contains(
                        "\"unique\":{\"by\":\"key\",\"during\":\"a_time\",\"conflict\":\"reject\",\"period_ms\":600000}")
                .contains("\"payload_schema\":\"{\\\"type\\\":\\\"object\\\"}\"");
        server.answer("POST /v1/types/charge/release", 200, "{\"name\":\"charge\"}");
        assertThat(run("type", "release", "charge")).isZero();
        assertThat(err()).contains("Type charge is not in quarantine.");
        server.answer("GET /v1/types/charge", 200, "{\"name\":\"charge\",\"breakers\":[]}");
        assertThat(run("type", "get", "charge")).isZero();
        server.answer("GET /v1/types?tenant=acme", 200, "{\"types\":[{\"name\":\"render\"}]}");
        run("type", "list", "--tenant", "acme", "-o", "name");
        assertThat(out()).isEqualTo("render\n");

        server.answer("POST /v1/keys", 201, "{\"key\":{\"id\":\"k1\",\"name\":\"ci\"},\"secret\":\"s3cret\"}");
        run("key", "create", "ci", "--role", "submitter", "--tenant", "acme");
        assertThat(out()).isEqualTo("s3cret\n");
        assertThat(err()).contains("not shown again");
        server.answer("GET /v1/keys", 200, "{\"keys\":[{\"id\":\"k1\",\"name\":\"ci\",\"role\":\"submitter\"}]}");
        run("key", "list");
        assertThat(out()).contains("k1  ci");
        server.answer("DELETE /v1/keys/k1", 200, "{\"id\":\"k1\"}");
        assertThat(run("key", "revoke", "k1")).isZero();

        server.answer("GET /v1/webhooks/secret", 200, "{\"secret\":\"flwh_1\"}");
        run("webhook", "secret");
        assertThat(out()).isEqualTo("flwh_1\n");
        server.answer("POST /v1/webhooks/secret:rotate", 201, "{\"secret\":\"flwh_2\",\"previous\":\"flwh_1\"}");
        run("webhook", "secret", "--rotate", "--tenant", "acme");
        assertThat(out()).isEqualTo("flwh_2\n");
        assertThat(body()).isEqualTo("{\"tenant\":\"acme\"}");
    }

    @Test
    void helpNamesEverythingThereIs() {
        assertThat(run("--help")).isZero();
        assertThat(out()).contains("submit", "job", "status", "tenant", "completion", "worker", "124 wait timed out");
        assertThat(run("job", "get", "--help")).isZero();
        assertThat(out()).contains("--key-file");
    }

    @Test
    void completionIsAScriptForTheShell() {
        assertThat(run("completion", "bash")).isZero();
        assertThat(out()).contains("complete -F _complete_fairlane").contains("--max-attempts");
        run("completion", "zsh");
        assertThat(out()).startsWith("autoload").contains("bashcompinit");
    }
}
