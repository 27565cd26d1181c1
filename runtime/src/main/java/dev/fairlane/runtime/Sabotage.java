package dev.fairlane.runtime;

/**
 * Bugs the simulator plants to prove that it would find them. Real nodes run with {@link #NONE}, and nothing but the simulator
 * can build another node's configuration with anything else.
 *
 * @param ackBeforeCommit replies leave at once instead of waiting for their batch
 * @param readUncommitted reads leave at once, other replies wait
 * @param expireUndrained leases run out while calls, perhaps their heartbeats, still wait in the inbox
 */
public record Sabotage(boolean ackBeforeCommit, boolean readUncommitted, boolean expireUndrained) {
    public static final Sabotage NONE = new Sabotage(false, false, false);
}
