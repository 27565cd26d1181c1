/**
 * What travels between clients, workers and nodes: the messages of {@code fairlane.v1}, generated, and the
 * {@linkplain dev.fairlane.protocol.ErrorCode catalogue of errors}, by hand.
 */
@NullMarked
package dev.fairlane.protocol;

import org.jspecify.annotations.NullMarked;
