package dev.fairlane.journal.postgres.embedded;

import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresEvent.Initialised;
import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresEvent.OrphanStopped;
import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresEvent.Ready;
import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Brings one home from whatever state it was left in to a PostgreSQL that answers. The caller holds the lock. */
final class Launcher {

    static final String DATABASE = "fairlane";

    private static final Duration POLL = Duration.ofMillis(5);
    private static final int PORT_ATTEMPTS = 5;

    /** SQLSTATE of a server that starts, recovers or stops. */
    private static final String CANNOT_CONNECT_NOW = "57P03";

    /** While the server runs, nothing is gained by killing a PostgreSQL that is still recovering: it would begin again. */
    private static final Duration RECOVERY = Duration.ofDays(1);

    record Started(Postmaster postmaster, boolean adopted) {}

    private final EmbeddedPostgresConfig config;
    private final DataFolder folder;
    private final FolderProcesses processes;
    private final PostgresBinaries binaries;
    private final RunAs runAs;
    private final Map<String, String> tuned;
    private final String password;
    private final boolean passwordIsNew;
    private int port;

    Launcher(EmbeddedPostgresConfig config) throws IOException, InterruptedException {
        this.config = config;
        this.folder = new DataFolder(config.home());
        this.processes = new FolderProcesses(folder.path());
        this.binaries = PostgresBinaries.unpacked(config.binaries());
        folder.requireUsable(binaries.major());
        this.runAs = RunAs.choose(config, folder.path(), binaries);
        this.tuned = MachineTuning.of(config.home()).settings(binaries.compressesWalWith("lz4", runAs));
        this.passwordIsNew = folder.passwordLost();
        this.password = folder.password();
    }

    int port() {
        return port;
    }

    String password() {
        return password;
    }

    static String jdbcUrl(int port, String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?sslmode=disable&gssEncMode=disable";
    }

    Started start() throws IOException, InterruptedException {
        long begin = System.nanoTime();
        Optional<Postmaster> orphan = adoptOrStopOrphan();
        if (orphan.isEmpty()) {
            prepare();
        }
        Postmaster postmaster = orphan.isPresent() ? orphan.get() : launchOnSomePort();
        try {
            makeDatabase();
        } catch (SQLException | RuntimeException e) {
            stop(postmaster);
            throw new IOException("PostgreSQL started, but its database could not be made: " + e.getMessage(), e);
        }
        config.listener().accept(new Ready(postmaster.pid(), port, orphan.isPresent(), EmbeddedPostgres.since(begin)));
        return new Started(postmaster, orphan.isPresent());
    }

