package dev.fairlane.core.model;

/**
 * What was used.
 *
 * @param executions that ended, however they did
 * @param slotMicros from lease to end, of all of them, each times its dominant slots
 * @param succeeded jobs that ended so after at least one execution; the same for the others
 */
public record Usage(long executions, long slotMicros, long succeeded, long dead, long cancelled, long expired) {
    public static final Usage NONE = new Usage(0, 0, 0, 0, 0, 0);

    public Usage plus(Usage more) {
        return new Usage(
                executions + more.executions,
                slotMicros + more.slotMicros,
                succeeded + more.succeeded,
                dead + more.dead,
                cancelled + more.cancelled,
                expired + more.expired);
    }

    /** Jobs that ran and came to their end. */
    public long jobs() {
        return succeeded + dead + cancelled + expired;
    }
}
