package dev.fairlane.core.share;

import java.util.ArrayList;
import java.util.List;

/** A part of a tenant that its jobs name by a fair key: a user, a project. */
final class Part {
    final String name;
    final Node node;
    final List<Lane> lanes = new ArrayList<>(1);
    /** Queues of it; without one it is forgotten after a while. */
    int queues;

    Part(String name, Node node) {
        this.name = name;
        this.node = node;
    }
}
