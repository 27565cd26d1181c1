package dev.fairlane.e2e.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairlane.bench.rig.Programs;
import dev.fairlane.bench.rig.Rig;
import dev.fairlane.bench.rig.RunningServer;
import dev.fairlane.e2e.launcher.Launcher.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands of {@code ./fairlane} against a real server and a real worker with shell handlers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Order(Integer.MAX_VALUE - 1)
class CommandsTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String NO_SUCH_JOB = "00000000-0000-7000-8000-000000000000";
    private static final int NOT_FOUND = 3;
    private static final int AUTH = 4;
    private static final int CONFLICT = 5;
    private static final int UNREACHABLE = 6;
    private static final int WAIT_TIMED_OUT = 124;

    private Rig rig;
    private Launcher fairlane;
    private Process worker;

    @BeforeAll
    void start(@TempDir Path folder) {
        Launcher.script();
        rig = Rig.prepare(Programs.here(List.of()), Map.of());
        RunningServer server = rig.startServer();
        fairlane = new Launcher(folder, Map.of("FAIRLANE_HOME", rig.home().toString(), "FAIRLANE_URL", server.url()));
        worker = fairlane.start(
                "worker.log",
                "worker",
                "--exec",
                "echo=cat",
                "--exec",
                "broken=echo it is broken >&2; exit 65",
                "--exec",
                "sleepy=exec sleep 60");
    }

    @AfterAll
    void stop() {
        if (worker != null) {
            Launcher.stop(worker);
        }
        if (rig != null) {
            rig.succeeded();
            rig.close();
        }
    }

    @Test
    void submitWithWaitPrintsTheResult() {
        Result result = fairlane.run("submit", "echo", "{\"hello\":\"world\"}", "--priority", "1", "--wait")
                .succeeded();
        assertThat(JSON.readTree(result.out())).isEqualTo(JSON.readTree("{\"hello\":\"world\"}"));
    }

    @Test
    void submitPrintsTheIdAndGetListAndWatchKnowIt() {
        String id = fairlane.run("submit", "echo", "{\"n\":1}").succeeded().line();
        assertThat(fairlane.run("job", "watch", id).succeeded().out()).contains("SUCCEEDED");
        assertThat(fairlane.run("job", "get", id).succeeded().out()).contains(id, "echo", "SUCCEEDED");
        JsonNode job = json("job", "get", id, "-o", "json");
        assertThat(job.get("state").asString()).isEqualTo("SUCCEEDED");
        assertThat(job.get("payload").get("n").asInt()).isEqualTo(1);
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(fairlane.run("job", "list", "-o", "name", "--type", "echo")
                                .succeeded()
                                .out())
                        .contains(id));
        assertThat(fairlane.run("job", "list").succeeded().out()).contains("SUCCEEDED");
    }

    @Test
    void aJobThatFailsMakesTheWaitFail() {
        Result result = fairlane.run("submit", "broken", "--wait");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("DEAD", "it is broken");
    }

    @Test
    void aWaitingJobIsCancelledAtOnce() {
        String id = fairlane.run("submit", "echo", "{}", "--delay", "1h")
                .succeeded()
                .line();
        assertThat(fairlane.run("job", "cancel", id).succeeded().out()).contains(id, "cancelled", "CANCELLED");
        assertThat(fairlane.run("job", "cancel", id).succeeded().out()).contains("already_done");
        Result watched = fairlane.run("job", "watch", id);
        assertThat(watched.exitCode()).isEqualTo(1);
        assertThat(watched.out()).contains("CANCELLED");
    }

    @Test
    void aRunningCommandIsStoppedByACancel() {
        String id = fairlane.run("submit", "sleepy").succeeded().line();
        await().atMost(Duration.ofSeconds(30)).until(() -> state(id).equals("RUNNING"));
        assertThat(fairlane.run("job", "cancel", id).succeeded().out()).contains("cancel_requested");
        await().atMost(Duration.ofSeconds(30)).until(() -> state(id).equals("CANCELLED"));
    }

    @Test
    void theAuditHoldsAndAnAlteredExportIsFound(@TempDir Path exports) throws IOException {
        fairlane.run("tenant", "put", "audited", "--weight", "20").succeeded();
        fairlane.run("tenant", "put", "audited", "--weight", "30").succeeded();
        fairlane.run("tenant", "put", "audited", "--weight", "30").succeeded();
        assertThat(fairlane.run("audit", "list", "--tenant", "audited")
                        .succeeded()
                        .out())
                .containsOnlyOnce("weight 20 → 30");
        assertThat(fairlane.run("audit", "verify").succeeded().out())
                .contains("chain audited: 2 entries hold", "chain (system): ");
        String head = fairlane.run("audit", "head", "--tenant", "audited", "-o", "name")
                .succeeded()
                .line();
        String export = fairlane.run("audit", "export").succeeded().out();
        Path good = Files.writeString(exports.resolve("good.ndjson"), export);
        fairlane.run("audit", "verify", "--file", good.toString(), "--head", head)
                .succeeded();
        Path bad = Files.writeString(exports.resolve("bad.ndjson"), export.replace("weight 20 → 30", "weight 20 → 21"));
        Result found = fairlane.run("audit", "verify", "--file", bad.toString());
        assertThat(found.exitCode()).isEqualTo(1);
        assertThat(found.err()).contains("chain audited: entry 2 is not what was written");
    }

    @Test
    void theCommandsOfTheGuideOfTheAuditWork(@TempDir Path exports) throws IOException {
        fairlane.run("tenant", "put", "acme", "--weight", "20").succeeded();
        List<String> commands = Files.readAllLines(Launcher.script().resolveSibling("docs/guides/audit.md")).stream()
                .filter(line -> line.startsWith("    ./fairlane audit ") && !line.contains("--head "))
                .map(line -> line.strip().substring("./fairlane ".length()))
                .toList();
        assertThat(commands).hasSizeGreaterThan(5);
        for (String command : commands) {
            int into = command.indexOf(" > ");
            String[] words = (into < 0 ? command : command.substring(0, into))
                    .replace("audit.ndjson", exports.resolve("audit.ndjson").toString())
                    .split(" ");
            Result result = fairlane.run(words).succeeded();
            if (into > 0) {
                Files.writeString(exports.resolve(command.substring(into + 3)), result.out());
            }
        }
    }

    @Test
    void whatIsNotThereExitsWith3() {
        Result result = fairlane.run("job", "get", NO_SUCH_JOB);
        assertThat(result.exitCode()).isEqualTo(NOT_FOUND);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("JOB_NOT_FOUND");
    }

    @Test
    void aKeyThatIsNotKnownExitsWith4() {
        assertThat(fairlane.with("FAIRLANE_KEY", "flk_not_a_key").run("status").exitCode())
                .isEqualTo(AUTH);
        assertThat(fairlane.with("FAIRLANE_HOME", rig.folder().resolve("nobody").toString())
                        .run("status")
                        .exitCode())
                .isEqualTo(AUTH);
    }

    @Test
    void anotherBodyUnderATakenKeyExitsWith5() {
        String id = fairlane.run("submit", "echo", "{\"n\":1}", "--key", "taken")
                .succeeded()
                .line();
        assertThat(fairlane.run("submit", "echo", "{\"n\":1}", "--key", "taken")
                        .succeeded()
                        .line())
                .isEqualTo(id);
        Result result = fairlane.run("submit", "echo", "{\"n\":2}", "--key", "taken");
        assertThat(result.exitCode()).isEqualTo(CONFLICT);
        assertThat(result.err()).contains("IDEMPOTENCY_KEY_REUSED");
    }

    @Test
    void aServerThatIsNotThereExitsWith6() {
        Result result = fairlane.run("status", "--url", "http://127.0.0.1:1");
        assertThat(result.exitCode()).isEqualTo(UNREACHABLE);
        assertThat(result.err()).contains("http://127.0.0.1:1");
    }

    @Test
    void aWaitThatTakesTooLongExitsWith124() {
        assertThat(fairlane.run("submit", "nobody_does_this", "--wait", "--timeout", "1s")
                        .exitCode())
                .isEqualTo(WAIT_TIMED_OUT);
    }

    @Test
    void aMistypedOptionExitsWith2() {
        assertThat(fairlane.run("submit", "echo", "--prioritee", "1").exitCode())
                .isEqualTo(2);
    }

    @Test
    void statusShowsServerTenantsAndWorkers() {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(fairlane.run("status").succeeded().out())
                                .contains("serving", "default", "short", "echo"));
        assertThat(json("status", "-o", "json").get("state").asString()).isEqualTo("serving");
    }

    @Test
    void configShowsWhatHoldsAndHidesSecrets() {
        Result result = fairlane.without("FAIRLANE_URL")
                .with("FAIRLANE_DB_URL", "jdbc:postgresql://db.example.com/fairlane")
                .with("FAIRLANE_DB_PASSWORD", "correct horse")
                .with("FAIRLANE_LISTEN_PORT", "9091")
                .run("config")
                .succeeded();
        assertThat(result.out()).contains("9091", "db.example.com", "pools").doesNotContain("correct horse");
    }

    @Test
    void anUnknownSettingStopsTheStartWithAHint() {
        Result result = fairlane.with("FAIRLANE_LISTEN_PROT", "9091").run("up");
        assertThat(result.exitCode()).isNotZero();
        assertThat(result.err()).contains("FAIRLANE_LISTEN_PROT", "FAIRLANE_LISTEN_PORT");
    }

    @Test
    void theHeapOfAServerKeepsHalfAGigabyteUnlessItsOptionsSayOtherwise() {
        Launcher told = fairlane.without("FAIRLANE_URL");
        String usual = told.with("FAIRLANE_JAVA_OPTS", "-Xlog:gc+init")
                .run("config")
                .succeeded()
                .out();
        assertThat(usual).contains("Heap Min Capacity: " + (memoryMegabytes(usual) < 4_000 ? "8M" : "512M"));
        String own = told.with("FAIRLANE_JAVA_OPTS", "-Xlog:gc+init -Xmx192m")
                .run("config")
                .succeeded()
                .out();
        assertThat(own).contains("Heap Min Capacity: 8M", "Heap Max Capacity: 192M");
    }

    private static long memoryMegabytes(String gcInit) {
        Matcher memory = Pattern.compile("Memory: (\\d+)M").matcher(gcInit);
        assertThat(memory.find()).as(gcInit).isTrue();
        return Long.parseLong(memory.group(1));
    }

    @Test
    void jobGetAnswersQuickly() {
        String id = fairlane.run("submit", "echo", "{}", "--wait", "-o", "name")
                .succeeded()
                .line();
        List<Long> millis = IntStream.range(0, 7)
                .mapToObj(i -> fairlane.run("job", "get", id).succeeded().took().toMillis())
                .sorted()
                .toList();
        System.out.println("./fairlane job get ID: median " + millis.get(3) + " ms of " + millis);
        // What is promised is half a second on an idle machine; this one may be shared with servers that are killed and
        // started.
        assertThat(millis.get(3)).isLessThan(15_000);
    }

    private String state(String id) {
        return json("job", "get", id, "-o", "json").get("state").asString();
    }

    private JsonNode json(String... arguments) {
        return JSON.readTree(fairlane.run(arguments).succeeded().out());
    }
}
