package dev.fairlane.core.model;

/**
 * A call that was taken before.
 *
 * @param first the first of its jobs that was accepted without a key of its own
 * @param mark what the taker wrote down about the call
 */
public record TakenRequest(JobId first, long mark) {}
