package dev.fairlane.journal.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresConfig.RootMode;
import dev.fairlane.journal.postgres.embedded.testing.TestPostgres;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Root leaves root in two ways; an ordinary user needs neither. Only root can play both parts; for others the rest of the suite runs directly anyway. */
class EmbeddedPostgresUserTest {

    private static final int NOBODY = 65534;
    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");

    @TempDir
    Path temp;

    private Path home;

    @BeforeEach
    void openTheWay() throws IOException {
        home = temp.resolve("home");
        Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void rootInAUserNamespaceKeepsTheDataItsOwn() throws Exception {
        assumeRootWith("unshare", "-U", "true");
        try (EmbeddedPostgres postgres = start(RootMode.USER_NAMESPACE)) {
            Sql.run(postgres, "CREATE TABLE kept (n int)");
            assertThat(Folders.uid(home.resolve("data/base"))).isZero();
            assertThat(Folders.uid(home.resolve("data/postmaster.pid"))).isZero();
        }
        assertDataKept(RootMode.AUTO);
    }

    @Test
    void rootSwitchesToAnOrdinaryUserWhereNamespacesAreForbidden() throws Exception {
        assumeRootWith(AS_NOBODY, "true");
        try (EmbeddedPostgres postgres = start(RootMode.SWITCH_USER)) {
            Sql.run(postgres, "CREATE TABLE kept (n int)");
            assertThat(Folders.uid(home.resolve("data/postmaster.pid"))).isNotZero();
            assertThat(Folders.uid(home.resolve("password"))).isZero();
        }
        assertDataKept(RootMode.AUTO);
        assertDataKept(RootMode.SWITCH_USER);
    }

    @Test
    void dataMadeInANamespaceCanBeOpenedBySwitchingLater() throws Exception {
        assumeRootWith("unshare", "-U", "true");
        assumeRootWith(AS_NOBODY, "true");
        try (EmbeddedPostgres postgres = start(RootMode.USER_NAMESPACE)) {
            Sql.run(postgres, "CREATE TABLE kept (n int)");
        }
        assertDataKept(RootMode.SWITCH_USER);
        assertDataKept(RootMode.AUTO);
    }

    @Test
    void rootReachesThroughAFolderThatIsClosedToOthers() throws Exception {
        assumeRootWith(AS_NOBODY, "true");
        Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwx------"));
        try (EmbeddedPostgres postgres = start(RootMode.SWITCH_USER)) {
            assertThat(Sql.ask(postgres, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void anOrdinaryUserStartsKillsAdoptsAndStops() throws Exception {
        assumeRootWith(AS_NOBODY, "true");
        String classPath = readableClassPath();
        Path binaries = temp.resolve("nobody/binaries");
        Path nobodys = temp.resolve("nobody/home");
        Files.createDirectories(nobodys);
        Folders.give(temp.resolve("nobody"), NOBODY, NOBODY);

        ServerProcess.Ready orphan;
        try (ServerProcess server = ServerProcess.start(AS_NOBODY, classPath, nobodys, binaries)) {
            orphan = server.awaitReady();
            server.kill();
        }
        assertThat(Folders.uid(nobodys.resolve("password"))).isEqualTo(NOBODY);
        assertThat(Folders.uid(nobodys.resolve("data/base"))).isEqualTo(NOBODY);
        try (ServerProcess server = ServerProcess.start(AS_NOBODY, classPath, nobodys, binaries)) {
            assertThat(server.awaitReady()).isEqualTo(new ServerProcess.Ready(orphan.port(), orphan.pid(), true));
            assertThat(server.stop()).isZero();
        }
        assertThat(FolderProcesses.running(orphan.pid())).isFalse();

        // Root may use it in between, and what root leaves there stays the user's.
        Files.delete(nobodys.resolve("port"));
        try (EmbeddedPostgres postgres =
                EmbeddedPostgres.start(TestPostgres.config(nobodys).withBinaries(binaries))) {
            assertThat(Sql.ask(postgres, "SELECT 1")).isEqualTo("1");
        }
        try (Stream<Path> tree = Files.walk(nobodys)) {
            assertThat(tree).allSatisfy(path -> assertThat(Folders.uid(path)).isEqualTo(NOBODY));
        }
        try (ServerProcess server = ServerProcess.start(AS_NOBODY, classPath, nobodys, binaries)) {
            assertThat(server.awaitReady().adopted()).isFalse();
            assertThat(server.stop()).isZero();
        }
    }

    @Test
    void anOrdinaryUserIsRefusedTheDataOfAnother() throws Exception {
        assumeRootWith(AS_NOBODY, "true");
        start(RootMode.AUTO).close();
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.setPosixFilePermissions(home.resolve("lock"), PosixFilePermissions.fromString("rw-rw-rw-"));
        try (ServerProcess server =
                ServerProcess.start(AS_NOBODY, readableClassPath(), home, TestPostgres.binaries())) {
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(server::awaitReady)
                    .withMessageContaining("belongs to user id 0, but this server runs as user id " + NOBODY);
        }
    }

    private EmbeddedPostgres start(RootMode mode) {
        return EmbeddedPostgres.start(TestPostgres.config(home).withRootMode(mode));
    }

    private void assertDataKept(RootMode mode) throws SQLException {
        try (EmbeddedPostgres postgres = start(mode)) {
            assertThat(Sql.ask(postgres, "SELECT count(*) FROM kept")).isEqualTo("0");
        }
    }

    /** The build's own class path may lie in a folder only its owner can enter. */
    private String readableClassPath() throws IOException {
        Path copy = Files.createDirectories(temp.resolve("classpath"));
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path source = Path.of(entry);
            if (Files.exists(source)) {
                Path target = copy.resolve(entries.size() + "-" + source.getFileName());
                copy(source, target);
                entries.add(target.toString());
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    private static void copy(Path source, Path target) throws IOException {
        List<Path> all;
        try (Stream<Path> tree = Files.walk(source)) {
            all = tree.toList();
        }
        for (Path path : all) {
            Files.copy(path, target.resolve(source.relativize(path).toString()));
        }
    }

    private static void assumeRootWith(List<String> prefix, String command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(prefix);
        all.add(command);
        assumeRootWith(all.toArray(String[]::new));
    }

    private static void assumeRootWith(String... command) throws IOException, InterruptedException {
        assumeTrue(Identity.ofThisProcess().root(), "needs root");
        assumeTrue(Commands.run(List.of(command), Duration.ofSeconds(10)).ok(), "impossible here: " + command[0]);
    }
}
