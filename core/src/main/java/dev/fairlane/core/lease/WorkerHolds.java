package dev.fairlane.core.lease;

import org.jspecify.annotations.Nullable;

/** The live leases under one worker's name. */
final class WorkerHolds {
    final String name;
    int pins;

    @Nullable Hold first;

    WorkerHolds(String name) {
        this.name = name;
    }

    void add(Hold hold) {
        hold.worker = this;
        hold.previous = null;
        hold.next = first;
        if (first != null) {
            first.previous = hold;
        }
        first = hold;
    }

    void remove(Hold hold) {
        if (hold.previous == null) {
            first = hold.next;
        } else {
            hold.previous.next = hold.next;
        }
        if (hold.next != null) {
            hold.next.previous = hold.previous;
        }
        hold.worker = null;
        hold.previous = null;
        hold.next = null;
    }
}
