package dev.fairlane.journal.postgres;

import dev.fairlane.journal.JournalFault;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Threads on which blocking work of one kind runs, in order where there is one thread. */
final class Lane implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
    private static final long PATIENCE_SECONDS = 10;

    private final ExecutorService threads;
    /** Of a lane that has one only. */
    private volatile @Nullable Thread only;

    Lane(String name, int count) {
        this(name, count, () -> {});
    }

    /** @param begin what each thread does first */
    Lane(String name, int count, Runnable begin) {
        AtomicInteger made = new AtomicInteger();
        threads = Executors.newFixedThreadPool(count, work -> {
            Runnable begun = () -> {
                begin.run();
                work.run();
            };
            Thread thread = new Thread(begun, "fairlane-" + name + (count == 1 ? "" : "-" + made.incrementAndGet()));
            thread.setDaemon(true);
            only = count == 1 ? thread : null;
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

    /** Whoever is on the only thread already needs not wait for it. */
    private void submit(String what, CompletableFuture<?> future, Chore chore) {
        if (Thread.currentThread() == only) {
            attempt(what, future, chore);
            return;
        }
        try {
            threads.execute(() -> attempt(what, future, chore));
        } catch (RejectedExecutionException e) {
            future.completeExceptionally(new JournalFault.Unavailable(what + ": the journal is closed", e));
        }
    }

    private static void attempt(String what, CompletableFuture<?> future, Chore chore) {
        try {
            chore.run();
        } catch (SQLException e) {
            future.completeExceptionally(Faults.unavailable(what, e));
        } catch (Throwable e) {
            future.completeExceptionally(e);
        }
    }

    /** Other work for these threads, which must not throw. Once the lane is closed the caller does it, and what it asks of the lane fails. */
    void execute(Runnable work) {
        try {
            threads.execute(work);
        } catch (RejectedExecutionException e) {
            work.run();
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
