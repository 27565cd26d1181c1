package dev.fairlane.bench.load;

import dev.fairlane.sdk.Admin;
import dev.fairlane.sdk.DependencyFailedException;
import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobContext;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.SubmitStream;
import dev.fairlane.sdk.Worker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Jobs of one type at a fixed rate, a worker for them, and the outside system they need, which can be switched off. */
public final class Stormy implements AutoCloseable {
    private static final String TYPE = "pay";
    private static final String DEPENDENCY = "bank";
    private static final int SLOTS = 1_000;
    private static final long LOOK_NANOS = 50_000_000;
    /** Executions that had left the server before it knew of the opening. */
    private static final long UNDER_WAY_NANOS = 1_000_000_000;
    /** A probe every five seconds, the first after ten. */
    private static final long PROBE_NANOS = 5_000_000_000L;

    private final Fairlane client;
    private final Fairlane workers;
    private final Fairlane watcher;
    private final Admin admin;
    private final String tenant;
    private final Worker worker;
    private final Thread source;
    private final Thread look;
    private final int rate;
    private final AtomicLong retries = new AtomicLong();
    private volatile boolean over;
    private volatile boolean down;
    private volatile long downAt;
    private volatile long openAt;
    private volatile boolean open;

    private Stormy(String url, String submitterKey, String workerKey, String adminKey, String tenant, int rate) {
        this.rate = rate;
        this.tenant = tenant;
        client = Fairlane.connect(url, submitterKey);
        workers = Fairlane.connect(url, workerKey);
        watcher = Fairlane.connect(url, adminKey);
        admin = watcher.admin();
        worker = Worker.of(workers)
                .pool(Pool.SHORT)
                .slots(SLOTS)
                .handle(TYPE, byte[].class, this::pay)
                .start();
        source = Thread.ofPlatform().daemon().name("storm").start(this::offer);
        look = Thread.ofPlatform().daemon().name("storm-look").start(this::look);
    }

    public static Stormy begin(
            String url, String submitterKey, String workerKey, String adminKey, String tenant, int rate) {
        return new Stormy(url, submitterKey, workerKey, adminKey, tenant, rate);
    }

    private @Nullable Object pay(JobContext context, byte[] payload) {
        if (open && System.nanoTime() - openAt > UNDER_WAY_NANOS && context.attempt() > 1) {
            retries.incrementAndGet();
        }
        if (down) {
            throw new DependencyFailedException(DEPENDENCY, "the bank does not answer");
        }
        return null;
    }

    private void offer() {
        try (SubmitStream stream = client.submitter().batchSize(20).open()) {
            long begin = System.nanoTime();
            for (long i = 0; !over; i++) {
                long due = begin + i * 1_000_000_000L / rate;
                for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                stream.submit(Job.raw(TYPE, Payloads.of(due), Payload.JSON));
            }
        }
    }

    private void look() {
        while (!over) {
            boolean now = admin.types(tenant).stream()
                    .anyMatch(type -> type.name().equals(TYPE)
                            && type.breakers().stream()
                                    .anyMatch(breaker -> breaker.open()
                                            && breaker.dependency().equals(DEPENDENCY)));
            if (now && !open) {
                openAt = System.nanoTime();
            }
            open = now;
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** The outside system fails from now on. */
    public void down() {
        retries.set(0);
        openAt = 0;
        downAt = System.nanoTime();
        down = true;
    }

    /** From the first failing call to the open breaker; a minute stands for "not at all". */
    public double openedAfterSeconds() {
        return openAt == 0 ? 60 : (openAt - downAt) / 1e9;
    }

    /** The outside system works again. @return retries that ran while the breaker was open, beyond its probes */
    public long up() {
        down = false;
        long probes = openAt == 0 ? 0 : Math.max(0, System.nanoTime() - openAt) / PROBE_NANOS + 1;
        return Math.max(0, retries.get() - probes);
    }

    /** @return seconds until the breaker was closed */
    public double awaitClosed(Duration patience) {
        long begin = System.nanoTime();
        while (open && System.nanoTime() - begin < patience.toNanos()) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    /** Waits until the jobs that waited for the outside system have run: the next round begins as this one did. */
    public void settle() {
        long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (waiting() > rate && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private long waiting() {
        return watcher.status().tenants().stream()
                .filter(each -> each.tenant().equals(tenant))
                .mapToLong(each -> each.waiting() + each.scheduled())
                .sum();
    }

    @Override
    public void close() {
        over = true;
        try {
            source.join();
            look.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        worker.close();
        client.close();
        workers.close();
        watcher.close();
    }
}
