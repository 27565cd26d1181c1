package dev.fairlane.server.objects;

import java.time.Duration;

/**
 * @param checkpointBytesMax largest checkpoint
 * @param resultBytesMax largest result
 * @param concurrentMax transfers at once; further ones are refused as OVERLOADED
 * @param sweepEvery how often rubbish is looked for
 */
public record ObjectRules(long checkpointBytesMax, long resultBytesMax, int concurrentMax, Duration sweepEvery) {
    public static final ObjectRules DEFAULT = new ObjectRules(64L << 20, 256L << 20, 64, Duration.ofHours(1));
}
