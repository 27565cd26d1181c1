package dev.fairlane.sdk.kafka;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;

/**
 * One broker in this JVM, started once. It ends with the JVM: an orderly stop can take longer than the build waits for a test JVM to
 * end, and nobody needs what is in it, which lies in the folder of the build.
 */
final class TestBroker {
    private static final KafkaClusterTestKit CLUSTER = start();

    private TestBroker() {}

    static String servers() {
        return CLUSTER.bootstrapServers();
    }

    static String freshTopic() throws Exception {
        String topic = "topic-" + UUID.randomUUID();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers()))) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        }
        return topic;
    }

    /** All that a reader of committed records sees. */
    static List<ConsumerRecord<String, String>> committed(String topic) {
        Properties config = new Properties();
        config.put("bootstrap.servers", servers());
        config.put("isolation.level", "read_committed");
        List<ConsumerRecord<String, String>> all = new ArrayList<>();
        try (Consumer<String, String> consumer =
                new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(all::add);
            }
        }
        return all;
    }

    private static KafkaClusterTestKit start() {
        try {
            KafkaClusterTestKit cluster = new KafkaClusterTestKit.Builder(new TestKitNodes.Builder()
                            .setCombined(true)
                            .setBaseDirectory(Files.createTempDirectory(
                                    Files.createDirectories(Path.of("target").toAbsolutePath()), "broker-"))
                            .setNumBrokerNodes(1)
                            .setNumControllerNodes(1)
                            .build())
                    .setConfigProp("offsets.topic.replication.factor", "1")
                    .setConfigProp("offsets.topic.num.partitions", "1")
                    .setConfigProp("transaction.state.log.replication.factor", "1")
                    .setConfigProp("transaction.state.log.min.isr", "1")
                    .setConfigProp("transaction.state.log.num.partitions", "1")
                    .setConfigProp("group.initial.rebalance.delay.ms", "0")
                    .build();
            cluster.format();
            cluster.startup();
            cluster.waitForReadyBrokers();
            return cluster;
        } catch (Exception e) {
            throw new IllegalStateException("the broker of the tests does not start", e);
        }
    }
}
