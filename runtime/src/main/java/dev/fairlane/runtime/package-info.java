/**
 * The life of a node between its edges and its journal.
 *
 * <p>{@link dev.fairlane.runtime.NodeLoop} is one thread's work: drain what came in, decide and apply, fire timers, pick for
 * free slots, hand the turn's facts to {@link dev.fairlane.runtime.GroupCommit}. While one commit is under way the next turns'
 * facts gather: batching by itself, no added delay. Everything the outside hears, reads included, is parked on the batch it
 * rests on and leaves when that batch is committed. {@link dev.fairlane.runtime.Projection} turns committed facts into rows, lazily.
 *
 * <p>Nothing here makes a thread or reads a clock: executors and time are handed in, and {@code NodeLoop.turn()} may be driven by a
 * real thread or by the simulator. All state of a node is touched by the loop only; other threads reach it through the
 * {@link dev.fairlane.runtime.Inbox}.
 */
@NullMarked
package dev.fairlane.runtime;

import org.jspecify.annotations.NullMarked;
