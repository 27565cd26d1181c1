package dev.fairlane.runtime;

import java.util.concurrent.CompletableFuture;

/** A reply that waits for its batch. */
record Parked(Runnable effect, CompletableFuture<?> reply) implements GroupCommit.Effect {
    @Override
    public void release() {
        effect.run();
    }

    @Override
    public void abandon() {
        reply.completeExceptionally(
                new NodeFault(NodeFault.Kind.OUTCOME_UNKNOWN, "the node lost its log while this was under way"));
    }
}
