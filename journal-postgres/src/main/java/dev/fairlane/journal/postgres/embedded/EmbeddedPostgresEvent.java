package dev.fairlane.journal.postgres.embedded;

import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the operator should hear about the embedded PostgreSQL. */
public sealed interface EmbeddedPostgresEvent {

    /** The data folder is new. */
    record Initialised(Duration took) implements EmbeddedPostgresEvent {}

    /** PostgreSQL accepts connections; {@code adopted} means it had outlived the server that started it. */
    record Ready(long pid, int port, boolean adopted, Duration took) implements EmbeddedPostgresEvent {}

    /** A PostgreSQL of an earlier server was still running and could not be kept. */
    record OrphanStopped(long pid, String why) implements EmbeddedPostgresEvent {}

    /** PostgreSQL ended without being asked to. It is being started again. */
    record Died(long pid) implements EmbeddedPostgresEvent {}

    /** An attempt to start it again failed; the next one follows after {@code pause}. */
    record RestartFailed(Throwable cause, Duration pause) implements EmbeddedPostgresEvent {}

    /** PostgreSQL was stopped; not {@code clean} means the next start has to recover. */
    record Stopped(boolean clean, Duration took) implements EmbeddedPostgresEvent {}

    /** The listener of a configuration that names none: everything goes to the log. */
    static Consumer<EmbeddedPostgresEvent> logged() {
        Logger log = LoggerFactory.getLogger(EmbeddedPostgres.class);
        return event -> {
            switch (event) {
                case Initialised e -> log.info("embedded PostgreSQL initialised in {} ms", e.took.toMillis());
                case Ready e ->
                    log.info(
                            "embedded PostgreSQL ready on port {} (pid {}, {} in {} ms)",
                            e.port,
                            e.pid,
                            e.adopted ? "adopted" : "started",
                            e.took.toMillis());
                case OrphanStopped e ->
                    log.warn("stopped the PostgreSQL an earlier server left behind (pid {}): {}", e.pid, e.why);
                case Died e -> log.error("embedded PostgreSQL (pid {}) died; starting it again", e.pid);
                case RestartFailed e ->
                    log.error(
                            "embedded PostgreSQL did not come back; next attempt in {} ms",
                            e.pause.toMillis(),
                            e.cause);
                case Stopped e ->
                    log.info(
                            "embedded PostgreSQL stopped {} in {} ms",
                            e.clean ? "cleanly" : "by force",
                            e.took.toMillis());
            }
        };
    }
}
