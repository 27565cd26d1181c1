package dev.fairlane.dist;

import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.postgres.PostgresConfig;
import dev.fairlane.journal.postgres.PostgresJournal;
import dev.fairlane.journal.postgres.embedded.EmbeddedPostgres;
import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresConfig;
import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresEvent;
import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresException;
import dev.fairlane.objects.LocalDisk;
import dev.fairlane.objects.ObjectFault;
import dev.fairlane.objects.ObjectStore;
import dev.fairlane.objects.S3Store;
import dev.fairlane.runtime.NodeConfig;
import dev.fairlane.server.FairlaneServer;
import dev.fairlane.server.RunningNode;
import dev.fairlane.server.api.AuditCalls;
import dev.fairlane.server.auth.AdminKey;
import dev.fairlane.server.auth.KeyRing;
import dev.fairlane.server.config.CannotStart;
import dev.fairlane.server.config.ServerConfig;
import dev.fairlane.server.fault.Faults;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything of one running server. */
final class Installation implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Installation.class);

    /** Of the heap, what jobs stored lately may take whatever the settings say. */
    private static final int RECENT_PART_OF_HEAP = 32;

    /** The same for idempotency keys, which take some 100 bytes each. */
    private static final int KEYS_PART_OF_HEAP = 4;

    private static final int BYTES_OF_A_KEY = 100;

    private final ServerConfig config;
    private final InstantSource clock = InstantSource.system();
    private final SecureRandom random = new SecureRandom();
    private final Slices slices = Slices.ofThisMachine();
    /** What is to be closed, the next one first. */
    private final Deque<AutoCloseable> started = new ArrayDeque<>();

    private @Nullable EmbeddedPostgres postgres;
    private CompletableFuture<String> ended = new CompletableFuture<>();
    private AdminKey.Found found = AdminKey.Found.KEPT;
    private Path keyFile = Path.of("");
    private int port;

    private Installation(ServerConfig config) {
        this.config = config;
    }

    /** @throws CannotStart after everything that had started was stopped again */
    static Installation start(ServerConfig config, boolean newAdminKey) {
        Installation installation = new Installation(config);
        try {
            installation.begin(newAdminKey);
            return installation;
        } catch (RuntimeException e) {
            installation.close();
            throw understood(e);
        }
    }

    private void begin(boolean newAdminKey) {
        makeHome(config.home());
        // Before the journal is taken over: two servers on one database and one port must not end with none.
        requireFreePort(config.listen());
        slices.lengthenOwn();
        PostgresJournal journal =
                PostgresJournal.connect(database(), config.database().embedded() ? slices : slices.ofThreadsOnly());
        started.push(journal);
        if (!journal.unsafe().isEmpty() && !config.database().allowUnsafe()) {
            throw new CannotStart("this PostgreSQL can lose acknowledged jobs: " + String.join("; ", journal.unsafe())
                    + " (start anyway with --set db.allow_unsafe=true)");
        }
        RunningNode running = RunningNode.start(journal, bounded(config.node()));
        started.push(running);
        ended = running.ended();
        FairlaneServer.ensureDefaultTenant(running.node());
        KeyRing keys = new KeyRing(running.node().keys());
        keys.refresh().join();
        AdminKey adminKey = new AdminKey(config.home(), keys, random);
        found = adminKey.ensure(
                newAdminKey, clock.millis() * 1_000, id -> AuditCalls.keyMadeAtStart(running.node(), id));
        keyFile = adminKey.file();
        ObjectStore store = objects(config.objects());
        FairlaneServer server = FairlaneServer.start(
                running.node(),
                keys,
                config.listen(),
                config.node().engine().pools(),
                config.webhooks(),
                random,
                clock,
                store,
                config.objects().rules(),
                config.billing());
        port = server.port();
        running.reachable();
        started.remove(running);
        started.push(store);
        started.push(server);
        started.push(running); // the node stops first and tells workers and callers so
    }

    private static ObjectStore objects(ServerConfig.Objects config) {
        return config.s3() == null ? LocalDisk.open(config.folder()) : S3Store.open(config.s3());
    }

    private PostgresConfig database() {
        ServerConfig.Database database = config.database();
        if (!database.embedded()) {
            return bounded(PostgresConfig.of(database.url(), database.user(), database.password()));
        }
        EmbeddedPostgresConfig wanted = EmbeddedPostgresConfig.at(data())
                .withListener(EmbeddedPostgresEvent.logged().andThen(this::heard));
        if (database.binaries() != null) {
            wanted = wanted.withBinaries(database.binaries());
        }
        EmbeddedPostgres embedded = EmbeddedPostgres.start(wanted);
        started.push(embedded);
        postgres = embedded;
        return bounded(PostgresConfig.of(embedded.jdbcUrl(), embedded.user(), embedded.password()));
    }

    private void heard(EmbeddedPostgresEvent event) {
        if (event instanceof EmbeddedPostgresEvent.Ready ready) {
            slices.lengthenAllOf(ready.pid());
        }
    }

    private static NodeConfig bounded(NodeConfig base) {
        EngineConfig engine = base.engine();
        EngineConfig.Keys keys = engine.keys();
        long room = Runtime.getRuntime().maxMemory() / KEYS_PART_OF_HEAP / BYTES_OF_A_KEY;
        return base.withEngine(engine.withKeys(
                new EngineConfig.Keys(keys.retentionMicros(), keys.spanMicros(), (int) Math.min(keys.max(), room))));
    }

    private PostgresConfig bounded(PostgresConfig base) {
        long room = Runtime.getRuntime().maxMemory() / RECENT_PART_OF_HEAP;
        return base.withReadConnections(config.database().readConnections())
                .withRecentBytes(Math.min(config.database().maxRecentBytes(), room));
    }

    ServerConfig config() {
        return config;
    }

    int port() {
        return port;
    }

    AdminKey.Found found() {
        return found;
    }

    Path keyFile() {
        return keyFile;
    }

    /** Where the embedded PostgreSQL keeps its data. */
    Path data() {
        return config.home().resolve("postgres");
    }

    @Nullable EmbeddedPostgres postgres() {
        return postgres;
    }

    /** Completes when the node is over: empty after a stop, else why it lost its log. */
    CompletableFuture<String> ended() {
        return ended;
    }

    @Override
    public synchronized void close() {
        long begun = System.nanoTime();
        boolean any = !started.isEmpty();
        while (!started.isEmpty()) {
            AutoCloseable next = started.pop();
            try {
                next.close();
            } catch (Exception e) {
                log.warn("{} did not stop cleanly", next.getClass().getSimpleName(), e);
            }
        }
        if (any) {
            log.info(
                    "stopped in {} ms",
                    Duration.ofNanos(System.nanoTime() - begun).toMillis());
        }
    }

    private static void makeHome(Path home) {
        try {
            if (!Files.exists(home)) {
                Files.createDirectories(home);
                Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
            }
        } catch (IOException e) {
            throw new CannotStart("cannot make the folder " + home + ": " + e, e);
        }
    }

    private static void requireFreePort(ServerConfig.Listen listen) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getByName(listen.host()), listen.port()));
        } catch (UnknownHostException e) {
            throw new CannotStart("cannot listen on " + listen.host() + ": there is no such host", e);
        } catch (IOException e) {
            throw new CannotStart(
                    "cannot listen on " + listen.host() + ":" + listen.port() + ": " + e.getMessage()
                            + "; choose another with --port",
                    e);
        }
    }

    /** One line for what an operator can mend; anything else keeps its stack trace, because it is our bug. */
    private static RuntimeException understood(RuntimeException failure) {
        return switch (Faults.unwrap(failure)) {
            case CannotStart known -> known;
            case EmbeddedPostgresException known -> new CannotStart(String.valueOf(known.getMessage()), known);
            case ObjectFault known -> new CannotStart("the object store cannot be used: " + known.getMessage(), known);
            case JournalFault known -> new CannotStart("the database cannot be used: " + known.getMessage(), known);
            case CompletionException other -> other;
            case RuntimeException other -> other;
            case Throwable other -> new IllegalStateException(other);
        };
    }
}
