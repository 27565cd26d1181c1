package dev.fairlane.sdk.kafka;

import dev.fairlane.sdk.EffectKey;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Says on a record which effect of which job it is: the same on every attempt. */
public final class EffectHeader {
    /** Name of the header. */
    public static final String NAME = "fairlane-effect";

    private EffectHeader() {}

    /**
     * The record with its header.
     *
     * @param number of the record among those of the effect, the same on every attempt; 0 for an only one
     */
    public static <K, V> ProducerRecord<K, V> on(ProducerRecord<K, V> record, EffectKey key, int number) {
        Headers headers = new RecordHeaders(record.headers().toArray());
        headers.remove(NAME);
        headers.add(NAME, (key.value() + "#" + number).getBytes(StandardCharsets.UTF_8));
        return new ProducerRecord<>(
                record.topic(), record.partition(), record.timestamp(), record.key(), record.value(), headers);
    }

    /** What identifies the record over all attempts of its job; empty for records without the header. */
    public static Optional<String> of(ConsumerRecord<?, ?> record) {
        Header header = record.headers().lastHeader(NAME);
        return header == null || header.value() == null
                ? Optional.empty()
                : Optional.of(new String(header.value(), StandardCharsets.UTF_8));
    }
}
