package dev.fairlane.core.shard;

/**
 * A breaker as people see it.
 *
 * @param openedAt when it opened, or when its last probe failed; 0 while it is closed
 * @param nextProbeAt when the next probe may go through; 0 while it is closed
 * @param heldBack retries that wait for it
 * @param failing failures in its window
 */
public record BreakerState(
        String dependency, boolean open, long openedAt, long nextProbeAt, int heldBack, int failing) {}
