/**
 * The API as gRPC, and the workers' streams.
 *
 * <p>Everything of one call happens on its event loop: what the node says on its own loop is handed over first. Nothing is read from a
 * stream faster than its answers leave, so a reader that is slow is a writer that waits.
 */
@NullMarked
package dev.fairlane.server.grpc;

import org.jspecify.annotations.NullMarked;
