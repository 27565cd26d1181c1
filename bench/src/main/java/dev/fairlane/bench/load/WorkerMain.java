package dev.fairlane.bench.load;

import dev.fairlane.bench.load.Orders.Order;
import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.JobContext;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The worker process: a handler that does nothing. Arguments: address, key, file of the {@link Tally}.
 *
 * <p>A job counts as finished when the server has acked its result, which it does after the commit.
 */
public final class WorkerMain {
    private static final long HIGHEST_NANOS = 60_000_000_000L;
    private static final long AWAIT_NANOS = 1_000_000;

    /** A thread that wakes a thousand times a second takes an eighth of a processor on a small virtual machine. */
    private static final long TALLY_NANOS = 4_000_000;

    private final String url;
    private final String key;
    private final Tally tally;
    private final Histogram pickup = new ConcurrentHistogram(HIGHEST_NANOS, 3);
    private final LongAdder started = new LongAdder();
    private final AtomicLong firstNanos = new AtomicLong();
    private volatile boolean timing;
    private volatile @Nullable Worker worker;
    /** Acked by workers of this process that have ended. */
    private volatile long ackedBefore;

    private @Nullable Fairlane fairlane;
    private @Nullable Fairlane offering;

    private WorkerMain(String url, String key, Tally tally) {
        this.url = url;
        this.key = key;
        this.tally = tally;
    }

    public static void main(String[] args) throws Exception {
        WorkerMain main = new WorkerMain(args[0], args[1], Tally.in(Path.of(args[2])));
        Thread.ofPlatform().daemon().name("tally").start(main::publish);
        Orders.take(main::obey);
        System.exit(0);
    }

    private Map<String, Object> obey(Order order) {
        return switch (order.verb()) {
            case "start" -> start(order.count("slots"));
            case "stop" -> stop();
            case "counts" -> counts();
            case "await" -> await(order.number("acked"), Duration.ofSeconds(order.number("seconds")));
            case "pickups" -> pickups(order.number("count"), Duration.ofSeconds(order.number("seconds")));
            case "time" -> time(order.text("pickup").equals("on"));
            case "offer" -> OpenLoop.offer(offering(order.text("key")), order.count("rate"), order.count("seconds"));
            case "first" -> Map.of("first", firstNanos.get());
            default -> throw new IllegalArgumentException("no such order: " + order.verb());
        };
    }

    private Map<String, Object> start(int slots) {
        Fairlane connected = Fairlane.connect(url, key);
        fairlane = connected;
        long begin = System.nanoTime();
        firstNanos.set(0);
        worker = Worker.of(connected)
                .pool(Pool.SHORT)
                .slots(slots)
                .handle(Payloads.TYPE, byte[].class, this::handle)
                .start();
        return Map.of("begin", begin);
    }

    /** A client beside the worker, as in a program that submits what it runs itself. */
    private Fairlane offering(String submitKey) {
        Fairlane client = offering;
        if (client == null) {
            client = Fairlane.connect(url, submitKey);
            offering = client;
        }
        return client;
    }

    private @Nullable Object handle(JobContext context, byte[] payload) {
        started.increment();
        long stamp = timing ? Payloads.stamp(payload) : 0;
        if (Payloads.isTime(stamp)) {
            pickup.recordValue(Math.clamp(System.nanoTime() - stamp, 0, HIGHEST_NANOS));
        }
        if (firstNanos.get() == 0) {
            firstNanos.compareAndSet(0, System.nanoTime());
        }
        return null;
    }

    private Map<String, Object> stop() {
        Worker running = worker;
        if (running == null || fairlane == null) {
            throw new IllegalStateException("no worker was started");
        }
        running.close();
        long acked = running.acked();
        worker = null;
        ackedBefore += acked;
        fairlane.close();
        return counts();
    }

    private long acked() {
        Worker running = worker;
        return ackedBefore + (running == null ? 0 : running.acked());
    }

    private Map<String, Object> counts() {
        return Map.of("acked", acked(), "started", started.sum(), "at", System.nanoTime());
    }

    private Map<String, Object> await(long acked, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (acked() < acked) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(
                        "expected " + acked + " acked jobs in " + patience + ", but got " + acked());
            }
            LockSupport.parkNanos(AWAIT_NANOS);
        }
        return counts();
    }

    /** Waits for so many timed pickups: who waits longest belongs to the figures too. */
    private Map<String, Object> pickups(long count, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (pickup.getTotalCount() < count) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(
                        "expected " + count + " pickups in " + patience + ", but got " + pickup.getTotalCount());
            }
            LockSupport.parkNanos(AWAIT_NANOS);
        }
        return Map.of();
    }

    private Map<String, Object> time(boolean on) {
        timing = on;
        Map<String, Object> figures = new LinkedHashMap<>(Orders.percentiles("pickup", pickup));
        pickup.reset();
        return figures;
    }

    private void publish() {
        while (true) {
            tally.set(acked());
            LockSupport.parkNanos(TALLY_NANOS);
        }
    }
}
