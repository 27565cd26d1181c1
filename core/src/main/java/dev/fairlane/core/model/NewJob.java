package dev.fairlane.core.model;

import java.util.Map;

/**
 * A job as a caller asks for it, shape already checked by the edge; zero and empty mean "default".
 *
 * @param priority 0 to 9, or −1 for the default
 * @param runAt 0: now
 * @param delayMicros added to the present when {@code runAt} is 0
 */
public record NewJob(
        String type,
        Payload payload,
        int payloadVersion,
        int priority,
        long runAt,
        long delayMicros,
        long notAfter,
        int maxAttempts,
        long timeLimitMicros,
        String idempotencyKey,
        long bodyHash,
        Map<String, String> tags,
        Map<String, String> headers,
        JobTerms terms) {
    public static final int DEFAULT_PRIORITY = 5;

    public static NewJob of(String type, Payload payload) {
        return new NewJob(type, payload, 0, -1, 0, 0, 0, 0, 0, "", 0, Map.of(), Map.of(), JobTerms.NONE);
    }

    /** The same under a key. */
    public NewJob keyed(String key, long hash) {
        return new NewJob(
                type,
                payload,
                payloadVersion,
                priority,
                runAt,
                delayMicros,
                notAfter,
                maxAttempts,
                timeLimitMicros,
                key,
                hash,
                tags,
                headers,
                terms);
    }

    /** A job that says nothing beyond the usual. */
    public NewJob(
            String type,
            Payload payload,
            int payloadVersion,
            int priority,
            long runAt,
            long delayMicros,
            long notAfter,
            int maxAttempts,
            long timeLimitMicros,
            String idempotencyKey,
            long bodyHash,
            Map<String, String> tags,
            Map<String, String> headers) {
        this(
                type,
                payload,
                payloadVersion,
                priority,
                runAt,
                delayMicros,
                notAfter,
                maxAttempts,
                timeLimitMicros,
                idempotencyKey,
                bodyHash,
                tags,
                headers,
                JobTerms.NONE);
    }
}
