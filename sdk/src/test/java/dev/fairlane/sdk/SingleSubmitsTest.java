package dev.fairlane.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fairlane.protocol.v1.NewJob;
import dev.fairlane.protocol.v1.Problem;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One job at a time, by one thread and by many. */
class SingleSubmitsTest {
    private static final Duration WITHIN = Duration.ofSeconds(60);

    private FakeServer server = new FakeServer();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Fairlane fairlane = server.connect();

    @AfterEach
    void close() {
        fairlane.close();
        server.close();
        threads.close();
    }

    /** Of its own, to begin with the stream. */
    private SingleSubmits singles(Duration deadline) {
        return new SingleSubmits(fairlane, fairlane.calls(), deadline, Duration.ofMinutes(1));
    }

    private JobHandle share(SingleSubmits singles, String type) {
        Job job = Job.of(type);
        return singles.share(job, fairlane.encode(job));
    }

    private Future<JobHandle> submit(String type) {
        Callable<JobHandle> call = () -> fairlane.submit(Job.of(type));
        return threads.submit(call);
    }

    /** As many calls as go before others share, under way until their answers are taken from those held. */
    private List<Future<JobHandle>> hold() {
        server.holdAnswers = true;
        List<Future<JobHandle>> held = new ArrayList<>();
        for (int i = 0; i < SingleSubmits.CALLS_MAX; i++) {
            held.add(submit("held"));
        }
        await().until(() -> server.heldAnswers.size() == SingleSubmits.CALLS_MAX);
        return held;
    }

    private void letGo() throws InterruptedException {
        for (int i = 0; i < SingleSubmits.CALLS_MAX; i++) {
            server.heldAnswers.take().run();
        }
    }

    private String typeOf(Future<JobHandle> job) throws ExecutionException, InterruptedException {
        return typeOf(job.get());
    }

    private String typeOf(JobHandle job) {
        synchronized (server) {
            return server.jobs.get(job.id()).getType();
        }
    }

    private long calls(String method) {
        return server.calls.stream().filter(method::equals).count();
    }

    @Test
    void oneAfterTheOtherAreCalls() {
        fairlane.submit(Job.of("one"));
        fairlane.submit(Job.of("two"));
        assertThat(server.calls).containsExactly("Submit", "Submit");
    }

