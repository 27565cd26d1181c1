package dev.fairlane.dist;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What right a process has to a processor beside others. Where Linux puts every session into a scheduling group of its own ({@code autogroup}), one process
 * of the database weighs as much as all threads of the server together, so the server's have used up their share behind a flush and wait, however short
 * their slices are. The weight of such a group can be changed without rights, both ways, ten times a second.
 *
 * <p>A machine on which groups are made otherwise is left as it is.
 */
final class Weights {
    private static final Logger log = LoggerFactory.getLogger(Weights.class);

    /** As a nice level. */
    static final int USUAL = 0;

    /** A tenth of the usual weight. */
    static final int LOWERED = 10;

    private static final String GROUP = "/proc/%s/autogroup";
    private static final long AGAIN_MILLIS = 110;
    private static final int ATTEMPTS = 20;

    private final ExecutorService one = oneThread();

    private static ExecutorService oneThread() {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name("fairlane-weights").factory());
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /**
     * Of a process and all in its session, unless this program is in it too. One after the other, so what was wanted last counts.
     *
     * @return when it is done, whether it was
     */
    CompletableFuture<Boolean> set(long pid, int nice) {
        return CompletableFuture.supplyAsync(() -> attempt(Path.of(GROUP.formatted(pid)), nice), one);
    }

    private static boolean attempt(Path group, int nice) {
        Optional<String> other = name(group);
        if (other.isEmpty() || other.equals(name(Path.of(GROUP.formatted("self"))))) {
            return false;
        }
        for (int i = 0; i < ATTEMPTS; i++) {
            try {
                Files.writeString(group, Integer.toString(nice), StandardOpenOption.WRITE);
                return true;
            } catch (NoSuchFileException | AccessDeniedException e) {
                log.debug("{} cannot be changed", group, e);
                return false;
            } catch (IOException e) {
                log.debug("{} cannot be changed now", group, e);
            }
            if (!paused()) {
                return false;
            }
        }
        return false;
    }

    /** Somebody on this machine has just changed another. */
    private static boolean paused() {
        try {
            Thread.sleep(AGAIN_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Such as {@code /autogroup-19228}, the first word of the line. */
    private static Optional<String> name(Path group) {
        try {
            String name = Files.readString(group).split(" ", 2)[0];
            return name.isBlank() ? Optional.empty() : Optional.of(name);
        } catch (IOException goneOrUnknown) {
            return Optional.empty();
        }
    }
}
