package dev.fairlane.sdk;

import dev.fairlane.sdk.internal.BoundHandler;
import dev.fairlane.sdk.internal.Rpc;
import dev.fairlane.sdk.internal.WorkerLoop;
import dev.fairlane.sdk.internal.WorkerPlan;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs jobs. Holds one stream to the server, is given jobs while it has free slots, and runs each on its own virtual thread.
 *
 * <p><b>At least once.</b> A job may run more than once: a worker that dies or is cut off after doing the work, and before the
 * server heard of it, leaves the job to another. The package documentation says how handlers live with that.
 *
 * <p>What it does by itself: reconnects with growing, jittered pauses; keeps results until the server has acked them, over
 * reconnects; renews its leases; interrupts a handler at its time limit, some time after a cancel, and when its lease was revoked; and
 * when it cannot reach the server, stops its jobs before their leases run out, so that a job never runs twice at the same time.
 *
 * <p>{@link #close} and SIGTERM drain it: no new jobs, the running ones finish within {@link Builder#drainWindow}.
 */
public final class Worker implements AutoCloseable {
    private final Fairlane fairlane;
    private final String name;
    private final Rpc rpc;
    private final WorkerLoop loop;
    private final Thread thread;
    private @Nullable Thread shutdownHook;

    private Worker(Builder builder) {
        this.fairlane = builder.fairlane;
        this.name = builder.name;
        this.rpc = fairlane.openConnection();
        this.loop = new WorkerLoop(builder.plan(), rpc, fairlane.codec(), fairlane.workerClock());
        this.thread = Thread.ofPlatform()
                .name("fairlane-worker-" + name)
                .daemon(false)
                .unstarted(loop);
    }

    /** Prepares a worker that uses the address and the key of this client. */
    public static Builder of(Fairlane fairlane) {
        return new Builder(fairlane);
    }

    public String name() {
        return name;
    }

    /** Whether the server has welcomed it and the stream stands. */
    public boolean connected() {
        return loop.isConnected();
    }

    /** Jobs that run now. */
    public int running() {
        return loop.running();
    }

    /** Jobs whose outcome, good or bad, the server has taken and confirmed since this worker was started. */
    public long acked() {
        return loop.acked();
    }

    /**
     * Waits for the first welcome.
     *
     * @return this
     * @throws FairlaneException if the server refused the worker, or did not welcome it in time
     */
    public Worker awaitConnected(Duration timeout) {
        await(loop.connected(), timeout, "connected");
        return this;
    }

    /** Takes no more jobs from now on; returns at once. It ends after its last job: see {@link #awaitEnd}. */
    public void drain() {
        loop.drain();
    }

    /**
     * Ends it at once and tells nobody, as if its process had been killed: its handlers are interrupted, whatever they return is lost,
     * and the server gives its jobs to others when their leases are over. For tests of what a crash does; {@link #close} is how a
     * worker ends well.
     */
    public void kill() {
        loop.kill();
        close();
    }

    /**
     * The same, and says whether the running jobs are asked to save a checkpoint and hand over ({@link JobContext#handOverRequested})
     * instead of running to their end.
     */
    public void drain(boolean handOver) {
        loop.drain(handOver);
    }

    /**
     * Waits until it has ended: drained, or refused by the server.
     *
     * @throws FairlaneException if it was refused, or has not ended in time
     */
    public void awaitEnd(Duration timeout) {
        await(loop.ended(), timeout, "ended");
    }

    /** Done when the worker has ended, failed with a {@link FairlaneException} when the server refused it. */
    public CompletableFuture<Void> ended() {
        return loop.ended().copy();
    }

    /**
     * Drains and waits: no new jobs, running ones finish within the drain window, their results are acked. Jobs that do not
     * finish in time are interrupted and given back at no cost.
     */
    @Override
    public void close() {
        loop.drain();
        try {
            loop.ended().join();
        } catch (CompletionException alreadyReported) {
            // Why it ended was logged, and is what awaitEnd and ended() say; closing it has nothing to add.
        } finally {
            rpc.close();
            fairlane.belongings().remove(this);
            removeShutdownHook();
        }
    }

    private void start(boolean drainOnShutdown) {
        fairlane.belongings().add(this);
        if (drainOnShutdown) {
            Thread hook = Thread.ofPlatform().name("fairlane-drain-" + name).unstarted(this::close);
            Runtime.getRuntime().addShutdownHook(hook);
            shutdownHook = hook;
        }
        thread.start();
    }

    private void removeShutdownHook() {
        Thread hook = shutdownHook;
        if (hook != null && !hook.equals(Thread.currentThread())) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException shuttingDown) {
                return; // the hook is running or about to: it finds the worker closed
            }
        }
    }

    private void await(CompletableFuture<Void> event, Duration timeout, String what) {
        try {
            event.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new FairlaneException.TimedOut(
                    "WAIT_TIMED_OUT", "worker " + name + " is not " + what + " after " + timeout, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FairlaneException.TimedOut("INTERRUPTED", "interrupted while waiting for worker " + name, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof FairlaneException refused) {
                throw refused;
            }
            throw new FairlaneException("WORKER_FAILED", "worker " + name + " failed", false, null, e.getCause());
        }
    }

    @Override
    public String toString() {
        return "Worker[" + name + "]";
    }

    /** What a worker offers and how it behaves. Not thread-safe. */
    public static final class Builder {
        private final Fairlane fairlane;
        private final Map<String, BoundHandler<?>> handlers = new HashMap<>();
        private final Map<Pool, Integer> offers = new LinkedHashMap<>();
        private String name = defaultName();
        private Pool pool = Pool.SHORT;
        private Resources resources = Resources.NONE;
        private List<String> tags = List.of();
        private Consumer<JobContext> onCancel = context -> {};
        private Duration cancelGrace = Duration.ofSeconds(2);
        private @Nullable Duration drainWindow;
        private boolean handOverOnDrain = true;
        private boolean drainOnShutdown = true;

        private Builder(Fairlane fairlane) {
            this.fairlane = Objects.requireNonNull(fairlane, "fairlane");
        }

        /** Unique among the workers of a server. Default: host, process id and a random part. */
        public Builder name(String name) {
            this.name = name;
            return this;
        }

        /**
         * Offers slots in this pool: {@link #slots} sets how many, else the pool's default. Call it again for further pools.
         * Without any, the worker offers {@link Pool#SHORT}.
         */
        public Builder pool(Pool pool) {
            this.pool = pool;
            offers.putIfAbsent(pool, pool.defaultSlots());
            return this;
        }

        /** How many jobs may run at once in the pool named last. */
        public Builder slots(int slots) {
            if (slots < 1) {
                throw new IllegalArgumentException("expected at least one slot, but got " + slots);
            }
            offers.put(pool, slots);
            return this;
        }

        /** What its jobs may demand together. Default: nobody counts. */
        public Builder resources(Resources resources) {
            this.resources = resources;
            return this;
        }

        /** What it can do, by which jobs ask for it ({@link Job#requires}). */
        public Builder tags(String... tags) {
            this.tags = List.of(tags);
            return this;
        }

        /**
         * Handles jobs of a type.
         *
         * @param payloadClass what the payload is read as: any class Jackson can read, or {@link Payload}, {@code byte[]},
         *     {@code String} to have it as it is
         */
        public <T> Builder handle(String type, Class<T> payloadClass, Handler<T> handler) {
            if (handlers.putIfAbsent(type, new BoundHandler<>(payloadClass, handler)) != null) {
                throw new IllegalArgumentException(
                        "expected one handler per type, but got a second for '" + type + "'");
            }
            return this;
        }

        /** Called with the job, on a thread of its own, when a cancel for it arrives. See {@link JobContext#onCancel} too. */
        public Builder onCancel(Consumer<JobContext> onCancel) {
            this.onCancel = onCancel;
            return this;
        }

        /** How long a cancelled handler may go on before it is interrupted. Default 2 s. */
        public Builder cancelGrace(Duration cancelGrace) {
            this.cancelGrace = cancelGrace;
            return this;
        }

        /** How long running jobs may finish when the worker is closed. Default 30 s, and 24 h for one that offers {@link Pool#LONG}. */
        public Builder drainWindow(Duration drainWindow) {
            this.drainWindow = drainWindow;
            return this;
        }

        /**
         * Whether a worker that is closed asks its jobs to hand over ({@link JobContext#handOverRequested}). Handlers that do not look
         * run on within the drain window. Default yes.
         */
        public Builder handOverOnDrain(boolean handOverOnDrain) {
            this.handOverOnDrain = handOverOnDrain;
            return this;
        }

        /** Whether SIGTERM, and any other orderly end of the process, drains the worker first. Default yes. */
        public Builder drainOnShutdown(boolean drainOnShutdown) {
            this.drainOnShutdown = drainOnShutdown;
            return this;
        }

        /** Starts it. Does not wait for the server: see {@link Worker#awaitConnected}. */
        public Worker start() {
            if (handlers.isEmpty()) {
                throw new IllegalStateException("expected at least one handler, but got none");
            }
            Worker worker = new Worker(this);
            worker.start(drainOnShutdown);
            return worker;
        }

        private WorkerPlan plan() {
            Map<Pool, Integer> offered =
                    offers.isEmpty() ? Map.of(Pool.SHORT, Pool.SHORT.defaultSlots()) : Map.copyOf(offers);
            Duration window = drainWindow != null
                    ? drainWindow
                    : offered.containsKey(Pool.LONG) ? Duration.ofHours(24) : Duration.ofSeconds(30);
            return new WorkerPlan(
                    name, handlers, offered, resources, tags, onCancel, cancelGrace, window, handOverOnDrain);
        }

        private static String defaultName() {
            String host = System.getenv("HOSTNAME");
            return (host == null || host.isBlank() ? "worker" : host) + "-"
                    + ProcessHandle.current().pid() + "-"
                    + Integer.toHexString(ThreadLocalRandom.current().nextInt(0x1000, 0x10000));
        }
    }
}
