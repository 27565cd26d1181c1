package dev.fairlane.runtime;

/** Bugs the simulator plants to prove that it would find them. Real nodes run with none of them. */
public enum Sabotage {
    /** Replies leave at once instead of waiting for their batch. */
    ACK_BEFORE_COMMIT,
    /** Reads leave at once, other replies wait. */
    READ_UNCOMMITTED,
    /** Leases run out while calls, perhaps their heartbeats, still wait in the inbox. */
    EXPIRE_UNDRAINED,
    /** Tokens are counted from the first epoch again after every start. */
    REUSE_TOKENS,
    /** A node that may have lost its log long ago answers from memory. */
    ANSWER_WITHOUT_TENURE,
    /** Keys leave memory by their age alone, stored or not. */
    SEAL_KEYS_UNSTORED,
    /** A start does not learn which keys are stored. */
    FORGET_SEALED_KEYS
}
