package dev.fairlane.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SubmitStreamTest {
    private FakeServer server = new FakeServer();
    private final Fairlane fairlane = server.connect();
    private final List<SubmitStream.Batch> batches = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        fairlane.close();
        server.close();
    }

    private int answered() {
        return batches.stream().mapToInt(SubmitStream.Batch::size).sum();
    }

    @Test
    void everyJobIsAnsweredOnceInOrder() {
        try (SubmitStream stream = fairlane.submitter()
                .batchSize(100)
                .window(4)
                .onBatch(batches::add)
                .open()) {
            for (int i = 0; i < 10_000; i++) {
                stream.submit(Job.of("t" + i));
            }
            stream.flush();
            assertThat(answered()).isEqualTo(10_000);
        }
        assertThat(server.submitted)
                .extracting(job -> job.getType())
                .startsWith("t0")
                .endsWith("t9999")
                .hasSize(10_000);
        assertThat(batches).allSatisfy(batch -> {
            assertThat(batch.error()).isNull();
            assertThat(batch.accepted()).isEqualTo(batch.size()).isLessThanOrEqualTo(100);
            assertThat(batch.id(0)).isNotEmpty();
            assertThat(batch.elapsed()).isPositive();
        });
    }

    @Test
    void aTrickleDoesNotWaitForAFullBatch() {
        try (SubmitStream stream = fairlane.submitter().onBatch(batches::add).open()) {
            stream.submit(Job.of("one"));
            await().until(() -> answered() == 1);
            stream.submit(Job.of("two"));
            await().until(() -> answered() == 2);
        }
    }

    @Test
    void jobsSubmittedTogetherFillTheirBatches() {
        try (SubmitStream stream =
                fairlane.submitter().batchSize(10).onBatch(batches::add).open()) {
            stream.submit(jobs("first", 7));
            stream.flush();
            stream.submit(jobs("more", 25));
        }
        assertThat(batches).extracting(SubmitStream.Batch::size).containsExactly(7, 10, 10, 5);
        assertThat(server.submitted)
                .extracting(job -> job.getType())
                .startsWith("first0")
                .endsWith("more24")
                .hasSize(32);
    }

    @Test
    void aJobThatCannotBeSentLeavesThoseBesideItUnsent() {
        try (SubmitStream stream = fairlane.submitter().onBatch(batches::add).open()) {
            assertThatThrownBy(() -> stream.submit(List.of(Job.of("fine"), Job.of("broken", new Object() {
                        @SuppressWarnings("unused")
                        public String getText() {
                            throw new IllegalStateException("cannot be read");
                        }
                    }))))
                    .isInstanceOf(RuntimeException.class);
        }
        assertThat(server.submitted).isEmpty();
    }

    private static List<Job> jobs(String type, int count) {
        return IntStream.range(0, count).mapToObj(i -> Job.of(type + i)).toList();
    }

    @Test
    void aFullWindowHoldsTheSubmitterBack() throws Exception {
        server.holdStreamAnswers = true;
        AtomicInteger submitted = new AtomicInteger();
        try (SubmitStream stream = fairlane.submitter()
                .batchSize(10)
                .window(2)
                .onBatch(batches::add)
                .open()) {
            Thread submitter = Thread.ofVirtual().start(() -> {
                for (int i = 0; i < 100; i++) {
                    stream.submit(Job.of("t"));
                    submitted.incrementAndGet();
                }
            });
            // One job alone in the first batch, a full second one, and a full one gathered.
            await().until(() -> submitted.get() == 21 && submitter.getState() == Thread.State.TIMED_WAITING);
            await().until(() -> server.submitted.size() == 11);

            Thread answering = Thread.ofVirtual().start(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    try {
                        server.heldAnswers.take().run();
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            });
            assertThat(submitter.join(Duration.ofSeconds(60))).isTrue();
            stream.flush();
            assertThat(answered()).isEqualTo(100);
            stream.close();
            answering.interrupt();
        }
    }

    @Test
    void aServerThatTakesBatchesAndNeverAnswersBreaksTheStream() {
        server.holdStreamAnswers = true;
        SubmitStream stream = fairlane.submitter()
                .answerWithin(Duration.ofMillis(50))
                .onBatch(batches::add)
                .open();
        stream.submit(Job.of("t"));

        assertThatThrownBy(stream::flush).isInstanceOf(FairlaneException.Unavailable.class);
        await().until(() -> answered() == 1);
        stream.close();
    }

    @Test
    void refusedItemsAreReportedInTheirBatch() {
        try (SubmitStream stream = fairlane.submitter().onBatch(batches::add).open()) {
            stream.submit(Job.of(""));
            stream.flush();
        }
        assertThat(batches).singleElement().satisfies(batch -> {
            assertThat(batch.accepted()).isZero();
            assertThat(batch.results().getFirst().refusal()).isInstanceOf(FairlaneException.Invalid.class);
        });
    }

    @Test
    void aBrokenStreamHandsBackEveryJobWithoutAnAnswer() {
        server.holdStreamAnswers = true;
        SubmitStream stream = fairlane.submitter()
                .batchSize(2)
                .window(2)
                .answerWithin(Duration.ofSeconds(5))
                .onBatch(batches::add)
                .open();
        for (int i = 0; i < 4; i++) {
            stream.submit(Job.of("t" + i));
        }
        await().until(() -> server.submitted.size() == 3);
        server.close();

        await().until(() -> answered() == 4);
        assertThat(batches).allSatisfy(batch -> {
            assertThat(batch.error()).isInstanceOf(FairlaneException.Unavailable.class);
            assertThat(batch.accepted()).isZero();
        });
        assertThat(batches.stream().flatMap(batch -> batch.jobs().stream()))
                .extracting(Job::type)
                .containsExactly("t0", "t1", "t2", "t3");
        assertThatThrownBy(() -> stream.submit(Job.of("t"))).isInstanceOf(FairlaneException.Unavailable.class);
        stream.close();
    }

    @Test
    void aLostConnectionIsMadeAgainAndWhatHasNoAnswerIsSentAgain() {
        server.holdStreamAnswers = true;
        try (SubmitStream stream = fairlane.submitter()
                .batchSize(2)
                .window(4)
                .onBatch(batches::add)
                .open()) {
            for (int i = 0; i < 5; i++) {
                stream.submit(Job.of("t" + i));
            }
            await().until(() -> server.submitted.size() == 5);
            List<String> before = List.copyOf(server.requestIds);
            int port = server.port();
            server.close();
            stream.submit(Job.of("t5"));
            server = new FakeServer(port);
            stream.flush();
            assertThat(server.requestIds).startsWith(before.toArray(String[]::new));
            assertThat(server.submitted)
                    .extracting(dev.fairlane.protocol.v1.NewJob::getType)
                    .containsExactly("t0", "t1", "t2", "t3", "t4", "t5");
        }
        assertThat(batches).allSatisfy(batch -> assertThat(batch.error()).isNull());
        assertThat(answered()).isEqualTo(6);
    }
}
