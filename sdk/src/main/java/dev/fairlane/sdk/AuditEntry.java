package dev.fairlane.sdk;

import java.time.Instant;

/**
 * A change of the control plane, as it stands in the audit. What is not there is empty; digests and hashes are SHA-256 in hexadecimal.
 *
 * @param chain name of the tenant it concerns; empty for the system
 * @param sequence counted from 1 in its chain, without gaps
 * @param requestId what the call's {@code Idempotency-Key} said
 * @param requestDigest of the request message
 * @param action what was done, like {@code tenant.put} or {@code job.cancel}
 * @param target to what, like {@code tenant/acme}
 * @param reason as the caller gave it; empty, too, if it was erased
 * @param reasonDigest of the reason as it was given; stays when the reason is erased
 * @param beforeDigest of the target before, where it is a tenant or a type
 * @param hash over the hash of the entry before and all of this but the text of the reason
 */
public record AuditEntry(
        String chain,
        long sequence,
        Instant at,
        String keyId,
        String keyName,
        String role,
        String requestId,
        String traceId,
        String requestDigest,
        String action,
        String target,
        String summary,
        String reason,
        String reasonDigest,
        String beforeDigest,
        String afterDigest,
        String hash) {}
