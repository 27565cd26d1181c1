package dev.fairlane.runtime;

/**
 * What a node would do next if nobody called it; for whoever moves its clock.
 *
 * @param position everything decided so far
 * @param now the node's time
 * @param settled everything taken is committed and nothing is due
 * @param leased jobs that workers hold
 * @param lastToken of the leases given to workers so far
 * @param nextDueAt when a job's time comes next, at the earliest; {@code Long.MAX_VALUE} for never
 */
public record Outlook(Position position, long now, boolean settled, int leased, long lastToken, long nextDueAt) {}
