/**
 * Deterministic simulation: the real core and runtime over the in-memory journal, on one thread, from one seed.
 *
 * <p><b>A world</b> has one store, one start of a node after the other (and at times beside the other), clients and workers. Everything
 * that happens is an event on an {@link dev.fairlane.sim.event.Agenda}, ordered by virtual time and then by who came first; every delay
 * and every choice comes from the seed. Real are {@code Engine}, {@code LocalNode} and {@code InMemoryStore}; simulated are clocks, the
 * network, the order of the store's steps, clients, workers and what breaks.
 *
 * <p><b>Swarm.</b> A seed first draws a {@link dev.fairlane.sim.world.Scenario}: which kinds of faults happen, how often, and bounds for
 * the nodes, often tiny ones, and which {@link dev.fairlane.sim.world.Part}s clients and workers use beyond plain jobs. Worlds in which
 * only some things break find more than worlds in which everything does.
 *
 * <p><b>Judging.</b> An {@link dev.fairlane.sim.seen.Observer} stands at the nodes' boundary. It sees what arrives and what leaves, shows it
 * to small {@link dev.fairlane.sim.invariant.Invariant}s, and never looks inside. After a while everything heals: all promised jobs have to
 * end, the last node stops in good order, and the store is compared with what was seen.
 *
 * <p><b>Time is monotone for the observer.</b> A read is held against what anybody had been shown when it <em>arrived</em> at the node, not
 * when it is answered: what happens in between may or may not be in it. A node that lost its log while its own lease had not lapsed is
 * the one exception: until it hears of that it may tell old news. (With several nodes, takeovers wait for the lease, and the exception
 * goes.)
 *
 * <p><b>Planted bugs</b> ({@link dev.fairlane.sim.Plant}) prove that the simulator sees. Each has to be found by a seed that finds nothing
 * without it.
 */
@NullMarked
package dev.fairlane.sim;

import org.jspecify.annotations.NullMarked;
