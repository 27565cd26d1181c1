/**
 * A small world around real nodes: clients, workers, a network and a store, all made of events on one agenda, and somebody who breaks
 * things. Everything here is simulated but the nodes and the journal.
 */
@NullMarked
package dev.fairlane.sim.world;

import org.jspecify.annotations.NullMarked;
