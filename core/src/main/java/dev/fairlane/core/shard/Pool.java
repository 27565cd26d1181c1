package dev.fairlane.core.shard;

import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.share.FairTree;

/** A pool with its tree; {@code number} is its place in the configuration. */
record Pool(int number, PoolRules rules, FairTree tree) {}
