package dev.fairlane.sdk;

import java.time.Instant;

/**
 * Both ends of a chain of the audit. Whoever keeps the hash elsewhere can prove later that nothing before it was altered.
 *
 * @param chain name of the tenant; empty for the system
 * @param sequence of the newest entry
 * @param hash of the newest entry
 * @param at when it was made
 * @param anchorSequence the last entry that was dropped because of its age, 0 for none
 * @param anchorHash its hash, to which the first entry that is kept is chained
 */
public record AuditHead(String chain, long sequence, String hash, Instant at, long anchorSequence, String anchorHash) {}
