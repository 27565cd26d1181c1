package dev.fairlane.journal;

import dev.fairlane.core.model.JobId;
import org.jspecify.annotations.Nullable;

/**
 * A page of dead letters, by when they died.
 *
 * @param after where the page before ended; null from the beginning
 * @param limit 1 to 1,000
 */
public record DeadQuery(DeadFilter filter, @Nullable Place after, int limit, boolean newestFirst) {

    /** A dead letter's place in time. */
    public record Place(long diedAt, JobId id) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byTime = Long.compare(diedAt, other.diedAt);
            return byTime != 0 ? byTime : id.compareTo(other.id);
        }
    }
}
