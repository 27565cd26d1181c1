package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobMarks;
import dev.fairlane.core.model.JobView;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.sim.seen.Sighting;
import java.util.HashMap;
import java.util.Map;

/**
 * A checkpoint counts only under the newest token, and the next execution starts from the newest that was acked. Checkpoints are
 * ordered by their token, those of one token by when they came.
 */
public final class CheckpointsAreKept implements Invariant {
    private final Map<JobId, Long> newestToken = new HashMap<>();
    private final Map<Long, Came> came = new HashMap<>();
    private final Map<String, Place> last = new HashMap<>();
    private final Map<JobId, Map<Long, Place>> acked = new HashMap<>();

    /** @param known the newest token anybody had been shown when it came */
    private record Came(Place place, long known) {}

    private record Place(long token, long number) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byToken = Long.compare(token, other.token);
            return byToken != 0 ? byToken : Long.compare(number, other.number);
        }
    }

    @Override
    public void saw(Sighting sighting) {
        switch (sighting) {
            case Sighting.CheckpointArrived arrived -> {
                LeaseRef lease = arrived.lease();
                Place place = new Place(lease.token(), arrived.number());
                came.put(arrived.number(), new Came(place, newestToken.getOrDefault(lease.id(), 0L)));
                last.put(arrived.ref(), place);
            }
            case Sighting.CheckpointAnswered answered when answered.applied() -> taken(answered);
            case Sighting.LeaseHeard heard -> {
                heard.shown().forEach(this::shown);
                starts(heard);
            }
            default -> sighting.shown().forEach(this::shown);
        }
    }

    private void taken(Sighting.CheckpointAnswered answered) {
        Came arrival = came.get(answered.number());
        if (arrival != null) {
            LeaseRef lease = answered.lease();
            require(
                    arrival.known() <= lease.token(),
                    "a checkpoint of " + lease + " was taken, which came when token " + arrival.known()
                            + " had been issued");
            acked.computeIfAbsent(lease.id(), id -> new HashMap<>())
                    .merge(lease.token(), arrival.place(), (a, b) -> a.compareTo(b) >= 0 ? a : b);
        }
    }

    private void shown(JobView job) {
        newestToken.merge(job.spec().id(), job.status().token(), Math::max);
        JobMarks.Checkpoint checkpoint = job.status().marks().checkpoint();
        if (checkpoint != null) {
            Place place = last.get(checkpoint.ref());
            require(
                    place != null && place.token() == checkpoint.token(),
                    "job " + job.spec().id() + " shows " + checkpoint + ", which came as " + place);
        }
    }

    private void starts(Sighting.LeaseHeard heard) {
        JobMarks.Checkpoint from = heard.lease().status().marks().checkpoint();
        Place start = from == null ? null : last.get(from.ref());
        acked.getOrDefault(heard.ref().id(), Map.of())
                .forEach((token, place) -> require(
                        token >= heard.ref().token() || start != null && start.compareTo(place) >= 0,
                        "job " + heard.ref().id() + " is leased to start from " + from
                                + ", though a later checkpoint of token " + token + " was acked"));
    }
}
