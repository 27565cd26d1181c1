package dev.fairlane.server.webhook;

import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.ReservedTypes;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.runtime.Node;
import dev.fairlane.runtime.WorkerSession;
import dev.fairlane.runtime.WorkerStream;
import dev.fairlane.server.config.ServerConfig;
import dev.fairlane.server.fault.Faults;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the jobs that deliver webhooks. To the node it is a worker as any other: it may die with its leases, which then run again, so
 * a receiver may hear the same news twice and tells them apart by {@code Fairlane-Delivery}.
 */
public final class WebhookWorker implements WorkerStream, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WebhookWorker.class);
    private static final long COME_BACK_MILLIS = 1_000;

    private final Node node;
    private final WorkerOffer offer;
    private final Secrets secrets;
    private final Delivery delivery;
    private final ExecutorService resolving = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService beating = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name(ReservedTypes.WORKER).factory());

    /** What is being delivered; the server's slots bound it. */
    private final Set<LeaseRef> held = ConcurrentHashMap.newKeySet();

    /** Completes with the session, which the node may use before it has returned it. */
    private volatile CompletableFuture<WorkerSession> session = new CompletableFuture<>();

    private @Nullable ScheduledFuture<?> beats;
    private long beat;

    private WebhookWorker(
            Node node, Secrets secrets, ServerConfig.Webhooks config, PoolRules pool, InstantSource clock) {
        this.node = node;
        this.secrets = secrets;
        this.delivery =
                new Delivery(new WebhookRules(config), config.timeout(), clock, InetAddress::getAllByName, resolving);
        this.offer = new WorkerOffer(
                ReservedTypes.WORKER, null, List.of(ReservedTypes.WEBHOOK), Map.of(pool.name(), config.concurrency()));
    }

    /** @param pool that types nobody declared are in */
    public static WebhookWorker start(
            Node node, Secrets secrets, ServerConfig.Webhooks config, PoolRules pool, InstantSource clock) {
        WebhookWorker worker = new WebhookWorker(node, secrets, config, pool, clock);
        worker.connect();
        return worker;
    }

    private void connect() {
        CompletableFuture<WorkerSession> next = new CompletableFuture<>();
        session = next;
        next.complete(node.connect(offer, List.copyOf(held), this));
    }

    @Override
    public void welcome(long heartbeatMicros, List<LeaseRef> revoked) {
        revoked.forEach(held::remove);
        beats = beating.scheduleWithFixedDelay(this::beat, heartbeatMicros, heartbeatMicros, TimeUnit.MICROSECONDS);
    }

    private void beat() {
        session.join().heartbeat(List.copyOf(held), ++beat);
    }

    @Override
    public void leases(List<Granted> leases) {
        for (Granted lease : leases) {
            LeaseRef ref = new LeaseRef(lease.spec().id(), lease.status().token());
            held.add(ref);
            secrets.of(lease.spec().tenant())
                    .thenCompose(found -> delivery.send(lease.spec(), found))
                    .whenComplete((answered, fault) -> ended(ref, answered, fault));
        }
    }

    private void ended(LeaseRef lease, Delivery.@Nullable Answered answered, @Nullable Throwable fault) {
        if (!held.remove(lease)) {
            return; // taken away meanwhile
        }
        report(
                answered != null
                        ? new WorkerSession.Report(
                                List.of(), List.of(new WorkerSession.Success(lease, result(answered))), List.of())
                        : new WorkerSession.Report(
                                List.of(), List.of(), List.of(new WorkerSession.Failed(lease, failure(fault)))));
    }

    private void report(WorkerSession.Report report) {
        session.thenAccept(known -> known.report(report));
    }

    private static Payload result(Delivery.Answered answered) {
        return new Payload(("{\"status\":" + answered.status() + "}").getBytes(StandardCharsets.UTF_8), Payload.JSON);
    }

    private static Failure failure(@Nullable Throwable fault) {
        Throwable cause = fault == null ? null : Faults.unwrap(fault);
        if (cause instanceof Delivery.Undelivered undelivered) {
            return undelivered.failure();
        }
        log.warn("a webhook could not be delivered and will be tried again", cause);
        return Failure.of(FailureClass.APP_ERROR, "the server could not deliver it: " + cause);
    }

    @Override
    public void acks(List<Ack> acks) {
        // Nothing is kept here: what is not acknowledged runs again.
    }

    @Override
    public void cancels(List<LeaseRef> leases) {
        for (LeaseRef lease : leases) {
            if (held.remove(lease)) {
                Failure stopped = Failure.of(FailureClass.APP_ERROR, "cancelled");
                report(new WorkerSession.Report(
                        List.of(), List.of(), List.of(new WorkerSession.Failed(lease, stopped))));
            }
        }
    }

    @Override
    public void heartbeatAck(long number, List<LeaseRef> revoked) {
        revoked.forEach(held::remove);
    }

    /** It comes back by itself: nobody else would notice that news wait. */
    @Override
    public void ended(String reason) {
        if (beats != null) {
            beats.cancel(false);
        }
        log.info("the session that delivers webhooks ended ({}); it is opened again", reason);
        try {
            beating.schedule(this::connect, COME_BACK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            log.debug("it is not: the server stops", closed);
        }
    }

    @Override
    public void close() {
        beating.shutdownNow();
        session.join().close();
        delivery.close();
        resolving.shutdownNow();
    }
}
