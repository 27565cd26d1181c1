package dev.fairlane.core.model;

import java.util.Map;

/**
 * What was asked for, with every default filled in: it changes only while the job waits, as a whole and with a new revision.
 *
 * @param pool name of the pool the job was classified into
 * @param priority 0 (most urgent) to 9
 * @param payloadVersion the submitter's version of the payload's shape
 * @param runAt earliest start; equal to {@code submittedAt} when it may run at once
 * @param notAfter when it is no longer worth starting; 0 for never
 * @param maxAttempts attempts that count before it is DEAD
 * @param timeLimitMicros longest one attempt may run
 * @param idempotencyKey empty when there is none
 * @param bodyHash digest of what was asked (trace headers aside), to tell a repeated submit from a reused key
 */
public record JobSpec(
        JobId id,
        TenantId tenant,
        String type,
        String pool,
        int priority,
        Payload payload,
        int payloadVersion,
        long submittedAt,
        long runAt,
        long notAfter,
        int maxAttempts,
        long timeLimitMicros,
        String idempotencyKey,
        long bodyHash,
        Map<String, String> tags,
        Map<String, String> headers,
        JobTerms terms) {
    /** What it weighs beside its payload, about. */
    private static final int BYTES = 160;

    /** A job that says nothing beyond the usual. */
    public JobSpec(
            JobId id,
            TenantId tenant,
            String type,
            String pool,
            int priority,
            Payload payload,
            int payloadVersion,
            long submittedAt,
            long runAt,
            long notAfter,
            int maxAttempts,
            long timeLimitMicros,
            String idempotencyKey,
            long bodyHash,
            Map<String, String> tags,
            Map<String, String> headers) {
        this(
                id,
                tenant,
                type,
                pool,
                priority,
                payload,
                payloadVersion,
                submittedAt,
                runAt,
                notAfter,
                maxAttempts,
                timeLimitMicros,
                idempotencyKey,
                bodyHash,
                tags,
                headers,
                JobTerms.NONE);
    }

    /** What is counted of it as memory. */
    public int weight() {
        return BYTES + payload.bytes().length;
    }

    public JobSpec withTerms(JobTerms other) {
        return new JobSpec(
                id,
                tenant,
                type,
                pool,
                priority,
                payload,
                payloadVersion,
                submittedAt,
                runAt,
                notAfter,
                maxAttempts,
                timeLimitMicros,
                idempotencyKey,
                bodyHash,
                tags,
                headers,
                other);
    }

    public JobSpec withPayload(Payload other) {
        return new JobSpec(
                id,
                tenant,
                type,
                pool,
                priority,
                other,
                payloadVersion,
                submittedAt,
                runAt,
                notAfter,
                maxAttempts,
                timeLimitMicros,
                idempotencyKey,
                bodyHash,
                tags,
                headers,
                terms);
    }
}
