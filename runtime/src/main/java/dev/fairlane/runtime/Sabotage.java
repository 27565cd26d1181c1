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
    FORGET_SEALED_KEYS,
    /** A start does not learn which waiting jobs the flushes left out. */
    FORGET_LEFT_OUT,
    /** A start does not learn which gates are closed. */
    FORGET_GATES,
    /** A start does not learn which open jobs are the only ones of their kind. */
    FORGET_KINDS,
    /** A start learns of caps only after it has learnt which executions are under way. */
    FORGET_CAPPED,
    /** The last end of a member that is replayed from the tail is counted once more. */
    COUNT_MEMBERS_TWICE,
    /** The callback of a group is submitted a moment after the group is done, not in the same step. */
    CALL_BACK_LATER,
    /** A change is written down in the audit a moment later, not in the same step. */
    AUDIT_LATER,
    /** A checkpoint counts under any token. */
    CHECKPOINT_ANY_TOKEN,
    /** A dead job is brought back from memory, its end stored or not. */
    REPLAY_UNFLUSHED,
    /** A change is made whatever the revision is. */
    IGNORE_REVISION,
    /** Schedules go back with a store whose clock was put back. */
    TICKS_FOLLOW_CLOCK,
    /** A schedule is moved past its tick a moment after the tick's job was added, not in the same step. */
    RECORD_TICKS_LATER,
    /** A far job that is read in the store is let in whatever became of it meanwhile. */
    LET_FAR_JOBS_IN_TWICE,
    /** Loading ahead goes on a moment behind what it looked at last. */
    FORGET_FAR_JOBS
}