    /** After a death: same port, same settings. The new process is told of before it is ready, so it can be stopped. */
    void relaunch(Consumer<Postmaster> launched) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        Postmaster postmaster = launch();
        launched.accept(postmaster);
        awaitReady(postmaster, RECOVERY);
        config.listener().accept(new Ready(postmaster.pid(), port, false, EmbeddedPostgres.since(begin)));
    }

    boolean stop(Postmaster postmaster) throws IOException, InterruptedException {
        return postmaster.stop(binaries, runAs, config.stopTimeout());
    }

    private Optional<Postmaster> adoptOrStopOrphan() throws IOException, InterruptedException {
        OptionalLong pid = processes.postmaster();
        if (pid.isEmpty()) {
            return Optional.empty();
        }
        Postmaster orphan = Postmaster.running(pid.getAsLong(), folder.path());
        String unfit = unfit(orphan);
        if (unfit == null) {
            return Optional.of(orphan);
        }
        stop(orphan);
        config.listener().accept(new OrphanStopped(orphan.pid(), unfit));
        return Optional.empty();
    }

    /** Why an orphan of this folder cannot be kept; null if it can. */
    private @Nullable String unfit(Postmaster orphan) throws IOException, InterruptedException {
        PostmasterFile file = PostmasterFile.read(folder.path()).orElse(new PostmasterFile(0, 0, ""));
        if (passwordIsNew) {
            return "its password is lost";
        }
        if (!Files.isSameFile(Path.of("/proc/" + orphan.pid() + "/exe"), binaries.postgres())) {
            return "it runs other binaries";
        }
        if (config.port().isPresent() && config.port().getAsInt() != file.port()) {
            return "it listens on port " + file.port();
        }
        port = file.port();
        if (!folder.hasSettings(settings())) {
            return "its settings are outdated";
        }
        return mute(orphan);
    }

    /**
     * Why an orphan does not answer for this folder; null if it does. One that is recovering from a killed backend is waited
     * for: told to stop in the middle of it, PostgreSQL was seen to hear nothing more until it was forced.
     */
    private @Nullable String mute(Postmaster orphan) throws InterruptedException {
        long begin = System.nanoTime();
        while (true) {
            try (Connection connection = connect()) {
                return servesThisFolder(connection) ? null : "its port is answered by another server";
            } catch (SQLException e) {
                boolean late = EmbeddedPostgres.since(begin).compareTo(config.startTimeout()) > 0;
                if (late || !orphan.alive() || !CANNOT_CONNECT_NOW.equals(e.getSQLState())) {
                    return "it does not answer: " + e.getMessage();
                }
            }
            Thread.sleep(POLL);
        }
    }

    /** Everything a postmaster needs to find before it can be started. */
    private void prepare() throws IOException, InterruptedException {
        if (folder.exists()) {
            folder.giveTo(runAs);
            clearRemains();
            if (passwordIsNew) {
                folder.resetPassword(binaries, runAs, password);
            }
            return;
        }
        long begin = System.nanoTime();
        folder.initialise(binaries, runAs, password);
        config.listener().accept(new Initialised(EmbeddedPostgres.since(begin)));
    }

    /**
     * Backends that outlived their postmaster go, and so does a {@code postmaster.pid} whose number now belongs to another
     * program, or to a dead postmaster its parent has not collected (in a container often nobody does): PostgreSQL would
     * take either for a running one. A file whose number is free stays: it leads PostgreSQL to the old shared memory, its
     * own second check.
     */
    private void clearRemains() throws IOException, InterruptedException {
        processes.killAll(Duration.ofSeconds(10));
        Optional<PostmasterFile> file = PostmasterFile.read(folder.path());
        if (file.isPresent() && FolderProcesses.known(file.get().pid())) {
            Files.delete(folder.path().resolve(PostmasterFile.NAME));
        }
    }

    private Postmaster launchOnSomePort() throws IOException, InterruptedException {
        Path memory = config.home().resolve("port");
        for (int attempt = 1; ; attempt++) {
            port = choosePort(memory, attempt);
            Postmaster postmaster = launch();
            try {
                awaitReady(postmaster, config.startTimeout());
                Folders.write(memory, port + "\n");
                return postmaster;
            } catch (EmbeddedPostgresException e) {
                postmaster.kill();
                // Between our look and PostgreSQL's bind somebody else may have taken the port.
                if (config.port().isPresent() || FreePort.isFree(port) || attempt == PORT_ATTEMPTS) {
                    throw e;
                }
            } catch (IOException | InterruptedException | RuntimeException e) {
                postmaster.kill();
                throw e;
            }
        }
    }

    private int choosePort(Path memory, int attempt) throws IOException {
        if (config.port().isPresent()) {
            int fixed = config.port().getAsInt();
            if (!FreePort.isFree(fixed)) {
                throw new EmbeddedPostgresException(
                        Reason.START,
                        "Port " + fixed + " was asked for the embedded PostgreSQL, but another program listens on it.");
            }
            return fixed;
        }
        if (attempt == 1 && Files.exists(memory)) {
            String last = Files.readString(memory).strip();
            if (last.matches("\\d{4,5}") && FreePort.isFree(Integer.parseInt(last))) {
                return Integer.parseInt(last);
            }
        }
        return FreePort.any();
    }

    private Postmaster launch() throws IOException, InterruptedException {
        clearRemains();
        folder.writeSettings(settings(), runAs);
        Path log = config.home().resolve("start.log");
        Postmaster postmaster = Postmaster.launch(binaries, runAs, folder.path(), log);
        Folders.inheritOwner(log);
        return postmaster;
    }

    private void awaitReady(Postmaster postmaster, Duration limit) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        long beginMillis = System.currentTimeMillis();
        while (true) {
            Optional<PostmasterFile> file = PostmasterFile.read(folder.path());
            if (file.isPresent()
                    && file.get().pid() == postmaster.pid()
                    && file.get().ready()) {
                return;
            }
            boolean late = EmbeddedPostgres.since(begin).compareTo(limit) > 0;
            if (late || !postmaster.alive()) {
                throw new EmbeddedPostgresException(
                        Reason.START,
                        "Expected PostgreSQL in " + folder.path() + " to become ready within " + limit + ", but it "
                                + (late ? "has not" : "ended") + ". Its last words: " + folder.lastWords(beginMillis));
            }
            Thread.sleep(POLL);
        }
    }

    /** Computed, then the caller's, then what nobody may change: a server that listens elsewhere is not ours. */
    private Map<String, String> settings() {
        Map<String, String> all = new LinkedHashMap<>(tuned);
        config.settings().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(e -> all.put(e.getKey(), e.getValue()));
        all.put("listen_addresses", "127.0.0.1");
        all.put("unix_socket_directories", "");
        all.put("port", Integer.toString(port));
        return all;
    }

    private void makeDatabase() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            if (!servesThisFolder(connection)) {
                throw new SQLException("port " + port + " is answered by another server");
            }
            try (ResultSet found =
                    statement.executeQuery("SELECT FROM pg_database WHERE datname = '" + DATABASE + "'")) {
                if (found.next()) {
                    return;
                }
            }
            statement.execute("CREATE DATABASE " + DATABASE);
        }
    }

    private boolean servesThisFolder(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW data_directory")) {
            return row.next() && Path.of(row.getString(1)).equals(folder.path());
        }
    }

    private Connection connect() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", DataFolder.SUPERUSER);
        properties.setProperty("password", password);
        properties.setProperty("connectTimeout", "5");
        properties.setProperty("socketTimeout", "30");
        return DriverManager.getConnection(jdbcUrl(port, "postgres"), properties);
    }
}
