package dev.fairlane.core.lease;

/** The live leases under one worker's name. */
final class WorkerHolds {
    final String name;
    int pins;

    int first = Hold.NONE;

    WorkerHolds(String name) {
        this.name = name;
    }

    /** @param holds all of the table, by number */
    void add(Hold hold, Hold[] holds) {
        if (hold.worker != this) {
            hold.worker = this;
        }
        hold.previous = Hold.NONE;
        hold.next = first;
        if (first != Hold.NONE) {
            holds[first].previous = hold.index;
        }
        first = hold.index;
    }

    void remove(Hold hold, Hold[] holds) {
        if (hold.previous == Hold.NONE) {
            first = hold.next;
        } else {
            holds[hold.previous].next = hold.next;
        }
        if (hold.next != Hold.NONE) {
            holds[hold.next].previous = hold.previous;
        }
    }
}
