/**
 * Where the parts meet: the memory of a node and the {@link dev.fairlane.core.shard.Engine} in front of it.
 *
 * <p>Jobs live in numbered slots of primitive arrays ({@code JobSlots}): about a hundred bytes for one that waits, links and timer
 * included, and no object. A job that was leased once also keeps its newest image, the very object its fact carried. The slot's
 * number is its name in every other structure: lanes, timing wheel, leases.
 *
 * <p>Hard state changes only in {@code apply} and {@code load}; {@code Engine} says which methods touch soft state.
 */
@NullMarked
package dev.fairlane.core.shard;

import org.jspecify.annotations.NullMarked;
