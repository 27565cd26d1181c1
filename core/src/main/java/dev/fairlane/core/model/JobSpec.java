package dev.fairlane.core.model;

import java.util.Map;

/**
 * What was asked for, with every default filled in: it never changes after the submit.
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
        Map<String, String> headers) {}
