package dev.fairlane.journal.postgres;

import dev.fairlane.journal.JournalFault;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Threads on which blocking work of one kind runs, in order where there is one thread. */
final class Lane implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
    private static final long PATIENCE_SECONDS = 10;

    private final ExecutorService threads;

    Lane(String name, int count) {
        AtomicInteger made = new AtomicInteger();
        threads = Executors.newFixedThreadPool(count, work -> {
            Thread thread = new Thread(work, "fairlane-" + name + (count == 1 ? "" : "-" + made.incrementAndGet()));
            thread.setDaemon(true);
            return thread;
        });
    }

    interface Work<T> {
        T run() throws SQLException;
    }

    interface Chore {
        void run() throws SQLException;
    }

    /** An SQL error that the work did not judge itself means that nothing happened. */
    <T> CompletableFuture<T> run(String what, Work<T> work) {
        CompletableFuture<T> future = new CompletableFuture<>();
        submit(what, future, () -> future.complete(work.run()));
        return future;
    }

    CompletableFuture<Void> perform(String what, Chore chore) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        submit(what, future, () -> {
            chore.run();
            future.complete(null);
        });
        return future;
    }

    private void submit(String what, CompletableFuture<?> future, Chore chore) {
        try {
            threads.execute(() -> {
                try {
                    chore.run();
                } catch (SQLException e) {
                    future.completeExceptionally(Faults.unavailable(what, e));
                } catch (Throwable e) {
                    future.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            future.completeExceptionally(new JournalFault.Unavailable(what + ": the journal is closed", e));
        }
    }

    /** Work nobody waits for and that is tried again another time. */
    void lend(String what, Chore chore) {
        perform(what, chore).exceptionally(e -> {
            LOG.debug("{}: put off", what, e);
            return null;
        });
    }

    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
