/**
 * Other job libraries behind the orders that {@code bench} gives its own client and worker: one line in, one line of JSON out. Each
 * {@link dev.fairlane.peers.Library} is set up as its own documentation recommends for throughput; what it is set to stands beside its figures.
 *
 * <p>Everything here errs in a peer's favour. A job counts as finished when its handler has returned, before the library has written that
 * down; client threads submit beside each other; batches are as large as the library likes them.
 */
package dev.fairlane.peers;
