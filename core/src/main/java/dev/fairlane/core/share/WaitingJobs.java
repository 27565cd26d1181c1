package dev.fairlane.core.share;

/** What the tree must know of a job in a slot; answered by whoever keeps the jobs. */
public interface WaitingJobs {
    /** When the job was queued: its place in line and the start of its aging. */
    long queuedAt(int slot);

    /** Settles who is earlier among jobs queued in the same microsecond. */
    long sequence(int slot);

    /** 0 (most urgent) to 9. */
    int priority(int slot);
}
