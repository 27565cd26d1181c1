package dev.fairlane.core.model;

/**
 * How far an execution says it is. Soft: it is told anew with the next change, and forgotten with the lease or the node.
 *
 * @param fraction 0 to 1, or {@link #UNKNOWN}
 * @param message for people, may be empty
 */
public record JobProgress(double fraction, String message, long toldAt) {
    public static final double UNKNOWN = -1;
}
