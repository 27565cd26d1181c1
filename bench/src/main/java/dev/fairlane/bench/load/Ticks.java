package dev.fairlane.bench.load;

import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.JobContext;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.Schedule;
import dev.fairlane.sdk.Schedules;
import dev.fairlane.sdk.Worker;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Makes schedules of one tenant, runs their jobs, and keeps count of the ticks. */
public final class Ticks implements AutoCloseable {
    public static final String TYPE = "tick";

    private static final int SLOTS = 4_000;
    private static final int CALLERS = 4;
    private static final int PER_CALL = 250;
    private static final long HIGHEST_MICROS = 3_600_000_000L;
    private static final Duration LOOK = Duration.ofMillis(50);

    private final Fairlane client;
    private final Fairlane workers;
    private final Worker worker;
    private final Map<String, String> jobOfTick = new ConcurrentHashMap<>();
    private final AtomicLong doubled = new AtomicLong();
    private final AtomicLong early = new AtomicLong();
    private final AtomicLong lastMicros = new AtomicLong();
    private final Histogram begun = new ConcurrentHistogram(HIGHEST_MICROS, 3);
    private final Histogram submitted = new ConcurrentHistogram(HIGHEST_MICROS, 3);
    private volatile long measuredFrom = Long.MAX_VALUE;

    private Ticks(String url, String submitterKey, String workerKey) {
        client = Fairlane.connect(url, submitterKey);
        workers = Fairlane.connect(url, workerKey);
        worker = Worker.of(workers)
                .pool(Pool.SHORT)
                .slots(SLOTS)
                .handle(TYPE, byte[].class, this::tick)
                .start();
    }

    public static Ticks begin(String url, String submitterKey, String workerKey) {
        return new Ticks(url, submitterKey, workerKey);
    }

    private @Nullable Object tick(JobContext context, byte[] payload) {
        long now = micros(Instant.now());
        String at = context.headers().getOrDefault("fairlane-scheduled-at", "");
        long tick = micros(Instant.parse(at));
        String other = jobOfTick.putIfAbsent(context.headers().get("fairlane-schedule") + " " + at, context.id());
        if (other != null) {
            // The same job once more is no second firing.
            doubled.addAndGet(other.equals(context.id()) ? 0 : 1);
            return null;
        }
        if (now < tick) {
            early.incrementAndGet();
        }
        if (tick >= measuredFrom) {
            begun.recordValue(Math.clamp(now - tick, 0, HIGHEST_MICROS));
            submitted.recordValue(Math.clamp(micros(context.submittedAt()) - tick, 0, HIGHEST_MICROS));
        }
        lastMicros.accumulateAndGet(now, Math::max);
        return null;
    }

    /** Makes so many schedules. @return how many a second */
    public double make(int count, IntFunction<Schedule> which) throws InterruptedException {
        long started = System.nanoTime();
        AtomicInteger next = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                callers.add(threads.submit(() -> {
                    for (int at = next.getAndAdd(PER_CALL); at < count; at = next.getAndAdd(PER_CALL)) {
                        List<Schedule> part = IntStream.range(at, Math.min(count, at + PER_CALL))
                                .mapToObj(which)
                                .toList();
                        client.schedules().putAll(part).forEach(Schedules.PutResult::orThrow);
                    }
                }));
            }
            for (Future<?> caller : callers) {
                caller.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a schedule could not be made: " + e.getCause(), e);
        }
        return count * 1e9 / (System.nanoTime() - started);
    }

    /** Ticks from then on are measured. */
    public void measureFrom(Instant at) {
        begun.reset();
        submitted.reset();
        measuredFrom = micros(at);
    }

    /** Waits for so many ticks in all. @return whether they came */
    public boolean await(long ticks, Instant until) {
        while (jobOfTick.size() < ticks && Instant.now().isBefore(until)) {
            LockSupport.parkNanos(LOOK.toNanos());
        }
        return jobOfTick.size() >= ticks;
    }

    public long fired() {
        return jobOfTick.size();
    }

    public long doubled() {
        return doubled.get();
    }

    public long early() {
        return early.get();
    }

    /** When the last of them began to run. */
    public Instant last() {
        return Instant.EPOCH.plus(lastMicros.get(), ChronoUnit.MICROS);
    }

    /** From a tick to the begin of its job's handler, in milliseconds. */
    public double begunMs(double percentile) {
        return begun.getValueAtPercentile(percentile) / 1e3;
    }

    /** From a tick to the submit of its job by the server's clock, in milliseconds. */
    public double submittedMs(double percentile) {
        return submitted.getValueAtPercentile(percentile) / 1e3;
    }

    private static long micros(Instant at) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, at);
    }

    @Override
    public void close() {
        worker.close();
        workers.close();
        client.close();
    }
}
