package dev.fairlane.sdk.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobHandle;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.JobState;
import dev.fairlane.sdk.LeaseLostException;
import dev.fairlane.sdk.Worker;
import dev.fairlane.sdk.testing.TestFairlane;
import dev.fairlane.sdk.testing.TestJobContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KafkaOnceTest {
    private final KafkaOnce<String, String> once = KafkaOnce.connect(
            Map.of("bootstrap.servers", TestBroker.servers()), new StringSerializer(), new StringSerializer());

    @AfterEach
    void close() {
        once.close();
    }

    @Test
    void aJobThatFailsAfterSendingSendsOnce() throws Exception {
        String topic = TestBroker.freshTopic();
        AtomicInteger runs = new AtomicInteger();
        // A first call on a busy machine may take a second: its job must not run out of time over it.
        try (TestFairlane test =
                TestFairlane.builder().patience(Duration.ofSeconds(20)).start()) {
            test.worker("order", String.class, (ctx, order) -> {
                boolean sent = once.send(ctx, List.of(record(topic, order + " 1"), record(topic, order + " 2")));
                if (runs.incrementAndGet() == 1) {
                    throw new IllegalStateException("after sending");
                }
                return sent;
            });
            JobInfo job = test.run(Job.of("order", "tea"));
            assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
            assertThat(job.result(Boolean.class)).isFalse();
        }
        assertThat(runs).hasValue(2);
        assertThat(values(topic)).containsExactly("tea 1", "tea 2");
    }

    @Test
    void aJobWhoseWorkerDiesAfterSendingSendsOnce() throws Exception {
        String topic = TestBroker.freshTopic();
        CountDownLatch sent = new CountDownLatch(1);
        try (TestFairlane test = TestFairlane.start()) {
            Worker dying = test.worker("order", String.class, (ctx, order) -> {
                once.send(ctx, List.of(record(topic, order)));
                sent.countDown();
                new CountDownLatch(1).await();
                return null;
            });
            JobHandle job = test.client().submit(Job.of("order", "tea"));
            sent.await();
            dying.kill();
            test.worker("order", String.class, (ctx, order) -> once.send(ctx, List.of(record(topic, order))));
            assertThat(test.finish(job).result(Boolean.class)).isFalse();
        }
        assertThat(values(topic)).containsExactly("tea");
    }

    /** The first attempt hangs with a transaction under way, as a stopped process would; then it wants to commit. */
    @Test
    void whatAnEarlierAttemptHasUnderWayIsAborted() throws Exception {
        String topic = TestBroker.freshTopic();
        TestJobContext first = TestJobContext.of("order");
        try (Producer<String, String> zombie = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        TestBroker.servers(),
                        "transactional.id",
                        KafkaOnce.PREFIX + first.effectKey()),
                new StringSerializer(),
                new StringSerializer())) {
            zombie.initTransactions();
            zombie.beginTransaction();
            zombie.send(record(topic, "of the dead")).get();
            assertThat(once.send(first.nextAfterCrash(), List.of(record(topic, "of the living"))))
                    .isTrue();
            assertThatThrownBy(zombie::commitTransaction).isInstanceOf(ProducerFencedException.class);
        }
        assertThat(values(topic)).containsExactly("of the living");
    }

    @Test
    void effectsOfOneJobAreToldApartByTheirNames() throws Exception {
        String topic = TestBroker.freshTopic();
        TestJobContext context = TestJobContext.of("order");
        assertThat(once.send(context, context.effectKey().of("order"), List.of(record(topic, "order"))))
                .isTrue();
        assertThat(once.send(context, context.effectKey().of("bill"), List.of(record(topic, "bill"))))
                .isTrue();
        assertThat(once.send(context.next(), context.effectKey().of("bill"), List.of(record(topic, "bill"))))
                .isFalse();
        assertThat(values(topic)).containsExactly("order", "bill");
    }

    @Test
    void nothingIsSentWithoutTheLease() throws Exception {
        String topic = TestBroker.freshTopic();
        TestJobContext lost = TestJobContext.of("order");
        lost.loseLease();
        assertThatThrownBy(() -> once.send(lost, List.of(record(topic, "tea")))).isInstanceOf(LeaseLostException.class);
        assertThat(values(topic)).isEmpty();
    }

    @Test
    void readersDropWhatTheyHaveSeen() throws Exception {
        String topic = TestBroker.freshTopic();
        TestJobContext context = TestJobContext.of("click");
        try (Producer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", TestBroker.servers()), new StringSerializer(), new StringSerializer())) {
            for (TestJobContext attempt : List.of(context, context.next())) {
                producer.send(EffectHeader.on(record(topic, "a"), attempt.effectKey(), 0));
                producer.send(EffectHeader.on(record(topic, "b"), attempt.effectKey(), 1));
            }
            producer.send(record(topic, "without"));
            producer.send(record(topic, "without"));
        }
        SeenEffects seen = SeenEffects.last(1_000);
        assertThat(TestBroker.committed(topic).stream().filter(seen::isNew).map(ConsumerRecord::value))
                .containsExactly("a", "b", "without", "without");
    }

    private static ProducerRecord<String, String> record(String topic, String value) {
        return new ProducerRecord<>(topic, "key", value);
    }

    private static List<String> values(String topic) {
        return TestBroker.committed(topic).stream().map(ConsumerRecord::value).toList();
    }
}
