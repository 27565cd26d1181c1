package dev.fairlane.e2e.chaos;

import dev.fairlane.e2e.chaos.Work.Done;
import dev.fairlane.e2e.chaos.Work.Order;
import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.EventLog;
import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.JobContext;
import dev.fairlane.sdk.NonRetryableException;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.Worker;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A worker process as users write them, except that its handlers put every step on record before they go on. */
public final class RecordingWorker {
    private static final int SLOTS = 40;
    private static final Duration CONTACT_POLL = Duration.ofMillis(20);
    private static final Duration HELD_POLL = Duration.ofMillis(50);

    /** One in so many executions that hold no key takes longer than a lease. */
    private static final int LONG_ONES = 6;

    private final String name;
    private final EventLog log;

    private RecordingWorker(String name, EventLog log) {
        this.name = name;
        this.log = log;
    }

    /** Arguments: address, key file, name, history file. Ends when its standard input does. */
    public static void main(String[] args) throws IOException {
        String name = args[2];
        EventLog log = EventLog.create(Path.of(args[3]));
        RecordingWorker recording = new RecordingWorker(name, log);
        Fairlane fairlane =
                Fairlane.connect(args[0], Files.readString(Path.of(args[1])).strip());
        Worker worker = Worker.of(fairlane)
                .name(name)
                .pool(Pool.SHORT)
                .slots(SLOTS)
                .handle(Work.QUICK, Order.class, recording::quick)
                .handle(Work.ZOMBIE, Order.class, recording::quick)
                .handle(Work.SLOW, Order.class, recording::slow)
                .handle(Work.FLAKY, Order.class, recording::flaky)
                .handle(Work.POISON, Order.class, recording::poison)
                .handle(Work.COUNTED, Order.class, recording::quick)
                .handle(Work.LIMITED, Order.class, recording::limited)
                .handle(Work.TICK, Order.class, recording::tick)
                .start();
        Thread.ofPlatform().daemon().name("contact").start(() -> recording.watch(worker));
        System.in.transferTo(OutputStream.nullOutputStream());
        System.exit(0);
    }

    private Done quick(JobContext context, Order order) {
        started(context);
        ended(context, true);
        return new Done(context.fencingToken().value());
    }

    private Done tick(JobContext context, Order order) {
        started(context);
        Instant tick = Instant.parse(context.headers().getOrDefault("fairlane-scheduled-at", ""));
        log.record(new Event.Ticked(
                EventLog.now(),
                name,
                context.id(),
                context.tenant() + "/" + context.headers().get("fairlane-schedule"),
                ChronoUnit.MICROS.between(Instant.EPOCH, tick),
                ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())));
        ended(context, true);
        return new Done(context.fencingToken().value());
    }

    private Done slow(JobContext context, Order order) throws InterruptedException {
        started(context);
        CountDownLatch cancelled = new CountDownLatch(1);
        context.onCancel(() -> {
            log.record(new Event.CancelHeard(
                    EventLog.now(), name, context.id(), context.fencingToken().value()));
            cancelled.countDown();
        });
        long millis = ThreadLocalRandom.current().nextLong(1_200, 3_000);
        try {
            if (cancelled.await(millis, TimeUnit.MILLISECONDS)) {
                ended(context, false);
                throw new CancellationException("told to stop");
            }
        } catch (InterruptedException stopped) {
            ended(context, false);
            throw stopped;
        }
        ended(context, true);
        return new Done(context.fencingToken().value());
    }

    private Done limited(JobContext context, Order order) throws InterruptedException {
        started(context);
        List<String> limits = Limits.of(context);
        ThreadLocalRandom random = ThreadLocalRandom.current();
        boolean longer = limits.size() == 1 && random.nextInt(LONG_ONES) == 0;
        long millis = longer ? random.nextLong(3_500, 4_500) : random.nextLong(150, 700);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (held(context, limits) && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(HELD_POLL.toNanos());
            if (Thread.interrupted()) {
                ended(context, false);
                throw new InterruptedException("told to stop");
            }
        }
        ended(context, true);
        return new Done(context.fencingToken().value());
    }

    /** The time is taken before the lease is looked at: what is said held at that time. */
    private boolean held(JobContext context, List<String> limits) {
        long now = EventLog.now();
        if (!context.leaseValid()) {
            return false;
        }
        long token = context.fencingToken().value();
        log.record(limits.stream()
                .map(limit -> new Event.Held(now, name, context.id(), token, limit))
                .toList());
        return true;
    }

    private Done flaky(JobContext context, Order order) {
        started(context);
        if (context.attempt() == 1) {
            ended(context, false);
            throw new IllegalStateException("fails once");
        }
        ended(context, true);
        return new Done(context.fencingToken().value());
    }

    private Done poison(JobContext context, Order order) {
        started(context);
        ended(context, false);
        throw new NonRetryableException("never works");
    }

    private void started(JobContext context) {
        context.checkLease();
        log.record(new Event.Started(
                EventLog.now(), name, context.id(), context.fencingToken().value(), context.execution()));
    }

    private void ended(JobContext context, boolean succeeded) {
        log.record(new Event.Ended(
                EventLog.now(), name, context.id(), context.fencingToken().value(), succeeded));
    }

    /** Contact is said to begin late and to end late by one poll at most: never longer than it was by more than that. */
    private void watch(Worker worker) {
        boolean was = false;
        while (true) {
            boolean is = worker.connected();
            if (is != was) {
                log.record(new Event.Contact(EventLog.now(), name, is));
                was = is;
            }
            LockSupport.parkNanos(CONTACT_POLL.toNanos());
        }
    }
}
