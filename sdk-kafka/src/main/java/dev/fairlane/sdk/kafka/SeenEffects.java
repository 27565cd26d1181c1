package dev.fairlane.sdk.kafka;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The reader's side of {@link EffectHeader}: tells a record that has been here before. Keeps the last so many in memory, so it is as
 * good as the distance between two attempts is short, and a restart forgets everything; a reader that must never take a record
 * twice keeps what {@link EffectHeader#of} says in its own database, under a unique key. Not thread-safe, as consumers are not.
 */
public final class SeenEffects {
    private final Map<String, Boolean> seen;

    private SeenEffects(int most) {
        this.seen = new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                return size() > most;
            }
        };
    }

    /** Remembers the last so many effects, about 150 bytes each. */
    public static SeenEffects last(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("expected to remember at least one, but got " + most);
        }
        return new SeenEffects(most);
    }

    /** Whether this is the first time; always true for records without the header. */
    public boolean isNew(ConsumerRecord<?, ?> record) {
        return EffectHeader.of(record)
                .map(effect -> seen.putIfAbsent(effect, true) == null)
                .orElse(true);
    }
}
