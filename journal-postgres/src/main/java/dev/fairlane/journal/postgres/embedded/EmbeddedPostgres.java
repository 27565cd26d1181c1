package dev.fairlane.journal.postgres.embedded;

import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

/**
 * A running embedded PostgreSQL. It keeps its port and its data, comes back by itself when it dies, and stops with
 * {@link #close()}. The package tells the whole story.
 *
 * <p>Thread-safe.
 */
public final class EmbeddedPostgres implements AutoCloseable {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final EmbeddedPostgresConfig config;
    private final FolderLock lock;
    private final Launcher launcher;
    private final boolean adopted;
    private final Thread watchdog;
    private volatile Postmaster postmaster;
    private volatile boolean stopping;
    private boolean stopped;

    private EmbeddedPostgres(
            EmbeddedPostgresConfig config, FolderLock lock, Launcher launcher, Launcher.Started started) {
        this.config = config;
        this.lock = lock;
        this.launcher = launcher;
        this.adopted = started.adopted();
        this.postmaster = started.postmaster();
        this.watchdog =
                Thread.ofPlatform().daemon().name("embedded-postgres-watchdog").unstarted(this::watch);
    }

    /**
     * Starts the PostgreSQL of a home folder, making it first if need be, or adopts the one an earlier server left behind.
     *
     * @throws EmbeddedPostgresException if it cannot be started; the reason says whose move it is
     */
    public static EmbeddedPostgres start(EmbeddedPostgresConfig config) {
        try {
            Path home = config.home();
            if (!Files.exists(home)) {
                Files.createDirectories(home);
                Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
            }
            FolderLock lock = FolderLock.take(home);
            try {
                Launcher launcher = new Launcher(config);
                EmbeddedPostgres postgres = new EmbeddedPostgres(config, lock, launcher, launcher.start());
                postgres.watchdog.start();
                return postgres;
            } catch (IOException | InterruptedException | RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (IOException e) {
            throw new EmbeddedPostgresException(
                    Reason.START, "The embedded PostgreSQL in " + config.home() + " did not start: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedPostgresException(
                    Reason.START, "Interrupted while starting the embedded PostgreSQL in " + config.home(), e);
        }
    }

    /** Of the database made for Fairlane. */
    public String jdbcUrl() {
        return jdbcUrl(Launcher.DATABASE);
    }

    /** Of another database of the same server. */
    public String jdbcUrl(String database) {
        return Launcher.jdbcUrl(launcher.port(), database);
    }

    public String user() {
        return DataFolder.SUPERUSER;
    }

    public String password() {
        return launcher.password();
    }

    /** Stays the same for the life of this object. */
    public int port() {
        return launcher.port();
    }

    /** Of the postmaster; changes when it had to be started again. */
    public long pid() {
        return postmaster.pid();
    }

    /** Whether it was found running, left behind by a server that had been killed. */
    public boolean adopted() {
        return adopted;
    }

    /** Stops PostgreSQL and gives up the home folder; a second call does nothing. */
    public synchronized void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        stopping = true;
        watchdog.interrupt();
        long begin = System.nanoTime();
        boolean interrupted = false;
        try (FolderLock held = lock) {
            while (watchdog.isAlive()) {
                try {
                    watchdog.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            // A caller that is being interrupted still wants a clean shutdown; it is bounded by the configuration.
            interrupted |= Thread.interrupted();
            boolean clean = launcher.stop(postmaster);
            config.listener().accept(new EmbeddedPostgresEvent.Stopped(clean, since(begin)));
        } catch (IOException e) {
            throw new EmbeddedPostgresException(
                    Reason.START, "The embedded PostgreSQL in " + config.home() + " did not stop: " + e, e);
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        stop();
    }

    @Override
    public String toString() {
        return "EmbeddedPostgres[home=" + config.home() + ", port=" + port() + "]";
    }

    private void watch() {
        try {
            while (!stopping) {
                postmaster.awaitExit();
                if (!stopping) {
                    config.listener().accept(new EmbeddedPostgresEvent.Died(postmaster.pid()));
                    bringBack();
                }
            }
        } catch (InterruptedException stop) {
            // Only stop() interrupts, and it takes over from here.
            return;
        }
    }

    /** Tries until it works: without its database the server has nothing else to do, and says so at every attempt. */
    private void bringBack() throws InterruptedException {
        Duration pause = FIRST_PAUSE;
        while (!stopping) {
            try {
                launcher.relaunch(fresh -> postmaster = fresh);
                return;
            } catch (IOException | RuntimeException e) {
                config.listener().accept(new EmbeddedPostgresEvent.RestartFailed(e, pause));
                Thread.sleep(pause);
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
            }
        }
    }

    static Duration since(long nanoTime) {
        return Duration.ofNanos(System.nanoTime() - nanoTime);
    }
}
