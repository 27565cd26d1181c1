package dev.fairlane.journal.postgres.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Where the embedded PostgreSQL lives and how it is started.
 *
 * @param home folder of everything below; made if missing
 * @param binaries folder the binaries are unpacked into, one folder per version in it; may be shared between homes
 * @param port fixed port, or empty: the last one while it is free, else any free one below the ephemeral range
 * @param settings PostgreSQL settings laid over the ones computed for this machine
 * @param startTimeout bound of recovery and start together; default 2 minutes, enough for some gigabytes of WAL
 * @param stopTimeout bound of a fast shutdown, which writes a checkpoint, before it becomes an immediate one; default
 *     1 minute
 * @param rootMode how root is left when the server runs as root; ignored otherwise
 * @param listener hears of starts, deaths and restarts; called on the thread that notices
 */
public record EmbeddedPostgresConfig(
        Path home,
        Path binaries,
        OptionalInt port,
        Map<String, String> settings,
        Duration startTimeout,
        Duration stopTimeout,
        RootMode rootMode,
        Consumer<EmbeddedPostgresEvent> listener) {

    /** How a server running as root starts PostgreSQL, which refuses root. */
    public enum RootMode {
        /** As the owner of the data folder; in a user namespace while that is root and the kernel allows it. */
        AUTO,
        /** In a user namespace, or not at all. */
        USER_NAMESPACE,
        /** As an unprivileged user, who then owns the data folder. */
        SWITCH_USER
    }

    public EmbeddedPostgresConfig {
        home = home.toAbsolutePath().normalize();
        binaries = binaries.toAbsolutePath().normalize();
        settings = Map.copyOf(settings);
    }

    /** The defaults for a home folder. */
    public static EmbeddedPostgresConfig at(Path home) {
        return new EmbeddedPostgresConfig(
                home,
                home.resolve("binaries"),
                OptionalInt.empty(),
                Map.of(),
                Duration.ofMinutes(2),
                Duration.ofMinutes(1),
                RootMode.AUTO,
                EmbeddedPostgresEvent.logged());
    }

    public EmbeddedPostgresConfig withBinaries(Path folder) {
        return new EmbeddedPostgresConfig(home, folder, port, settings, startTimeout, stopTimeout, rootMode, listener);
    }

    public EmbeddedPostgresConfig withPort(int fixed) {
        return new EmbeddedPostgresConfig(
                home, binaries, OptionalInt.of(fixed), settings, startTimeout, stopTimeout, rootMode, listener);
    }

    /** Adds one setting, as in {@code postgresql.conf}. */
    public EmbeddedPostgresConfig withSetting(String name, String value) {
        Map<String, String> more = new TreeMap<>(settings);
        more.put(name, value);
        return new EmbeddedPostgresConfig(home, binaries, port, more, startTimeout, stopTimeout, rootMode, listener);
    }

    public EmbeddedPostgresConfig withTimeouts(Duration start, Duration stop) {
        return new EmbeddedPostgresConfig(home, binaries, port, settings, start, stop, rootMode, listener);
    }

    public EmbeddedPostgresConfig withRootMode(RootMode mode) {
        return new EmbeddedPostgresConfig(home, binaries, port, settings, startTimeout, stopTimeout, mode, listener);
    }

    public EmbeddedPostgresConfig withListener(Consumer<EmbeddedPostgresEvent> events) {
        return new EmbeddedPostgresConfig(home, binaries, port, settings, startTimeout, stopTimeout, rootMode, events);
    }
}
