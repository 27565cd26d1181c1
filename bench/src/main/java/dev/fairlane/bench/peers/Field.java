package dev.fairlane.bench.peers;

import dev.fairlane.bench.peers.Fetching.Access;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.rig.Rig;
import dev.fairlane.journal.postgres.embedded.EmbeddedPostgres;
import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The peers that could be fetched, with a PostgreSQL as the server starts its own: same version, same settings, but for more connections,
 * because each peer has a pool, and fewer checkpoints. Every peer has a database to itself.
 */
public final class Field implements AutoCloseable {
    private static final String CONNECTIONS = "300";

    /** Four times the server's own: pages that are updated again and again go to the log as a whole after each checkpoint. */
    private static final String WAL = "4GB";

    private final Path folder;
    private final EmbeddedPostgres postgres;
    private final List<Contender> contenders = new ArrayList<>();
    private final Map<String, String> absent = new LinkedHashMap<>();
    /** An embedded PostgreSQL outlives whoever started it, and nobody would come back for this one. */
    private final Thread hook;

    private boolean succeeded;

    private Field(Path folder, EmbeddedPostgres postgres) {
        this.folder = folder;
        this.postgres = postgres;
        this.hook = new Thread(postgres::close, "peers-shutdown");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    public static List<String> names() {
        return Peer.ALL.stream().map(Peer::name).toList();
    }

    /** @param names of the peers that are to take part */
    public static Field gather(Path root, List<String> names) throws IOException {
        Path folder = Files.createTempDirectory(Files.createDirectories(root.resolve("bench/target/rig")), "peers-");
        EmbeddedPostgres postgres = EmbeddedPostgres.start(EmbeddedPostgresConfig.at(folder.resolve("postgres"))
                .withBinaries(root.resolve("bench/target/peers/binaries"))
                .withSetting("max_connections", CONNECTIONS)
                .withSetting("max_wal_size", WAL));
        Field field = new Field(folder, postgres);
        boolean done = false;
        try {
            List<Peer> chosen = Peer.ALL.stream()
                    .filter(peer -> names.contains(peer.name()))
                    .toList();
            Fetching fetching = new Fetching(root);
            field.gather(fetching, chosen.stream().filter(Peer::java).toList(), fetching::fetchJava);
            field.gather(fetching, chosen.stream().filter(peer -> !peer.java()).toList(), fetching::fetchNode);
            done = true;
            return field;
        } finally {
            if (!done) {
                field.close();
            }
        }
    }

    private void gather(Fetching fetching, List<Peer> peers, Runnable fetch) {
        if (peers.isEmpty()) {
            return;
        }
        try {
            fetch.run();
        } catch (RuntimeException e) {
            peers.forEach(peer -> leave(peer.name(), e));
            return;
        }
        for (Peer peer : peers) {
            try {
                contenders.add(LibraryContender.start(peer, fetching, database(peer), folder));
            } catch (RuntimeException | SQLException e) {
                leave(peer.name(), e);
            }
        }
    }

    private Access database(Peer peer) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + peer.identifier());
        }
        return new Access(postgres.port(), postgres.user(), postgres.password(), peer.identifier());
    }

    public List<Contender> contenders() {
        return List.copyOf(contenders);
    }

    /** A peer that could not take part, or could not go on, and why. */
    public Map<String, String> absent() {
        return absent;
    }

    /** Takes a peer out: one that fails must not cost the others their figures. */
    public void leave(String name, Exception why) {
        Progress.say("%s is out: %s", name, why);
        absent.put(name, why.toString().lines().findFirst().orElse(""));
        List<Contender> leaving =
                contenders.stream().filter(one -> one.name().equals(name)).toList();
        contenders.removeAll(leaving);
        leaving.forEach(Field::close);
    }

    /** Whatever one does when it is told to go, the others go on. */
    private static void close(Contender contender) {
        try {
            contender.close();
        } catch (RuntimeException e) {
            Progress.say("%s does not go: %s", contender.name(), e);
        }
    }

    /** Everything went well: the logs may go. */
    public void succeeded() {
        succeeded = absent.isEmpty();
    }

    @Override
    public void close() {
        contenders.forEach(Field::close);
        postgres.close();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            return;
        }
        if (succeeded) {
            Rig.delete(folder);
        } else {
            System.err.println("The logs of the peers are in " + folder);
        }
    }
}
