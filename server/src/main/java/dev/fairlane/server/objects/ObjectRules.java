package dev.fairlane.server.objects;

import java.time.Duration;

/**
 * @param checkpointBytesMax largest checkpoint
 * @param resultBytesMax largest result
 * @param payloadBytesMax largest payload that is stored apart
 * @param uploadKept how long such a payload waits for its job
 * @param concurrentMax transfers at once; further ones are refused as OVERLOADED
 * @param sweepEvery how often rubbish is looked for
 */
public record ObjectRules(
        long checkpointBytesMax,
        long resultBytesMax,
        long payloadBytesMax,
        Duration uploadKept,
        int concurrentMax,
        Duration sweepEvery) {
    public static final ObjectRules DEFAULT =
            new ObjectRules(64L << 20, 256L << 20, 256L << 20, Duration.ofHours(24), 64, Duration.ofHours(1));
}
