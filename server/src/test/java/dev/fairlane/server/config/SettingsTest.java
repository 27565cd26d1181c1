package dev.fairlane.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.core.model.MoveRules;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.Resources;
import dev.fairlane.core.model.Usage;
import dev.fairlane.runtime.NodeConfig;
import dev.fairlane.server.config.Settings.Origin;
import dev.fairlane.server.config.Settings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
    @TempDir
    Path folder;

    @Test
    void defaultsAreTheNumbersOfTheContract() {
        ServerConfig config = ServerConfig.of(Settings.defaults());
        assertThat(config.node()).isEqualTo(NodeConfig.named("node-1"));
        assertThat(config.listen()).isEqualTo(new ServerConfig.Listen("127.0.0.1", 8080, Duration.ofSeconds(5)));
        assertThat(config.database().embedded()).isTrue();
        assertThat(config.log()).isEqualTo(new ServerConfig.Log("info", "text"));
        assertThat(config.home()).isEqualTo(Path.of(System.getProperty("user.home"), ".fairlane"));
    }

    @Test
    void flagsWinOverTheEnvironmentAndThatOverTheFile() throws IOException {
        Path file = write("listen:\n  port: 1\n  host: file\nlog:\n  level: debug\n");
        Settings settings = Settings.load(
                file,
                Map.of("FAIRLANE_LISTEN_PORT", "2", "FAIRLANE_LISTEN_HOST", "environment", "PATH", "/bin"),
                Map.of("listen.port", "3"));
        Map<String, Setting> byName = settings.all().stream()
                .collect(Collectors.toMap(setting -> setting.key().name(), setting -> setting));
        assertThat(byName.get("listen.port"))
                .extracting(Setting::text, Setting::origin)
                .containsExactly("3", Origin.FLAG);
        assertThat(byName.get("listen.host"))
                .extracting(Setting::text, Setting::origin, Setting::from)
                .containsExactly("environment", Origin.ENVIRONMENT, "FAIRLANE_LISTEN_HOST");
        assertThat(byName.get("log.level"))
                .extracting(Setting::text, Setting::origin)
                .containsExactly("debug", Origin.FILE);
        assertThat(byName.get("log.format")).extracting(Setting::origin).isEqualTo(Origin.DEFAULT);
    }

    @Test
    void theFileInTheHomeIsFoundByItself() throws IOException {
        Files.writeString(folder.resolve("fairlane.yaml"), "listen: {port: 4}\n");
        assertThat(Settings.load(null, Map.of(), Map.of("home", folder.toString()))
                        .get(Keys.LISTEN_PORT))
                .isEqualTo(4);
        assertThat(Settings.load(null, Map.of("FAIRLANE_HOME", folder.toString()), Map.of())
                        .get(Keys.LISTEN_PORT))
                .isEqualTo(4);
    }

    @Test
    void anUnknownKeyStopsTheStartWithAHint() throws IOException {
        Path file = write("listen:\n  prot: 1\n");
        assertThatThrownBy(() -> Settings.load(file, Map.of(), Map.of()))
                .isInstanceOf(CannotStart.class)
                .hasMessageContaining("unknown key listen.prot")
                .hasMessageContaining("did you mean listen.port?");
        assertThatThrownBy(() ->
                        Settings.load(null, Map.of("FAIRLANE_LISEN_PORT", "1"), Map.of("home", folder.toString())))
                .hasMessage("unknown environment variable FAIRLANE_LISEN_PORT; did you mean FAIRLANE_LISTEN_PORT?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "listen.port | 70000 | expected a whole number from 0 to 65535 for listen.port, but got '70000'",
                "engine.hold | 30 | expected a duration like",
                "engine.hold | -30s | expected a duration like",
                "engine.hold | 999999999999d | expected a duration like",
                "engine.retry_jitter | 1.5 | expected a number from 0 to 1",
                "engine.retry_delays | [1s, soon] | expected durations like",
                "log.format | xml | expected one of text, json",
                "node.max_resident | 3 parsecs | expected a size like",
                "flush.leave_out | 3m | expected a duration like 250ms or 10s, up to 2m",
            })
    void aValueOfAnotherFormStopsTheStart(String key, String text, String message) {
        assertThatThrownBy(() -> Settings.load(null, Map.of(), Map.of("home", folder.toString(), key, text)))
                .isInstanceOf(CannotStart.class)
                .hasMessageContaining(message);
    }

    @Test
    void onlyPlainYamlIsTaken() throws IOException {
        for (String text : new String[] {
            "listen: &here {port: 1}\n",
            "listen: {port: 1}\nlog: *here\n",
            "listen: {port: 1}\nlisten: {port: 2}\n",
            "listen: {port: 1, port: 2}\n",
            "- listen\n",
            "listen: [{port: 1}]\n",
            "a: {b: {c: {d: {e: {f: {g: {h: {i: {j: 1}}}}}}}}}\n",
            "listen: {port: 1}\n---\nlisten: {port: 2}\n",
            "listen: {port: 1\n"
        }) {
            Path file = write(text);
            assertThatThrownBy(() -> Settings.load(file, Map.of(), Map.of()))
                    .as(text)
                    .isInstanceOf(CannotStart.class);
        }
        assertThat(Settings.load(write("# nothing yet\n"), Map.of(), Map.of()).get(Keys.LISTEN_PORT))
                .isEqualTo(8080);
    }

    @Test
    void listsMayBeWrittenAsYamlLists() throws IOException {
        Path file = write("engine:\n  retry_delays:\n    - 2s\n    - 1m\n");
        assertThat(Settings.load(file, Map.of(), Map.of()).get(Keys.ENGINE_RETRY_DELAYS))
                .containsExactly(2_000_000L, 60_000_000L);
    }

    @Test
    void poolsMayBeAdded() throws IOException {
        Path file = write("""
                pools:
                  more: [gpu, a-b]
                  gpu: {lease: 2m, slots_per_worker: 4, retries: 1, time_limit: 6h, bound: 0s, estimate: 1h,
                        headroom_percent: 20, cpu_millis_per_slot: 8000, memory_per_slot: 64GiB, gpus_per_slot: 1}
                  short: {gpus_per_slot: 0}
                """);
        Settings settings =
                Settings.load(file, Map.of("FAIRLANE_POOLS_A_B_RETRIES", "9"), Map.of("pools.a-b.lease", "7s"));
        List<PoolRules> pools = ServerConfig.of(settings).node().engine().pools();
        assertThat(pools).extracting(PoolRules::name).containsExactly("short", "medium", "long", "gpu", "a-b");
        assertThat(pools.get(0).perSlot()).isEqualTo(new Resources(1_000, 1_024, 0));
        assertThat(pools.get(3))
                .isEqualTo(new PoolRules(
                        "gpu",
                        120_000_000,
                        4,
                        1,
                        6 * 3_600_000_000L,
                        0,
                        3_600_000_000L,
                        20,
                        new Resources(8_000, 65_536, 1)));
        assertThat(pools.get(4).retries()).isEqualTo(9);
        assertThat(pools.get(4).leaseMicros()).isEqualTo(7_000_000);
        assertThat(pools.get(4).boundMicros()).isZero();
        assertThat(settings.all()).extracting(setting -> setting.key().name()).contains("pools.gpu.lease");
    }

    @Test
    void whenTypesAreMovedIsASetting() throws IOException {
        Path file = write("moves: {violations: 7, runs: 70, violating_percent: 5, window: 10m, sticky: 2h}\n");
        assertThat(ServerConfig.of(Settings.load(file, Map.of(), Map.of()))
                        .node()
                        .engine()
                        .moves())
                .isEqualTo(new MoveRules(7, 70, 5, 600_000_000L, 7_200_000_000L));
        assertThatThrownBy(() -> with("moves.window", "1ms")).hasMessageContaining("at least 1s");
    }

    @Test
    void everyPoolHasPrices() throws IOException {
        Path file = write("""
                pools: {more: [gpu, batch]}
                usage:
                  currency: EUR
                  price:
                    job: 0.1
                    job_of: {gpu: 0.5}
                    slot_second: {short: 0.01, gpu: 2}
                """);
        ServerConfig.Billing billing =
                ServerConfig.of(Settings.load(file, Map.of(), Map.of())).billing();
        Usage used = new Usage(3, 10_000_000, 2, 0, 0, 0);
        assertThat(billing.amount("short", used)).isEqualByComparingTo("0.3");
        assertThat(billing.amount("gpu", used)).isEqualByComparingTo("21");
        assertThat(billing.amount("batch", used)).isEqualByComparingTo("0.2");
        assertThat(billing.amount("gone", used)).as("a pool of the past").isEqualByComparingTo("0.2");
        assertThatThrownBy(() -> with("usage.price.slot_second.gpu", "1"))
                .hasMessageContaining("unknown key usage.price.slot_second.gpu")
                .hasMessageContaining("pools.more");
        assertThatThrownBy(() -> with("usage.price.job_of.short", "cheap")).hasMessageContaining("expected a price");
    }

    @Test
    void aPoolThatIsNotNamedStopsTheStart() throws IOException {
        Path file = write("pools: {gpu: {lease: 2m}}\n");
        assertThatThrownBy(() -> Settings.load(file, Map.of(), Map.of()))
                .isInstanceOf(CannotStart.class)
                .hasMessageContaining("unknown key pools.gpu.lease")
                .hasMessageContaining("pools.more");
        for (String names : new String[] {"[short]", "[more]", "[gpu, gpu]", "[GPU]", "[a b]", "[a.b]", "[-a]"}) {
            assertThatThrownBy(() -> with("pools.more", names)).as(names).hasMessageContaining("names of pools");
        }
    }

    @Test
    void secretsAreHidden() {
        Settings settings = Settings.load(
                null,
                Map.of("FAIRLANE_DB_PASSWORD", "s3cret", "FAIRLANE_DB_URL", "jdbc:postgresql://db/x"),
                Map.of("home", folder.toString()));
        assertThat(settings.all())
                .extracting(Setting::shown)
                .contains("(hidden)")
                .doesNotContain("s3cret");
        assertThat(ServerConfig.of(settings).toString()).doesNotContain("s3cret");
        assertThat(ServerConfig.of(settings).database().password()).isEqualTo("s3cret");
    }

    @Test
    void valuesThatDoNotFitEachOtherStopTheStart() {
        assertThatThrownBy(() -> with("db.user", "me")).hasMessageContaining("need db.url");
        assertThatThrownBy(() -> with("db.url", "mysql://x")).hasMessageContaining("postgresql://");
        assertThatThrownBy(() -> with("engine.aging", "[1s]")).hasMessageContaining("one per priority");
    }

    @Test
    void theDatabaseMayBeNamedAsPostgresToolsDo() {
        ServerConfig.Database database = with("db.url", "postgresql://me:p%40ss@db.example:6432/jobs?sslmode=require")
                .database();
        assertThat(database.url()).isEqualTo("jdbc:postgresql://db.example:6432/jobs?sslmode=require");
        assertThat(database.user()).isEqualTo("me");
        assertThat(database.password()).isEqualTo("p@ss");
        assertThat(DatabaseUrl.shown("postgresql://me:p%40ss@db/jobs?password=x"))
                .isEqualTo("postgresql://me:(hidden)@db/jobs?password=(hidden)");
    }

    @Test
    void aFlagOfNoKeyIsSaidWithAHint() {
        assertThatThrownBy(() -> with("listen.pot", "1")).hasMessageContaining("did you mean listen.port?");
    }

    private ServerConfig with(String key, String text) {
        return ServerConfig.of(Settings.load(null, Map.of(), Map.of("home", folder.toString(), key, text)));
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("some.yaml"), text);
    }
}
