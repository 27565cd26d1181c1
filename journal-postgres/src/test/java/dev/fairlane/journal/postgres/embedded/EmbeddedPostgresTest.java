package dev.fairlane.journal.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresException.Reason;
import dev.fairlane.journal.postgres.embedded.testing.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgresTest {

    @TempDir
    Path temp;

    private Path home;
    private EmbeddedPostgresConfig config;

    @BeforeEach
    void configure() {
        home = temp.resolve("home with 'odd' name");
        config = TestPostgres.config(home);
    }

    @Test
    void dataAndPortStayBetweenStarts() throws SQLException {
        int port;
        try (EmbeddedPostgres first = EmbeddedPostgres.start(config)) {
            port = first.port();
            Sql.run(first, "CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)");
        }
        try (EmbeddedPostgres second = EmbeddedPostgres.start(config)) {
            assertThat(second.adopted()).isFalse();
            assertThat(second.port()).isEqualTo(port);
            assertThat(Sql.ask(second, "SELECT n FROM kept")).isEqualTo("7");
        }
    }

    @Test
    void itIsDurableAndListensOnLoopbackOnly() throws SQLException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config)) {
            for (String on : List.of("fsync", "full_page_writes", "synchronous_commit", "data_checksums")) {
                assertThat(Sql.ask(postgres, "SHOW " + on)).as(on).isEqualTo("on");
            }
            assertThat(Sql.ask(postgres, "SHOW listen_addresses")).isEqualTo("127.0.0.1");
            assertThat(Sql.ask(postgres, "SHOW unix_socket_directories")).isEmpty();
            assertThat(Sql.ask(postgres, "SHOW server_encoding")).isEqualTo("UTF8");
            assertThat(Sql.ask(postgres, "SELECT count(*) FROM pg_file_settings WHERE error IS NOT NULL"))
                    .isEqualTo("0");
            assertThat(Sql.ask(postgres, "SELECT string_agg(DISTINCT auth_method, ',') FROM pg_hba_file_rules"))
                    .isEqualTo("scram-sha-256");
        }
    }

    @Test
    void onlyTheOwnerCanReadThePasswordAndTheData() throws IOException {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config)) {
            assertThat(permissions(home.resolve("password"))).isEqualTo("rw-------");
            assertThat(permissions(home.resolve("data"))).isEqualTo("rwx------");
            assertThat(permissions(home)).isEqualTo("rwx------");
            assertThat(postgres.password()).hasSizeGreaterThanOrEqualTo(32);
            assertThat(postgres.toString()).doesNotContain(postgres.password());
        }
    }

    @Test
    void aWrongPasswordIsRefused() {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config)) {
            assertThatThrownBy(() -> DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), "guess")
                            .close())
                    .hasMessageContaining("password authentication failed");
        }
    }

    @Test
    void aLostPasswordFileIsReplacedByItsOwner() throws SQLException, IOException {
        String old;
        try (EmbeddedPostgres first = EmbeddedPostgres.start(config)) {
            old = first.password();
            Sql.run(first, "CREATE TABLE kept (n int)");
        }
        Files.delete(home.resolve("password"));
        try (EmbeddedPostgres second = EmbeddedPostgres.start(config)) {
            assertThat(second.password()).isNotEqualTo(old);
            assertThat(Sql.ask(second, "SELECT count(*) FROM kept")).isEqualTo("0");
        }
    }

    @Test
    void aSecondServerOfTheSameProcessIsToldThatTheFolderIsInUse() throws SQLException {
        try (EmbeddedPostgres first = EmbeddedPostgres.start(config)) {
            assertRefused(Reason.IN_USE, () -> EmbeddedPostgres.start(config)).contains("already used");
            // Still held: a careless second look would have given the lock of the first away.
            assertRefused(Reason.IN_USE, () -> EmbeddedPostgres.start(config));
            assertThat(Sql.ask(first, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void dataOfAnotherMajorVersionAreRefusedUntouchedWithAdvice() throws IOException {
        EmbeddedPostgres.start(config).close();
        Path version = home.resolve("data/PG_VERSION");
        Files.writeString(version, "17\n");
        assertRefused(Reason.OTHER_VERSION, () -> EmbeddedPostgres.start(config))
                .contains("PostgreSQL 17", "pg_dump", "--db");
        Files.writeString(version, "18\n");
        EmbeddedPostgres.start(config).close();
    }

    @Test
    void aFolderOfSomethingElseIsRefused() throws IOException {
        Files.createDirectories(home.resolve("data"));
        Files.writeString(home.resolve("data/letters.txt"), "not a database");
        assertRefused(Reason.FOLDER, () -> EmbeddedPostgres.start(config)).contains("something else");
    }

    @Test
    void anInterruptedInitialisationIsBegunAgain() throws IOException {
        Files.createDirectories(home.resolve("initialising-123/data/base"));
        Files.createDirectories(home.resolve("data"));
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config)) {
            assertThat(postgres.port()).isPositive();
        }
        assertThat(home.resolve("initialising-123")).doesNotExist();
    }

    @Test
    void settingsAreRewrittenAtEveryStartAndTheOperatorsWin() throws SQLException, IOException {
        EmbeddedPostgres.start(config.withSetting("work_mem", "5MB")).close();
        Files.writeString(
                home.resolve("data/postgresql.conf"), "maintenance_work_mem = '99MB'\n", StandardOpenOption.APPEND);
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config.withSetting("work_mem", "6MB"))) {
            assertThat(Sql.ask(postgres, "SHOW work_mem")).isEqualTo("6MB");
            assertThat(Sql.ask(postgres, "SHOW maintenance_work_mem")).isEqualTo("99MB");
        }
    }

    @Test
    void aSettingPostgresDoesNotKnowFailsTheStartInItsOwnWords() {
        assertRefused(Reason.START, () -> EmbeddedPostgres.start(config.withSetting("no_such_thing", "1")))
                .contains("no_such_thing");
        // And leaves the folder free and usable.
        EmbeddedPostgres.start(config).close();
    }

    @Test
    void aTakenPortIsLeftAloneAndAnotherOneChosen() throws IOException {
        int first;
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config)) {
            first = postgres.port();
        }
        try (ServerSocket taken = new ServerSocket(first, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
                EmbeddedPostgres postgres = EmbeddedPostgres.start(config)) {
            assertThat(postgres.port()).isNotEqualTo(taken.getLocalPort());
        }
    }

    @Test
    void aFixedPortThatIsTakenIsSaid() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            assertRefused(Reason.START, () -> EmbeddedPostgres.start(config.withPort(taken.getLocalPort())))
                    .contains("another program listens");
        }
    }

    @Test
    void stoppingIsCleanAndDoneOnce() {
        List<EmbeddedPostgresEvent> events = new CopyOnWriteArrayList<>();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(config.withListener(events::add));
        long pid = postgres.pid();
        postgres.stop();
        postgres.stop();
        postgres.close();
        assertThat(FolderProcesses.running(pid)).isFalse();
        assertThat(events).hasSize(3);
        assertThat(events.get(0)).isInstanceOf(EmbeddedPostgresEvent.Initialised.class);
        assertThat(events.get(1)).isInstanceOf(EmbeddedPostgresEvent.Ready.class);
        assertThat(events.get(2))
                .isInstanceOfSatisfying(
                        EmbeddedPostgresEvent.Stopped.class,
                        stopped -> assertThat(stopped.clean()).isTrue());
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static AbstractStringAssert<?> assertRefused(Reason reason, ThrowingCallable start) {
        var refused = assertThatExceptionOfType(EmbeddedPostgresException.class)
                .isThrownBy(start)
                .actual();
        assertThat(refused.reason()).isEqualTo(reason);
        return assertThat(refused.getMessage());
    }
}
