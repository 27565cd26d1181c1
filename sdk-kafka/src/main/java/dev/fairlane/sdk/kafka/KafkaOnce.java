package dev.fairlane.sdk.kafka;

import dev.fairlane.sdk.DependencyFailedException;
import dev.fairlane.sdk.EffectKey;
import dev.fairlane.sdk.JobContext;
import dev.fairlane.sdk.LeaseLostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Sends the records of a job once.
 *
 * <p>Each effect has a transactional id and a consumer group of its own, both named after the effect key. An attempt first takes over the
 * transactional id, which ends whatever an earlier attempt has under way: what that had committed stays, the rest is aborted, and it
 * can commit nothing any more. Then it asks whether the group has an offset. If so, an earlier attempt was here, and nothing is sent.
 * If not, the records and an offset of the group, the mark, are committed in one transaction. Whoever reads with
 * {@code isolation.level=read_committed} sees the records of exactly one attempt.
 *
 * <p>What it does not do, and what it costs:
 *
 * <ul>
 *   <li>Readers with the default {@code read_uncommitted} also see what was aborted.
 *   <li>The mark lives as long as the broker keeps offsets of idle groups, {@code offsets.retention.minutes}, by default 7 days. A job that
 *       is replayed from the dead letters later than that sends again: raise it to 14 days or more.
 *   <li>An effect costs a producer, some round trips, and a group and a transactional id that the broker remembers for days. It is made
 *       for orders, not for clicks: hundreds a second on a cluster. For more, use {@link EffectHeader} with an ordinary producer.
 *   <li>The credential needs the rights to use transactional ids and groups that begin with the {@linkplain #connect prefix}.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class KafkaOnce<K, V> implements AutoCloseable {
    /** What transactional ids and groups begin with. */
    public static final String PREFIX = "fairlane-effect-";

    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(5);
    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(30);
    private static final String DEPENDENCY = "kafka";

    private final Map<String, Object> config;
    private final Serializer<K> keys;
    private final Serializer<V> values;
    private final Admin admin;

    private KafkaOnce(Map<String, Object> config, Serializer<K> keys, Serializer<V> values) {
        this.config = Map.copyOf(config);
        this.keys = Objects.requireNonNull(keys, "keys");
        this.values = Objects.requireNonNull(values, "values");
        Map<String, Object> forAdmin = new HashMap<>(config);
        forAdmin.keySet().retainAll(AdminClientConfig.configNames());
        this.admin = Admin.create(forAdmin);
    }

    /**
     * Prepares sending.
     *
     * @param config of the producers: at least {@code bootstrap.servers}, and what security needs; {@code transactional.id} is set here
     */
    public static <K, V> KafkaOnce<K, V> connect(Map<String, Object> config, Serializer<K> keys, Serializer<V> values) {
        return new KafkaOnce<>(config, keys, values);
    }

    /**
     * Sends the records unless an attempt of this job has sent them. They are committed when this returns.
     *
     * @return whether they were sent now
     * @throws LeaseLostException if the lease is lost, or another attempt took over; nothing was sent
     * @throws DependencyFailedException if Kafka does not do it; whether the records were committed is then found out by the next attempt
     */
    public boolean send(JobContext context, List<ProducerRecord<K, V>> records) {
        return send(context, context.effectKey(), records);
    }

    /**
     * The same for one of several effects of a job.
     *
     * @param key from {@link EffectKey#of}, so that every attempt names it alike
     */
    public boolean send(JobContext context, EffectKey key, List<ProducerRecord<K, V>> records) {
        if (records.isEmpty()) {
            throw new IllegalArgumentException("expected at least one record, but got none");
        }
        context.checkLease();
        Producer<K, V> producer = producer(key);
        try {
            producer.initTransactions();
            if (marked(key)) {
                return false;
            }
            transact(producer, context, key, records);
            return true;
        } catch (ProducerFencedException | InvalidProducerEpochException fenced) {
            throw tookOver(context, fenced);
        } catch (InterruptException interrupted) {
            throw interrupted; // over the time limit, cancelled, or the worker goes: not Kafka's fault
        } catch (KafkaException failed) {
            if (failed.getCause() instanceof ProducerFencedException
                    || failed.getCause() instanceof InvalidProducerEpochException) {
                throw tookOver(context, failed);
            }
            throw new DependencyFailedException(DEPENDENCY, "the records of " + key + " could not be sent", failed);
        } finally {
            producer.close(CLOSED_WITHIN);
        }
    }

    private void transact(
            Producer<K, V> producer, JobContext context, EffectKey key, List<ProducerRecord<K, V>> records) {
        producer.beginTransaction();
        int number = 0;
        for (ProducerRecord<K, V> record : records) {
            producer.send(EffectHeader.on(record, key, number++));
        }
        // Any partition will do for the mark; this one exists.
        TopicPartition place = new TopicPartition(records.getFirst().topic(), 0);
        producer.sendOffsetsToTransaction(
                Map.of(place, new OffsetAndMetadata(0, "execution " + context.execution())),
                new ConsumerGroupMetadata(PREFIX + key));
        if (!context.leaseValid()) {
            producer.abortTransaction();
            context.checkLease();
        }
        producer.commitTransaction();
    }

    private boolean marked(EffectKey key) {
        try {
            return admin
                    .listConsumerGroupOffsets(PREFIX + key, new ListConsumerGroupOffsetsOptions().requireStable(true))
                    .partitionsToOffsetAndMetadata()
                    .get(ANSWERED_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                    .values()
                    .stream()
                    .anyMatch(Objects::nonNull);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new DependencyFailedException(DEPENDENCY, "whether " + key + " was sent could not be found out", e);
        }
    }

    private Producer<K, V> producer(EffectKey key) {
        Map<String, Object> own = new HashMap<>(config);
        own.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, PREFIX + key);
        own.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        own.put(ProducerConfig.ACKS_CONFIG, "all");
        own.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, ANSWERED_WITHIN.toMillis());
        return new KafkaProducer<>(own, keys, values);
    }

    private static LeaseLostException tookOver(JobContext context, KafkaException why) {
        LeaseLostException lost = new LeaseLostException(
                "job " + context.id() + ": another attempt than execution " + context.execution() + " took over");
        lost.initCause(why);
        return lost;
    }

    @Override
    public void close() {
        admin.close(CLOSED_WITHIN);
    }
}
