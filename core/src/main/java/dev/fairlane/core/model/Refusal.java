package dev.fairlane.core.model;

/**
 * A request that was understood and not granted.
 *
 * @param message what was expected, what came, what to do
 * @param retryAfterMicros when it may be worth asking again; 0: asking again will not help
 */
public record Refusal(RefusalCode code, String message, long retryAfterMicros) {}
