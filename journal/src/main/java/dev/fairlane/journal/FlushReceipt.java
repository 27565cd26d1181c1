package dev.fairlane.journal;

/** Which segment took the added and changed rows. When it differs from the receipt before, the earlier segment is sealed. */
public record FlushReceipt(int segment) {}
