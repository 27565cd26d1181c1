package dev.fairlane.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many keys over the connections of one client. */
class ViewsTest {
    private final FakeServer server = new FakeServer();
    private final Fairlane fairlane = server.connect();
    private final Fairlane acme = fairlane.as("key-of-acme");
    private final Fairlane globex = fairlane.as("key-of-globex");
    private final List<SubmitStream.Batch> batches = new CopyOnWriteArrayList<>();

    @BeforeEach
    void admit() {
        server.keys.addAll(List.of("key-of-acme", "key-of-globex"));
    }

    @AfterEach
    void close() {
        fairlane.close();
        server.close();
    }

    private static void submitOne(SubmitStream stream) {
        stream.submit(Job.of("t"));
        stream.flush();
    }

    @Test
    void everyCallHasTheKeyOfItsView() {
        acme.submit(Job.of("t"));
        globex.submit(Job.of("t"));
        fairlane.submit(Job.of("t"));
        try (SubmitStream stream = globex.submitter().open()) {
            submitOne(stream);
        }
        assertThat(server.callers).containsExactly("key-of-acme", "key-of-globex", FakeServer.KEY, "key-of-globex");
    }

    @Test
    void aKeyThatCannotBeOneIsRefusedAtOnce() {
        assertThatThrownBy(() -> fairlane.as("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fairlane.as("a key")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void callsShareOneConnectionAndStreamsAnother() {
        List<SubmitStream> streams = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Fairlane view = i % 2 == 0 ? acme : globex.as("key-of-acme");
            view.submit(Job.of("t"));
            streams.add(view.submitter().open());
        }
        streams.forEach(ViewsTest::submitOne);
        assertThat(server.connections).hasSize(2);
        streams.forEach(SubmitStream::close);
        try (SubmitStream later = globex.submitter().open()) {
            submitOne(later);
        }
        assertThat(server.connections).hasSize(2);
    }

    @Test
    void streamsThatAreTooManyForOneConnectionShareSeveral() {
        try (Fairlane few = Fairlane.builder()
                        .address(server.url())
                        .key(FakeServer.KEY)
                        .streamsPerConnection(2)
                        .connect();
                SubmitStream first = few.submitter().open();
                SubmitStream second = few.as("key-of-acme").submitter().open()) {
            submitOne(first);
            submitOne(second);
            assertThat(server.connections).hasSize(1);
            try (SubmitStream third = few.submitter().open()) {
                submitOne(third);
                assertThat(server.connections).hasSize(2);
                first.close();
                try (SubmitStream inItsPlace = few.submitter().open();
                        SubmitStream besideTheThird = few.submitter().open()) {
                    submitOne(inItsPlace);
                    submitOne(besideTheThird);
                }
            }
            assertThat(server.connections).hasSize(2);
        }
    }

    @Test
    void aViewThatIsClosedTakesItsStreamsWithItAndNothingElse() {
        SubmitStream ofAcme = acme.submitter().onBatch(batches::add).open();
        SubmitStream ofGlobex = globex.submitter().open();
        ofAcme.submit(Job.of(FakeServer.STUCK));
        await().until(() -> server.submitted.size() == 1);

        acme.close();

        await().until(() -> batches.size() == 1);
        assertThat(batches.getFirst().error())
                .isInstanceOf(FairlaneException.Unavailable.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> ofAcme.submit(Job.of("t"))).isInstanceOf(FairlaneException.Unavailable.class);
        assertThatThrownBy(() -> acme.submit(Job.of("t"))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> acme.submitter().open()).isInstanceOf(IllegalStateException.class);
        ofAcme.close();
        submitOne(ofGlobex);
        globex.submit(Job.of("t"));
        fairlane.submit(Job.of("t"));
        assertThat(server.connections).hasSize(2);
    }

    @Test
    void theClientThatIsClosedTakesAllWithIt() {
        SubmitStream stream = acme.submitter().onBatch(batches::add).open();
        stream.submit(Job.of(FakeServer.STUCK));

        fairlane.close();

        await().until(() -> batches.size() == 1);
        assertThatThrownBy(stream::flush).isInstanceOf(FairlaneException.Unavailable.class);
        assertThatThrownBy(() -> acme.submit(Job.of("t"))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> fairlane.submit(Job.of("t"))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aCallbackThatDoesNotReturnHoldsBackItsOwnStreamAlone() throws Exception {
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger told = new AtomicInteger();
        SubmitStream slow = acme.submitter()
                .batchSize(1)
                .window(2)
                .onBatch(batch -> {
                    stuck.countDown();
                    awaitQuietly(released);
                    told.incrementAndGet();
                })
                .open();
        Thread submitter = Thread.ofVirtual().start(() -> {
            for (int i = 0; i < 100; i++) {
                slow.submit(Job.of("slow"));
            }
            slow.flush();
        });
        stuck.await();
        await().until(() -> submitter.getState() == Thread.State.TIMED_WAITING);
        try (SubmitStream other = globex.submitter().open()) {
            for (int i = 0; i < 1_000; i++) {
                other.submit(Job.of("t"));
            }
            other.flush();
        }
        assertThat(server.submitted.stream().filter(job -> job.getType().equals("slow")))
                .as("what a callback that does not keep up lets through")
                .hasSizeLessThan(10);
        released.countDown();
        assertThat(submitter.join(Duration.ofSeconds(60))).isTrue();
        assertThat(told).hasValue(100);
        slow.close();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aCallbackMaySubmitMoreThanTheWindowTakes() {
        AtomicInteger left = new AtomicInteger(50);
        SubmitStream[] stream = new SubmitStream[1];
        stream[0] = acme.submitter()
                .batchSize(2)
                .window(1)
                .onBatch(batch -> {
                    batches.add(batch);
                    if (left.getAndAdd(-10) > 0) {
                        for (int i = 0; i < 10; i++) {
                            stream[0].submit(Job.of("t"));
                        }
                    }
                })
                .open();
        stream[0].submit(Job.of("t"));
        await().until(() -> batches.stream().mapToInt(SubmitStream.Batch::size).sum() == 51);
        stream[0].close();
    }

    @Test
    void aCallbackThatThrowsBreaksItsStreamAndSaysWhy() {
        SubmitStream stream = acme.submitter()
                .onBatch(batch -> {
                    throw new IllegalArgumentException("no room on the shelf");
                })
                .open();
        try (SubmitStream other = globex.submitter().open()) {
            stream.submit(Job.of("t"));
            assertThatThrownBy(stream::flush).hasMessageContaining("no room on the shelf");
            submitOne(other);
        }
        assertThatThrownBy(() -> stream.submit(Job.of("t"))).hasMessageContaining("no room on the shelf");
        stream.close();
        assertThat(server.connections).hasSize(1);
    }

    @Test
    void whoHadNoAnswerInTimeIsFollowedByOthersOverANewConnection() {
        try (SubmitStream healthy = globex.submitter().open()) {
            submitOne(healthy);
            SubmitStream stuck =
                    acme.submitter().answerWithin(Duration.ofMillis(50)).open();
            stuck.submit(Job.of(FakeServer.STUCK));
            assertThatThrownBy(stuck::flush).isInstanceOf(FairlaneException.Unavailable.class);
            stuck.close();
            submitOne(healthy);
            assertThat(server.connections).hasSize(1);
            await().untilAsserted(() -> {
                try (SubmitStream next = acme.submitter().open()) {
                    submitOne(next);
                }
                assertThat(server.connections).hasSize(2);
            });
        }
    }
}
