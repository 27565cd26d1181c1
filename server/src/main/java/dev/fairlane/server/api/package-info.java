/**
 * The calls themselves, once for gRPC and REST: a message in, a message out. Whoever calls has been authenticated; what is asked is
 * checked here, before the node hears of it. Answers of the node come on its loop and are turned into messages on the caller's
 * event loop.
 */
@NullMarked
package dev.fairlane.server.api;

import org.jspecify.annotations.NullMarked;
