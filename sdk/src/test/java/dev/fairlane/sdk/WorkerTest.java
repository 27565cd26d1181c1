package dev.fairlane.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fairlane.protocol.v1.Lease;
import dev.fairlane.protocol.v1.LeaseRef;
import dev.fairlane.protocol.v1.Leases;
import dev.fairlane.protocol.v1.ServerMessage;
import dev.fairlane.protocol.v1.Success;
import dev.fairlane.protocol.v1.WorkerFailure;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkerTest {
    private final FakeServer server = new FakeServer();
    private final Fairlane fairlane = server.connect();
    private final HandClock clock = new HandClock();
    private final Fairlane timeless = server.connect(clock);
    /** Handlers of type "block" wait for it. */
    private final CountDownLatch release = new CountDownLatch(1);

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    record SendEmail(String to, String template) {}

    record SendResult(String messageId) {}

    @AfterEach
    void close() {
        release.countDown();
        clock.letRun();
        timeless.close();
        fairlane.close();
        server.close();
    }

    private Worker.Builder worker() {
        return worker(fairlane);
    }

    private Worker.Builder worker(Fairlane of) {
        return Worker.of(of)
                .name("w1")
                .drainOnShutdown(false)
                .cancelGrace(Duration.ofMillis(100))
                .drainWindow(Duration.ofSeconds(60))
                .handle("echo", Object.class, (ctx, payload) -> payload)
                .handle("block", Object.class, (ctx, payload) -> {
                    events.add("began " + ctx.execution());
                    try {
                        release.await();
                    } catch (InterruptedException e) {
                        events.add("interrupted, cancelled " + ctx.isCancelled());
                        throw e;
                    }
                    return "released";
                });
    }

    private String event() throws InterruptedException {
        return events.poll(60, TimeUnit.SECONDS);
    }

    /** Moves the clock, each time when the workers have done what was due, until that is so. */
    private void moveUntil(Duration step, Callable<Boolean> so) {
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2)).until(() -> {
            if (so.call()) {
                return true;
            }
            if (clock.settled()) {
                clock.advance(step);
            }
            return false;
        });
    }

    /** What comes when the clock moves on. */
    private <T> T taken(Duration step, BlockingQueue<T> queue) throws InterruptedException {
        moveUntil(step, () -> !queue.isEmpty());
        return queue.take();
    }

    @Test
    void theSnippetOfTheReadmeWorks() throws Exception {
        AtomicReference<String> effectKey = new AtomicReference<>();
        Worker worker = Worker.of(fairlane)
                .pool(Pool.SHORT)
                .slots(50)
                .handle("send_email", SendEmail.class, (ctx, email) -> {
                    effectKey.set(ctx.effectKey().value());
                    return new SendResult(email.to() + "/" + email.template());
                })
                .start();
        var session = server.workers.next().welcome();
        worker.awaitConnected(Duration.ofSeconds(60));
        Lease.Builder lease = FakeWorkers.lease("send_email", "{\"to\":\"a\",\"template\":\"reset\"}");
        session.lease(lease);

        Success success = session.take(session.succeeded);
        assertThat(success.getLease()).isEqualTo(lease.getLease());
        assertThat(success.getResult().toStringUtf8()).isEqualTo("{\"messageId\":\"a/reset\"}");
        assertThat(effectKey.get())
                .isEqualTo(new java.util.UUID(
                                lease.getLease().getIdHi(), lease.getLease().getIdLo())
                        .toString());
        assertThat(session.hello.getTypesList()).containsExactly("send_email");
        assertThat(session.hello.getOffersList()).singleElement().satisfies(offer -> {
            assertThat(offer.getPool()).isEqualTo("short");
            assertThat(offer.getSlots()).isEqualTo(50);
        });
    }

    @Test
    void aJobCountsAsAckedOnlyWhenTheServerTookItsOutcome() throws Exception {
        Worker worker = worker().start();
        var session = server.workers.next().welcome();
        session.ackResults = false;
        LeaseRef taken = session.lease(FakeWorkers.lease("echo", "1"));
        LeaseRef refused = session.lease(FakeWorkers.lease("echo", "2"));
        session.take(session.succeeded);
        session.take(session.succeeded);
        assertThat(worker.acked()).isZero();

        session.ack(refused, true);
        session.ack(taken, false);
        await().untilAsserted(() -> assertThat(worker.acked()).isEqualTo(1));
    }

    @Test
    void resourcesAndTagsAreOffered() throws Exception {
        worker().pool(Pool.named("gpu"))
                .resources(Resources.cores(8).andMemoryMib(65_536).andGpus(2))
                .tags("gpu-a100", "arm")
                .start();

        var hello = server.workers.next().hello;
        assertThat(hello.getOffers(0).getPool()).isEqualTo("gpu");
        assertThat(hello.getOffers(0).getSlots()).isEqualTo(1);
        assertThat(hello.getResources().getCpuMillis()).isEqualTo(8_000);
        assertThat(hello.getResources().getMemoryMib()).isEqualTo(65_536);
        assertThat(hello.getResources().getGpus()).isEqualTo(2);
        assertThat(hello.getTagsList()).containsExactly("gpu-a100", "arm");
    }

    @Test
    void severalPoolsCanBeOffered() throws Exception {
        worker().pool(Pool.SHORT)
                .slots(10)
                .pool(Pool.LONG)
                .pool(Pool.MEDIUM)
                .slots(3)
                .start();

        assertThat(server.workers.next().hello.getOffersList())
                .extracting(offer -> offer.getPool() + " " + offer.getSlots())
                .containsExactlyInAnyOrder("short 10", "medium 3", "long 2");
    }

    @Test
    void theContextSaysWhatIsKnownOfTheJob() throws Exception {
        worker().handle("look", Payload.class, (ctx, payload) -> {
                    ctx.checkLease();
                    return Map.of(
                            "tenant", ctx.tenant(),
                            "attempt", ctx.attempt(),
                            "execution", ctx.execution(),
                            "first", ctx.firstAttempt(),
                            "token", ctx.fencingToken().value(),
                            "header", ctx.headers().get("h"),
                            "limited", ctx.timeLeft().compareTo(Duration.ofSeconds(30)) <= 0,
                            "cancelled", ctx.isCancelled(),
                            "body", payload.text() + " " + payload.contentType());
                })
                .start();
        var session = server.workers.next().welcome();
        Lease.Builder lease = FakeWorkers.lease("look", "x")
                .setContentType("text/plain")
                .setAttempt(2)
                .setExecution(3)
                .putHeaders("h", "v");
        session.lease(lease);

        assertThat(session.take(session.succeeded).getResult().toStringUtf8())
                .contains("\"tenant\":\"default\"", "\"attempt\":2", "\"execution\":3", "\"first\":false")
                .contains("\"token\":" + lease.getLease().getToken(), "\"header\":\"v\"", "\"limited\":true")
                .contains("\"cancelled\":false", "\"body\":\"x text/plain\"");
    }

    @Test
    void whatAHandlerThrowsDecidesTheFailureClass() throws Exception {
        worker().handle("throw", String.class, (ctx, what) -> {
                    throw switch (what) {
                        case "permanent" -> new NonRetryableException("no such user");
                        case "later" -> new RetryAfterException(Duration.ofSeconds(7), "busy");
                        case "dependency" -> new DependencyFailedException("smtp", "timed out");
                        default -> new IllegalArgumentException(what);
                    };
                })
                .start();
        var session = server.workers.next().welcome();

        assertThat(fail(session, "throw", "\"permanent\"")).satisfies(f -> {
            assertThat(f.getFailureClass()).isEqualTo("NON_RETRYABLE");
            assertThat(f.getMessage()).isEqualTo("no such user");
        });
        assertThat(fail(session, "throw", "\"later\"")).satisfies(f -> {
            assertThat(f.getFailureClass()).isEqualTo("RATE_LIMITED");
            assertThat(f.getRetryAfterMs()).isEqualTo(7_000);
        });
        assertThat(fail(session, "throw", "\"dependency\"")).satisfies(f -> {
            assertThat(f.getFailureClass()).isEqualTo("DEPENDENCY");
            assertThat(f.getMessage()).isEqualTo("smtp: timed out");
        });
        assertThat(fail(session, "throw", "\"other\"")).satisfies(f -> {
            assertThat(f.getFailureClass()).isEqualTo("APP_ERROR");
            assertThat(f.getMessage()).isEqualTo("IllegalArgumentException: other");
            assertThat(f.getDetail()).contains("WorkerTest").hasSizeLessThanOrEqualTo(8 * 1024);
        });
        assertThat(fail(session, "throw", "{}").getFailureClass()).isEqualTo("NON_RETRYABLE");
        assertThat(fail(session, "unknown", "1").getMessage()).contains("no handler for type 'unknown'");
    }

    private static WorkerFailure fail(FakeWorkers.Session session, String type, String json)
            throws InterruptedException {
        session.lease(FakeWorkers.lease(type, json));
        return session.take(session.failed);
    }

    @Test
    void onlyAJobThatStillRunsSaysThatItStarted() throws Exception {
        worker(timeless).start();
        var session = server.workers.next().welcome();
        session.lease(FakeWorkers.lease("echo", "1"));
        session.take(session.succeeded);
        LeaseRef blocked = session.lease(FakeWorkers.lease("block", "1"));
        assertThat(event()).isEqualTo("began 1");

        assertThat(taken(Duration.ofMillis(60), session.started)).isEqualTo(blocked);
        release.countDown();
        assertThat(taken(Duration.ofMillis(1), session.succeeded).getLease()).isEqualTo(blocked);
        assertThat(session.started).isEmpty();
    }

    @Test
    void manyResultsShareReports() throws Exception {
        Worker worker = worker(timeless).slots(2_000).start();
        var session = server.workers.next().welcome(20);
        Leases.Builder leases = Leases.newBuilder();
        for (int i = 0; i < 2_000; i++) {
            leases.addLeases(FakeWorkers.lease("echo", "1"));
        }
        session.send(ServerMessage.newBuilder().setLeases(leases));

        await().until(() -> !session.succeeded.isEmpty() && worker.running() == 0);
        moveUntil(Duration.ofMillis(1), () -> session.succeeded.size() == 2_000);
        assertThat(session.reports.get()).isLessThan(1_000);
        await().until(() -> {
            session.heartbeats.clear();
            return taken(Duration.ofMillis(20), session.heartbeats).getHeldCount() == 0;
        });
    }

    private int held(FakeWorkers.Session session) throws InterruptedException {
        session.heartbeats.clear();
        return session.take(session.heartbeats).getHeldCount();
    }

    @Test
    void heartbeatsListEverythingHeld() throws Exception {
        worker().start();
        var session = server.workers.next().welcome(20);
        LeaseRef blocked = session.lease(FakeWorkers.lease("block", "1"));
        assertThat(event()).isEqualTo("began 1");

        await().until(() -> session.take(session.heartbeats).getHeldList().contains(blocked));
        release.countDown();
        await().until(() -> held(session) == 0);
    }

    @Test
    void aCancelIsSeenByTheHandlerAndInterruptsItAfterAGrace() throws Exception {
        AtomicReference<String> told = new AtomicReference<>();
        worker().onCancel(ctx -> told.set(ctx.id())).start();
        var session = server.workers.next().welcome();
        LeaseRef blocked = session.lease(FakeWorkers.lease("block", "1"));
        assertThat(event()).isEqualTo("began 1");
        session.cancel(blocked);

        assertThat(event()).isEqualTo("interrupted, cancelled true");
        assertThat(session.take(session.failed).getLease()).isEqualTo(blocked);
        await().until(() -> told.get() != null);
    }

    @Test
    void aCancelRunsTheActionOfTheHandler() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        worker().cancelGrace(Duration.ofMinutes(1))
                .handle("wait", Object.class, (ctx, payload) -> {
                    ctx.onCancel(closed::countDown);
                    events.add("ready");
                    closed.await();
                    ctx.throwIfCancelled();
                    return null;
                })
                .start();
        var session = server.workers.next().welcome();
        LeaseRef waiting = session.lease(FakeWorkers.lease("wait", "1"));
        assertThat(event()).isEqualTo("ready");
        session.cancel(waiting);

        assertThat(session.take(session.failed).getMessage()).contains("CancellationException");
    }

    @Test
    void overItsTimeLimitAHandlerIsInterruptedAndTheAttemptFails() throws Exception {
        worker(timeless).start();
        var session = server.workers.next().welcome();
        session.lease(FakeWorkers.lease("block", "1").setTimeLimitMs(60));
        assertThat(event()).isEqualTo("began 1");

        WorkerFailure failure = taken(Duration.ofMillis(20), session.failed);
        assertThat(failure.getFailureClass()).isEqualTo("TIMEOUT");
        assertThat(failure.getMessage()).isEqualTo("over its time limit of 60 ms");
        assertThat(event()).startsWith("interrupted");
    }

    @Test
    void aResultThatWasNotAckedIsToldAgainAfterReconnecting() throws Exception {
        worker().start();
        var first = server.workers.next().welcome();
        first.ackResults = false;
        LeaseRef echoed = first.lease(FakeWorkers.lease("echo", "1"));
        first.take(first.succeeded);
        LeaseRef blocked = first.lease(FakeWorkers.lease("block", "1"));
        assertThat(event()).isEqualTo("began 1");
        first.drop();

        var second = server.workers.next();
        assertThat(second.hello.getHeldList()).containsExactlyInAnyOrder(echoed, blocked);
        assertThat(second.hello.getWorker()).isEqualTo(first.hello.getWorker());
        second.welcome();
        assertThat(second.take(second.succeeded).getLease()).isEqualTo(echoed);
        assertThat(second.take(second.started)).isEqualTo(blocked);
        release.countDown();
        assertThat(second.take(second.succeeded).getLease()).isEqualTo(blocked);
    }

    @Test
    void aResultFinishedWhileTheServerWasAwayIsDelivered() throws Exception {
        worker().start();
        var first = server.workers.next().welcome();
        LeaseRef blocked = first.lease(FakeWorkers.lease("block", "1"));
        assertThat(event()).isEqualTo("began 1");
        int port = server.port();
        server.close();
        release.countDown();

        try (FakeServer restarted = new FakeServer(port)) {
            var second = restarted.workers.next().welcome();
            assertThat(second.hello.getHeldList()).containsExactly(blocked);
            assertThat(second.take(second.succeeded).getLease()).isEqualTo(blocked);
        }
    }

    @Test
    void whatTheServerRevokesIsStoppedAndItsResultDropped() throws Exception {
        Worker worker = worker().start();
        var first = server.workers.next().welcome();
        LeaseRef gone = first.lease(FakeWorkers.lease("block", "1"));
        assertThat(event()).isEqualTo("began 1");
        first.drop();
        var second = server.workers.next().welcome(gone);
        assertThat(event()).isEqualTo("interrupted, cancelled false");
        assertThat(worker.running()).isZero();

        LeaseRef alsoGone = second.lease(FakeWorkers.lease("block", "1").setExecution(2));
        assertThat(event()).isEqualTo("began 2");
        second.ack(alsoGone, true);
        assertThat(event()).isEqualTo("interrupted, cancelled false");
        second.lease(FakeWorkers.lease("echo", "7"));
        assertThat(second.take(second.succeeded).getResult().toStringUtf8()).isEqualTo("7");
        assertThat(second.failed).isEmpty();
    }

    @Test
    void withoutRenewalJobsStopBeforeTheirLeaseIsOver() throws Exception {
        AtomicReference<Throwable> lost = new AtomicReference<>();
        server.workers.answerHeartbeats = false;
        worker(timeless)
                .handle("guarded", Object.class, (ctx, payload) -> {
                    events.add("guarded");
                    try {
                        release.await();
                    } catch (InterruptedException e) {
                        try {
                            ctx.checkLease();
                        } catch (LeaseLostException fenced) {
                            lost.set(fenced);
                        }
                    }
                    return "late";
                })
                .start();
        var session = server.workers.next().welcome(20_000);
        session.lease(FakeWorkers.lease("guarded", "1").setLeaseMs(200));
        assertThat(event()).isEqualTo("guarded");

        moveUntil(Duration.ofMillis(50), () -> lost.get() != null);
        session.lease(FakeWorkers.lease("echo", "1"));
        assertThat(taken(Duration.ofMillis(1), session.succeeded).getResult().toStringUtf8())
                .isEqualTo("1");
    }

    @Test
    void renewedJobsOutliveTheirFirstLease() throws Exception {
        worker(timeless).start();
        var session = server.workers.next().welcome(20);
        LeaseRef blocked = session.lease(FakeWorkers.lease("block", "1").setLeaseMs(150));
        assertThat(event()).isEqualTo("began 1");
        // 15 heartbeats of 20 ms are twice the lease.
        for (int i = 0; i < 15; i++) {
            taken(Duration.ofMillis(20), session.heartbeats);
        }
        release.countDown();

        assertThat(taken(Duration.ofMillis(1), session.succeeded).getLease()).isEqualTo(blocked);
        assertThat(events).isEmpty();
    }

    @Test
    void aServerThatNoLongerAnswersHeartbeatsIsLeft() throws Exception {
        worker().start();
        var deaf = server.workers.next().welcome(30);
        deaf.take(deaf.heartbeats);
        server.workers.answerHeartbeats = false;

        server.workers.next().welcome();
        assertThat(deaf.take(deaf.ends)).startsWith("error");
    }

    @Test
    void onlyTheJobThatIsAskedHandsOver() throws Exception {
        worker().handle("careful", String.class, (ctx, name) -> {
                    while (!ctx.handOverRequested() && !release.await(1, TimeUnit.MILLISECONDS)) {}
                    if (ctx.handOverRequested()) {
                        throw ctx.handOver();
                    }
                    return name;
                })
                .start();
        var session = server.workers.next().welcome();
        LeaseRef stays = session.lease(FakeWorkers.lease("careful", "\"stays\""));
        LeaseRef goes = session.lease(FakeWorkers.lease("careful", "\"goes\""));
        session.askHandOver(
                FakeWorkers.lease("careful", "\"of another worker\"").getLease());
        session.askHandOver(goes);

        assertThat(session.take(session.handedOver)).isEqualTo(goes);
        release.countDown();
        assertThat(session.take(session.succeeded).getLease()).isEqualTo(stays);
        assertThat(session.handedOver).isEmpty();
    }

    @Test
    void closingDrains() throws Exception {
        Worker worker = worker().start();
        var session = server.workers.next().welcome();
        LeaseRef blocked = session.lease(FakeWorkers.lease("block", "1"));
        assertThat(event()).isEqualTo("began 1");
        Thread closing = Thread.ofVirtual().start(worker::close);

        session.take(session.drains);
        assertThat(closing.isAlive()).isTrue();
        release.countDown();
        assertThat(session.take(session.succeeded).getLease()).isEqualTo(blocked);
        assertThat(session.take(session.ends)).isEqualTo("completed");
        assertThat(closing.join(Duration.ofSeconds(60))).isTrue();
        worker.awaitEnd(Duration.ZERO.plusMillis(1));
    }

    @Test
    void whatDoesNotFinishInTheDrainWindowIsGivenBackAtNoCost() throws Exception {
        Worker worker = worker().drainWindow(Duration.ofMillis(50)).start();
        var session = server.workers.next().welcome();
        session.lease(FakeWorkers.lease("block", "1"));
        assertThat(event()).isEqualTo("began 1");
        worker.close();

        assertThat(event()).startsWith("interrupted");
        WorkerFailure given = session.take(session.failed);
        assertThat(given.getFailureClass()).isEqualTo("RATE_LIMITED");
        assertThat(given.getRetryAfterMs()).isEqualTo(1);
    }

    @Test
    void aWorkerTheServerRefusesEndsAndSaysWhy() {
        try (Fairlane stranger = Fairlane.connect(server.url(), "wrong")) {
            Worker worker = Worker.of(stranger)
                    .handle("echo", Object.class, (ctx, payload) -> payload)
                    .start();

            assertThatThrownBy(() -> worker.awaitConnected(Duration.ofSeconds(60)))
                    .isInstanceOf(FairlaneException.Denied.class);
            assertThatThrownBy(() -> worker.awaitEnd(Duration.ofSeconds(60)))
                    .isInstanceOf(FairlaneException.Denied.class);
        }
    }

    @Test
    void aWorkerWithoutHandlersOrWithTwoForATypeIsRefused() {
        assertThatThrownBy(() -> Worker.of(fairlane).start()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> worker().handle("echo", Object.class, (ctx, p) -> p))
                .hasMessageContaining("'echo'");
    }
}
