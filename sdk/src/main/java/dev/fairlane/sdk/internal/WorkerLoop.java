package dev.fairlane.sdk.internal;

import dev.fairlane.protocol.v1.Ack;
import dev.fairlane.protocol.v1.Drain;
import dev.fairlane.protocol.v1.Heartbeat;
import dev.fairlane.protocol.v1.Hello;
import dev.fairlane.protocol.v1.Lease;
import dev.fairlane.protocol.v1.LeaseRef;
import dev.fairlane.protocol.v1.Leases;
import dev.fairlane.protocol.v1.PoolSlots;
import dev.fairlane.protocol.v1.Welcome;
import dev.fairlane.protocol.v1.WorkerMessage;
import dev.fairlane.sdk.FairlaneException;
import dev.fairlane.sdk.Resources;
import dev.fairlane.sdk.WorkerClock;
import io.grpc.Status;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The one thread of a worker that talks to the server and looks at the clock.
 *
 * <p>A turn looks at the link (connect, welcome, lost), tells what there is to tell, scans what is held, and sleeps until the next
 * of these is due or somebody wakes it. While it is asleep with nothing to do, the first outcome wakes it and goes out at once;
 * outcomes that follow within {@link #FLUSH_EVERY_NANOS} gather and go out together, without waking anybody.
 */
public final class WorkerLoop implements Runnable, Execution.Executions, Link.Receiver, WorkerClock.Reader {
    private static final Logger LOG = System.getLogger("dev.fairlane.sdk.Worker");

    static final long FLUSH_EVERY_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long WELCOME_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long FAREWELL_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long FOREVER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final WorkerPlan plan;
    private final Rpc rpc;
    private final Codec codec;
    private final WorkerClock clock;
    private final HeldLeases held;
    private final Outbox outbox = new Outbox();
    private final Reports reports = new Reports(outbox);
    private final ThreadFactory handlerThreads =
            Thread.ofVirtual().inheritInheritableThreadLocals(false).factory();

    private final CompletableFuture<Void> connected = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final AtomicBoolean asleep = new AtomicBoolean();
    private volatile boolean drainAsked;
    private volatile boolean handOverAsked;
    private volatile boolean killed;
    private volatile boolean welcomed;
    private volatile long nextScan;
    private volatile long heardUntil;
    private volatile @Nullable Thread thread;

    // Only the loop's own thread touches these.
    private final Backoff backoff = new Backoff(100, 2_000);
    private final Beats beats = new Beats();
    private @Nullable Link link;
    private long connectAt;
    private long connectedAt;
    private long flushAt;
    private @Nullable Drainage drainage;

    public WorkerLoop(WorkerPlan plan, Rpc rpc, Codec codec, WorkerClock clock) {
        this.plan = plan;
        this.rpc = rpc;
        this.codec = codec;
        this.clock = clock;
        this.held = new HeldLeases(plan.cancelGrace().toNanos());
        this.connectAt = clock.nanos();
        this.flushAt = connectAt;
        this.nextScan = connectAt;
        this.heardUntil = connectAt;
    }

    // From other threads.

    /** No more leases; ends when everything held is told and acked, or the drain window is over. */
    public void drain() {
        drain(plan.handOverOnDrain());
    }

    /** @param handOver running jobs are asked to save a checkpoint and hand over */
    public void drain(boolean handOver) {
        handOverAsked |= handOver;
        drainAsked = true;
        changed();
    }

    /** Ends at once, telling nobody: what a killed process would do. */
    public void kill() {
        killed = true;
        changed();
    }

    /** Done with the first welcome; failed if there will be none. */
    public CompletableFuture<Void> connected() {
        return connected;
    }

    /** Done when the loop has ended; failed if it could not go on. */
    public CompletableFuture<Void> ended() {
        return ended;
    }

    public boolean isConnected() {
        return welcomed;
    }

    public int running() {
        return held.running();
    }

    public long acked() {
        return held.acked();
    }

    @Override
    public Codec codec() {
        return codec;
    }

    @Override
    public ByteCalls bytes() {
        return rpc.bytes();
    }

    @Override
    public boolean handOverRequested() {
        return handOverAsked;
    }

    @Override
    public void lost(Execution execution) {
        held.revoked(execution.key);
    }

    @Override
    public void drainOrdered(boolean handOver) {
        LOG.log(Level.INFO, "worker {0} is told to drain", plan.name());
        drain(handOver);
    }

    @Override
    public long nanos() {
        return clock.nanos();
    }

    @Override
    public void ended(Execution execution) {
        outbox.put(execution);
        changed();
    }

    @Override
    public void leased(Leases leases) {
        for (Lease lease : leases.getLeasesList()) {
            Execution execution = new Execution(lease, plan.handlers().get(lease.getType()), this);
            Thread virtual = handlerThreads.newThread(execution);
            execution.runsOn(virtual);
            if (held.add(execution)) {
                virtual.start();
            }
        }
        long soon = nanos() + HeldLeases.STARTED_AFTER_NANOS;
        if (nextScan - soon > 0) {
            nextScan = soon;
            changed();
        }
    }

    @Override
    public void acked(Ack ack) {
        held.acked(ack.getLease(), ack.getRevoked());
        if (drainAsked && held.isEmpty()) {
            changed();
        }
    }

    @Override
    public void cancelled(LeaseRef lease) {
        Execution execution = held.get(lease);
        List<Runnable> actions = execution == null ? null : execution.cancel();
        if (execution == null || actions == null) {
            return;
        }
        actions.forEach(Thread::startVirtualThread);
        Thread.startVirtualThread(() -> plan.onCancel().accept(execution));
        nextScan = nanos();
        changed();
    }

    @Override
    public void handOverAsked(LeaseRef lease) {
        Execution execution = held.get(lease);
        if (execution != null) {
            execution.askHandOver();
        }
    }

    @Override
    public void changed() {
        if (asleep.get() && asleep.compareAndSet(true, false)) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public void look() {
        changed();
    }

    @Override
    public boolean upToDate() {
        long now = nanos();
        return !welcomed || (now - heardUntil < 0 && (held.isEmpty() || now - nextScan < 0));
    }

    // The loop.

    @Override
    public void run() {
        thread = Thread.currentThread();
        clock.started(this);
        try {
            while (turn()) {
                sleep();
            }
            connected.completeExceptionally(new FairlaneException.Unavailable(
                    "WORKER_CLOSED", "the worker was closed before it was connected", null, null));
            ended.complete(null);
        } catch (Throwable fault) {
            if (!(fault instanceof FairlaneException)) {
                LOG.log(Level.ERROR, "worker " + plan.name() + " stopped by a bug", fault);
            }
            held.all().forEach(Execution::drop);
            connected.completeExceptionally(fault);
            ended.completeExceptionally(fault);
        } finally {
            clock.ended(this);
            welcomed = false;
            if (link != null && link.end() == null) {
                link.cancel("the worker stopped");
            }
        }
    }

    /** @return false when there is nothing more to do, ever */
    private boolean turn() {
        long now = nanos();
        if (killed) {
            held.all().forEach(Execution::drop);
            return false;
        }
        Link open = link;
        if (open == null) {
            if (now - connectAt >= 0) {
                connect(now);
            }
        } else if (open.end() != null) {
            lost(open.end(), now);
        } else if (!welcomed) {
            greet(open, now);
        }
        open = link;
        if (open != null && welcomed) {
            talk(open, now);
        }
        if (now - nextScan >= 0) {
            nextScan = held.scan(now, reports::started);
        }
        heardUntil = beats.allHeard() ? beats.nextAt() : now;
        return !drainAsked || drained(now);
    }

    private void connect(long now) {
        rpc.hurry();
        long beat = beats.next(now);
        Hello.Builder hello = Hello.newBuilder()
                .setWorker(plan.name())
                .addAllTypes(plan.handlers().keySet())
                .addAllHeld(held.listedIn(beat))
                .addAllTags(plan.tags())
                .setSdkVersion("java/" + Version.CURRENT);
        if (!plan.resources().equals(Resources.NONE)) {
            hello.getResourcesBuilder()
                    .setCpuMillis(plan.resources().cpuMillis())
                    .setMemoryMib(plan.resources().memoryMib())
                    .setGpus(plan.resources().gpus());
        }
        plan.offers()
                .forEach((pool, slots) -> hello.addOffers(
                        PoolSlots.newBuilder().setPool(pool.wireName()).setSlots(slots)));
        connectedAt = now;
        link = Link.open(rpc, this, WorkerMessage.newBuilder().setHello(hello).build());
    }

    private void greet(Link open, long now) {
        Welcome welcome = open.welcome();
        if (welcome == null) {
            if (now - connectedAt > WELCOME_WITHIN_NANOS) {
                open.cancel("no welcome within 10 s");
            }
            return;
        }
        for (LeaseRef lease : welcome.getRevokedList()) {
            held.revoked(LeaseKey.of(lease));
        }
        beats.welcomed(welcome, now);
        held.renewed(beats.confirmed(), beats.confirmedSentNanos());
        reports.tellAgain(held.all());
        held.all().forEach(Execution::progressUnsent);
        nextScan = now;
        welcomed = true;
        if (connected.complete(null)) {
            LOG.log(Level.INFO, "worker {0} connected to {1}", plan.name(), welcome.getNode());
        } else {
            LOG.log(Level.INFO, "worker {0} connected again to {1}", plan.name(), welcome.getNode());
        }
        if (drainage != null) {
            drainage = drainage.unsent();
        }
    }

    private void lost(@Nullable Status end, long now) {
        boolean wasWelcomed = welcomed;
        link = null;
        welcomed = false;
        FairlaneException why = Errors.of((end == null ? Status.UNKNOWN : end).asRuntimeException());
        if (!connected.isDone() && hopeless(why)) {
            throw why;
        }
        // Only a link that held counts as a success: two workers of one name would throw each other out without a
        // pause.
        if (wasWelcomed && now - connectedAt > SETTLED_NANOS) {
            backoff.reset();
        }
        connectAt = now + backoff.nextNanos();
        if (drainage == null || !held.isEmpty()) {
            LOG.log(
                    wasWelcomed ? Level.WARNING : Level.DEBUG,
                    () -> "worker " + plan.name() + " lost its server (" + why.getMessage() + "); trying again in "
                            + TimeUnit.NANOSECONDS.toMillis(connectAt - now) + " ms");
        }
    }

    /** Before the first welcome these say that the worker was made wrongly; later the server may still be right again. */
    private static boolean hopeless(FairlaneException why) {
        return why instanceof FairlaneException.Denied || why instanceof FairlaneException.Invalid;
    }

    private void talk(Link open, long now) {
        if (beats.confirm(open.heartbeatAcked())) {
            held.renewed(beats.confirmed(), beats.confirmedSentNanos());
        }
        if (beats.unheard(now)) {
            open.cancel("the server does not answer heartbeats");
            return;
        }
        if (drainage != null && !drainage.sent) {
            open.send(WorkerMessage.newBuilder()
                    .setDrain(Drain.getDefaultInstance())
                    .build());
            drainage = drainage.sentAt(now);
        }
        if (reports.any() && now - flushAt >= 0 && open.ready()) {
            open.send(reports.next());
            flushAt = nanos() + FLUSH_EVERY_NANOS;
        }
        if (beats.due(now)) {
            long beat = beats.next(now);
            open.send(WorkerMessage.newBuilder()
                    .setHeartbeat(Heartbeat.newBuilder()
                            .addAllHeld(held.listedIn(beat))
                            .addAllProgress(held.progress())
                            .setNumber(beat))
                    .build());
            if (beats.sent(now)) {
                held.renewed(beats.confirmed(), beats.confirmedSentNanos());
            }
        }
    }

    /** @return true while the drain has to go on */
    private boolean drained(long now) {
        Drainage current = drainage;
        if (current == null) {
            current = Drainage.begin(now, plan.drainWindow().toNanos());
            drainage = current;
        }
        if (current.mayEnd(now, held.isEmpty(), link != null && welcomed)) {
            if (link != null && link.end() == null) {
                farewell(link);
            }
            return false;
        }
        drainage = current.enforce(now, held);
        return true;
    }

    /** Ends the stream properly: the server may take a moment to agree. */
    private void farewell(Link open) {
        open.complete();
        long end = nanos() + FAREWELL_NANOS;
        while (open.end() == null && end - nanos() > 0) {
            asleep.set(true);
            if (open.end() == null) {
                LockSupport.parkNanos(this, end - nanos());
            }
        }
    }

    private void sleep() {
        long now = nanos();
        Link open = link;
        boolean canTell = open != null && welcomed && open.ready();
        if (canTell && reports.any()) {
            // Nobody needs to wake this: what comes meanwhile goes with it.
            if (flushAt - now > 0) {
                LockSupport.parkNanos(flushAt - now);
            }
            return;
        }
        long wake = now + FOREVER_NANOS;
        if (open == null) {
            wake = earlier(wake, connectAt);
        } else if (welcomed) {
            wake = earlier(wake, beats.nextAt());
        }
        if (!held.isEmpty()) {
            wake = earlier(wake, nextScan);
        }
        if (drainage != null) {
            wake = earlier(wake, now + TimeUnit.MILLISECONDS.toNanos(10));
        }
        asleep.set(true);
        // Looked at again after the flag, so that whoever changed something before it was seen is not slept over.
        boolean told = reports.any() && open != null && welcomed && open.ready();
        boolean news = open != null && (open.end() != null || (!welcomed && open.welcome() != null));
        boolean acks = open != null && welcomed && open.heartbeatAcked() > beats.confirmed();
        if (!told && !news && !acks && drainAsked == (drainage != null) && wake - nanos() > 0) {
            LockSupport.parkNanos(this, wake - nanos());
        }
        asleep.set(false);
    }

    private static long earlier(long a, long b) {
        return a - b < 0 ? a : b;
    }
}
