package dev.fairlane.journal;

/**
 * One turn's facts in stored form.
 *
 * @param sequence 1, 2, 3, … without a gap inside a log
 * @param bytes what {@link FactCodec} made of the facts and their time
 * @param hash SHA-256 over the hash of the batch before (the log's genesis hash for the first) and {@code bytes}
 */
public record Batch(long sequence, byte[] bytes, byte[] hash) {}