    @Test
    void whileSomeAreUnderWayOthersShareAStreamAndEachHasItsOwnAnswer() throws Exception {
        List<Future<JobHandle>> held = hold();
        List<Future<JobHandle>> others = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            others.add(submit("t" + i));
        }
        for (int i = 0; i < 200; i++) {
            assertThat(typeOf(others.get(i))).isEqualTo("t" + i);
            assertThat(others.get(i).get().position()).isEqualTo("1.8");
        }
        assertThat(held).noneMatch(Future::isDone);
        letGo();
        for (Future<JobHandle> call : held) {
            assertThat(typeOf(call)).isEqualTo("held");
        }
        assertThat(calls("Submit")).isEqualTo(SingleSubmits.CALLS_MAX);
        assertThat(calls("SubmitStream")).isEqualTo(1);
        assertThat(server.calls).hasSize(SingleSubmits.CALLS_MAX + 1);
    }

    @Test
    void beyondSomeUnderWayJobsGatherAndGoTogether() throws Exception {
        server.holdStreamAnswers = true;
        SingleSubmits singles = singles(WITHIN);
        List<Thread> waiting = new ArrayList<>();
        for (int i = 0; i < SingleSubmits.UNDER_WAY_MAX; i++) {
            waiting.add(Thread.ofVirtual().start(() -> share(singles, "first")));
            int messages = 1 + i;
            await().until(() -> server.requestIds.size() == messages);
        }
        for (int i = 0; i < 10; i++) {
            waiting.add(Thread.ofVirtual().start(() -> share(singles, "more")));
        }
        await().until(() -> waiting.stream().allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
        assertThat(server.requestIds).hasSize(SingleSubmits.UNDER_WAY_MAX);

        for (int i = 0; i < SingleSubmits.UNDER_WAY_MAX + 1; i++) {
            server.heldAnswers.take().run();
        }
        for (Thread thread : waiting) {
            assertThat(thread.join(Duration.ofSeconds(60))).isTrue();
        }
        assertThat(server.requestIds).hasSize(SingleSubmits.UNDER_WAY_MAX + 1);
        assertThat(server.submitted).hasSize(SingleSubmits.UNDER_WAY_MAX + 10);
    }

    @Test
    void oneThatIsRefusedIsRefusedAlone() throws Exception {
        hold();
        Future<JobHandle> bad = submit("");
        Future<JobHandle> good = submit("good");
        assertThatThrownBy(bad::get).hasCauseInstanceOf(FairlaneException.Invalid.class);
        assertThat(typeOf(good)).isEqualTo("good");
        letGo();
    }

    @Test
    void oneThatTheServerDidNotTakeIsTriedAgainAlone() {
        server.refuseItems = problem("RATE_LIMIT");
        server.refuseBatches = 1;
        assertThat(typeOf(share(singles(WITHIN), "again"))).isEqualTo("again");
        assertThat(server.calls).containsExactly("SubmitStream", "Submit");
        assertThat(server.submitted).hasSize(1);
    }

    @Test
    void oneOfWhichNobodyKnowsIsSentAgainUnderTheIdOfItsMessage() {
        server.refuseItems = problem("OUTCOME_UNKNOWN");
        server.refuseBatches = 1;
        assertThat(typeOf(share(singles(WITHIN), "again"))).isEqualTo("again");
        assertThat(server.calls).containsExactly("SubmitStream", "SubmitBatch");
        assertThat(server.requestIds).hasSize(2).containsOnly(server.requestIds.getFirst());
    }

    private static Problem problem(String code) {
        return Problem.newBuilder()
                .setCode(code)
                .setDetail("not now")
                .setRetryAfterMs(1)
                .build();
    }

    @Test
    void whatIsStillRefusedAtTheDeadlineIsSaid() {
        SingleSubmits singles = singles(Duration.ofSeconds(5));
        share(singles, "first");
        server.refuseItems = problem("DEPTH_LIMIT");
        server.refuseBatches = 1;
        server.refuse(FakeServer.problem(Status.Code.RESOURCE_EXHAUSTED, "DEPTH_LIMIT", "full", Duration.ofSeconds(5)));
        assertThatThrownBy(() -> share(singles, "full"))
                .isInstanceOf(FairlaneException.LimitReached.class)
                .hasMessageContaining("full");
        assertThat(server.calls).containsExactly("SubmitStream", "Submit");
    }

    @Test
    void whatHasNoAnswerIsSentAgainOverTheNextConnection() throws Exception {
        server.holdStreamAnswers = true;
        List<Future<JobHandle>> held = hold();
        Future<JobHandle> other = submit("other");
        await().until(() -> server.requestIds.size() == SingleSubmits.CALLS_MAX + 1);
        String id = server.requestIds.getLast();
        int port = server.port();
        server.close();
        server = new FakeServer(port);
        assertThat(typeOf(other)).isEqualTo("other");
        for (Future<JobHandle> call : held) {
            assertThat(typeOf(call)).isEqualTo("held");
        }
        assertThat(server.requestIds).contains(id);
    }

    @Test
    void anAnswerThatDoesNotComeIsSaidAndTheNextGoesAnotherWay() {
        share(singles(WITHIN), "connected");
        SingleSubmits singles = singles(Duration.ofSeconds(2));
        assertThatThrownBy(() -> share(singles, FakeServer.STUCK))
                .isInstanceOfSatisfying(
                        FairlaneException.class,
                        failure -> assertThat(failure.retryable()).isTrue());
        assertThat(typeOf(share(singles, "next"))).isEqualTo("next");
    }

    @Test
    void anInterruptEndsTheWaitAndTheLateAnswerGoesToNobodyElse() throws Exception {
        server.holdStreamAnswers = true;
        SingleSubmits singles = singles(WITHIN);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread impatient = Thread.ofVirtual().start(() -> {
            try {
                share(singles, "impatient");
            } catch (FairlaneException e) {
                thrown.set(e);
            }
        });
        await().until(() -> server.requestIds.size() == 1);
        impatient.interrupt();
        assertThat(impatient.join(WITHIN)).isTrue();
        assertThat(thrown.get())
                .isInstanceOf(FairlaneException.Unavailable.class)
                .hasMessageContaining("interrupted");

        Future<JobHandle> next = threads.submit(() -> share(singles, "next"));
        await().until(() -> server.requestIds.size() == 2);
        server.heldAnswers.take().run();
        server.heldAnswers.take().run();
        assertThat(typeOf(next)).isEqualTo("next");
    }

    @Test
    void aStreamThatNobodyUsesIsClosed() {
        SingleSubmits singles = new SingleSubmits(fairlane, fairlane.calls(), WITHIN, Duration.ofMillis(20));
        share(singles, "one");
        await().until(() -> server.streamsEnded.get() == 1);
        share(singles, "two");
        assertThat(calls("SubmitStream")).isEqualTo(2);
    }

    @Test
    void aClientThatIsClosedWaitsForAnswersThatAreUnderWay() throws Exception {
        server.holdStreamAnswers = true;
        SingleSubmits singles = singles(WITHIN);
        Future<JobHandle> other = threads.submit(() -> share(singles, "other"));
        await().until(() -> server.requestIds.size() == 1);
        Thread closing = Thread.ofVirtual().start(fairlane::close);
        await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
        server.heldAnswers.take().run();
        assertThat(typeOf(other)).isEqualTo("other");
        assertThat(closing.join(WITHIN)).isTrue();
    }

    @Test
    void aClosedClientSaysSo() {
        SingleSubmits singles = singles(WITHIN);
        share(singles, "one");
        NewJob two = fairlane.encode(Job.of("two"));
        fairlane.close();
        assertThatThrownBy(() -> singles.submit(Job.of("two"))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> singles.share(Job.of("two"), two)).isInstanceOf(IllegalStateException.class);
    }
}
