package dev.fairlane.journal.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresEvent.Died;
import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresEvent.OrphanStopped;
import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresException.Reason;
import dev.fairlane.journal.postgres.embedded.testing.TestPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, really killed. */
class EmbeddedPostgresCrashTest {

    @TempDir
    Path temp;

    private final List<EmbeddedPostgresEvent> events = new CopyOnWriteArrayList<>();
    private Path home;
    private EmbeddedPostgresConfig config;

    @BeforeEach
    void configure() {
        home = temp.resolve("home");
        config = TestPostgres.config(home).withListener(events::add);
    }

    @AfterEach
    void leaveNothingRunning() throws IOException, InterruptedException {
        Path data = home.resolve("data");
        if (Files.exists(data)) {
            new FolderProcesses(data).killAll(Duration.ofSeconds(10));
        }
    }

    @Test
    void aKilledPostmasterComesBackOnTheSamePortWithAllCommits() throws SQLException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config)) {
            Sql.run(postgres, "CREATE TABLE kept (n int)");
            int port = postgres.port();
            for (int round = 1; round <= 3; round++) {
                Sql.run(postgres, "INSERT INTO kept VALUES (" + round + ")");
                long pid = postgres.pid();
                kill(pid);
                awaitAnswer(postgres);
                assertThat(postgres.pid()).isNotEqualTo(pid);
                assertThat(postgres.port()).isEqualTo(port);
                assertThat(Sql.ask(postgres, "SELECT count(*) FROM kept")).isEqualTo(Integer.toString(round));
                assertThat(events).contains(new Died(pid));
            }
        }
    }

    @Test
    void aBackendThatOutlivesItsPostmasterDoesNotKeepItAway() throws SQLException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config);
                Connection busy = Sql.connect(postgres);
                Statement statement = busy.createStatement()) {
            long backend = backendOf(statement);
            // A loop that never waits never notices that its postmaster has died.
            Thread.ofVirtual().start(() -> {
                try {
                    statement.execute("DO $$ BEGIN LOOP END LOOP; END $$");
                } catch (SQLException killed) {
                    // Expected: the watchdog kills it.
                    return;
                }
            });
            String active = "SELECT count(*) FROM pg_stat_activity WHERE pid = " + backend + " AND state = 'active'";
            await().until(() -> Sql.ask(postgres, active).equals("1"));
            kill(postgres.pid());
            awaitAnswer(postgres);
            assertThat(FolderProcesses.running(backend)).isFalse();
        }
    }

    @Test
    void aKilledBackendIsPostgresOwnBusiness() throws SQLException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config);
                Connection victim = Sql.connect(postgres);
                Statement statement = victim.createStatement()) {
            long pid = postgres.pid();
            kill(backendOf(statement));
            await().ignoreExceptionsInstanceOf(SQLException.class)
                    .untilAsserted(() -> assertThat(victim.isValid(5)).isFalse());
            awaitAnswer(postgres);
            assertThat(postgres.pid()).isEqualTo(pid);
        }
    }

    @Test
    void theOrphanOfAKilledServerIsAdoptedAndWatched() throws Exception {
        ServerProcess.Ready orphan = killedServer();
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config)) {
            assertThat(postgres.adopted()).isTrue();
            assertThat(postgres.pid()).isEqualTo(orphan.pid());
            assertThat(postgres.port()).isEqualTo(orphan.port());
            Sql.run(postgres, "CREATE TABLE kept (n int)");
            kill(orphan.pid());
            awaitAnswer(postgres);
            assertThat(Sql.ask(postgres, "SELECT count(*) FROM kept")).isEqualTo("0");
        }
        assertThat(new FolderProcesses(home.resolve("data")).all()).isEmpty();
    }

    @Test
    void anAdoptedOrphanIsStoppedWithItsNewServer() throws Exception {
        ServerProcess.Ready orphan = killedServer();
        EmbeddedPostgres.start(config).close();
        assertThat(FolderProcesses.running(orphan.pid())).isFalse();
    }

    @Test
    void anOrphanThatIsRecoveringIsWaitedFor() throws Exception {
        ServerProcess.Ready orphan = killedServer();
        kill(processTitled("checkpointer"));
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config)) {
            assertThat(postgres.adopted()).isTrue();
            assertThat(postgres.pid()).isEqualTo(orphan.pid());
            assertThat(Sql.ask(postgres, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void anOrphanWithOutdatedSettingsIsStoppedAndStartedAfresh() throws Exception {
        ServerProcess.Ready orphan = killedServer();
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config.withSetting("work_mem", "7MB"))) {
            assertThat(postgres.adopted()).isFalse();
            assertThat(postgres.port()).isEqualTo(orphan.port());
            assertThat(Sql.ask(postgres, "SHOW work_mem")).isEqualTo("7MB");
        }
        assertThat(events).contains(new OrphanStopped(orphan.pid(), "its settings are outdated"));
    }

    @Test
    void everythingKilledAtOnceIsRecovered() throws Exception {
        try (ServerProcess server = ServerProcess.start(home, TestPostgres.binaries())) {
            long pid = server.awaitReady().pid();
            server.kill();
            kill(pid);
        }
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config)) {
            assertThat(postgres.adopted()).isFalse();
            assertThat(Sql.ask(postgres, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void aSecondServerProcessIsToldThatTheFolderIsInUse() throws Exception {
        try (ServerProcess server = ServerProcess.start(home, TestPostgres.binaries())) {
            server.awaitReady();
            assertThatExceptionOfType(EmbeddedPostgresException.class)
                    .isThrownBy(() -> EmbeddedPostgres.start(config))
                    .withMessageContaining("another process")
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.IN_USE));
            assertThat(server.stop()).isZero();
        }
        EmbeddedPostgres.start(config).close();
    }

    @Test
    void aPidFileThatNamesThePostgresOfAnotherFolderIsNotBelieved() throws Exception {
        EmbeddedPostgres.start(config).close();
        Path other = temp.resolve("other");
        try (EmbeddedPostgres stranger = EmbeddedPostgres.start(TestPostgres.config(other))) {
            Files.copy(other.resolve("data/postmaster.pid"), home.resolve("data/postmaster.pid"));
            try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config)) {
                assertThat(postgres.adopted()).isFalse();
                assertThat(postgres.pid()).isNotEqualTo(stranger.pid());
                assertThat(Sql.ask(postgres, "SHOW data_directory"))
                        .isEqualTo(home.resolve("data").toString());
            }
            assertThat(Sql.ask(stranger, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void aPidFileWhoseNumberNowBelongsToAnotherProgramIsRemoved() throws Exception {
        EmbeddedPostgres.start(config).close();
        Files.writeString(
                home.resolve("data/postmaster.pid"),
                ProcessHandle.current().pid() + "\n" + home.resolve("data") + "\n0\n5432\n\n127.0.0.1\n\nready\n");
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config)) {
            assertThat(postgres.adopted()).isFalse();
            assertThat(Sql.ask(postgres, "SELECT 1")).isEqualTo("1");
        }
    }

    /** Leaves an orphan behind. */
    private ServerProcess.Ready killedServer() throws IOException, InterruptedException {
        try (ServerProcess server = ServerProcess.start(home, TestPostgres.binaries())) {
            ServerProcess.Ready ready = server.awaitReady();
            server.kill();
            assertThat(FolderProcesses.running(ready.pid())).isTrue();
            return ready;
        }
    }

    private static long backendOf(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
            assertThat(row.next()).isTrue();
            return row.getLong(1);
        }
    }

    private long processTitled(String role) throws IOException {
        for (long pid : new FolderProcesses(home.resolve("data")).all()) {
            if (Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1)
                    .contains(role)) {
                return pid;
            }
        }
        throw new AssertionError("there is no " + role);
    }

    private static void kill(long pid) {
        assertThat(ProcessHandle.of(pid).orElseThrow().destroyForcibly()).isTrue();
    }

    private static void awaitAnswer(EmbeddedPostgres postgres) {
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptionsInstanceOf(SQLException.class)
                .until(() -> Sql.ask(postgres, "SELECT 1").equals("1"));
    }
}
