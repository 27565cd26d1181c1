package dev.fairlane.core.shard;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Lease;

/** A job chosen for a worker: the fact to apply and journal, and the lease to send once it is committed. */
public record Picked(Fact.JobChanged fact, Lease lease) {}
