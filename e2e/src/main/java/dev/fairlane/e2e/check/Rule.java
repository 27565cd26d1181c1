package dev.fairlane.e2e.check;

/** What can be broken. */
public enum Rule {
    /** I1: an acked job was not found, or is missing from the list. */
    LOST,
    /** I1: an acked job has not ended although everything was healed and drained. */
    NEVER_ENDED,
    /** I1: a job that had ended was seen in another state later. */
    END_CHANGED,
    /** I1: a job is listed more than once. */
    LISTED_TWICE,
    /** I1: a job succeeded although no worker did it, or ran again after it had been seen at its end. */
    END_WITHOUT_EFFECT,
    /** I1: a job ran again after it had been seen at its end. */
    STARTED_AFTER_END,
    /** I1: the server refused the call and did it all the same. */
    REFUSED_BUT_DONE,
    /** I1: there is a job nobody submitted, or two for one call. */
    INVENTED,
    /** I1: a job was not asked for in a reading of everything; the checker itself is at fault. */
    NOT_READ,
    /** I2: an outcome was accepted with a token older than the newest one. */
    STALE_ACCEPTED,
    /** I2: tokens of a job did not grow, or one was given twice. */
    TOKEN_REPEATED,
    /** I3: one idempotency key, two jobs. */
    KEY_DOUBLED,
    /** I3: the same call under the same key was refused although it had been acked before. */
    KEY_FORGOTTEN,
    /** I4: an attempt began after the cancel had been acked. */
    STARTED_AFTER_CANCEL,
    /** I4: a running handler did not hear of the cancel within a second of contact. */
    CANCEL_UNHEARD,
    /** I5: a tick of a schedule made two jobs, or there is a job of a tick that is none. */
    TICK_DOUBLED,
    /** I5: the job of a tick began before it. */
    TICK_EARLY,
    /** I5: a tick made no job, though every one is to be made up for. */
    TICK_MISSED,
    /** I7: a chain of the audit does not verify. */
    AUDIT_BROKEN,
    /** I7: an acked change has no entry in the audit, or more than one. */
    AUDIT_MISSING,
    /** I9: more executions with live leases ran at one instant than a limit says. */
    OVER_LIMIT,
    /** I9: more jobs were accepted than a quota says. */
    OVER_QUOTA
}
