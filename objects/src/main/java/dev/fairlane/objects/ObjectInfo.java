package dev.fairlane.objects;

import java.time.Instant;

/** @param changedAt when it was written, by the store's clock */
public record ObjectInfo(String name, long size, Instant changedAt) {}
