package dev.fairlane.core.share;

import org.jspecify.annotations.Nullable;

/** A part of a tenant that its jobs name by a fair key: a user, a project. */
final class Part {
    final String name;
    final Node node;
    /** The others follow by {@link Lane#next}. */
    @Nullable Lane lanes;
    /** Queues of it; without one it is forgotten after a while. */
    int queues;

    Part(String name, Node node) {
        this.name = name;
        this.node = node;
    }
}
