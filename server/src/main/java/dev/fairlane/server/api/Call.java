package dev.fairlane.server.api;

import dev.fairlane.server.auth.Caller;
import java.util.concurrent.Executor;

/**
 * A call under way.
 *
 * @param executor where its answer is made: one thread at a time, never the node's loop
 */
public record Call(Caller caller, Executor executor, String traceId) {}
