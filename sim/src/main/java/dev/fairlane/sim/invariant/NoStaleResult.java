package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobView;
import dev.fairlane.runtime.LeaseRef;
import dev.fairlane.sim.seen.Sighting;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * I2, first half: no result is taken with a token older than the newest issued. A success that was taken is the last word: no
 * newer token may exist, neither now nor later. A failure may be followed by a newer token, so what counts is what was known when it
 * first arrived.
 */
public final class NoStaleResult implements Invariant {
    private final Map<JobId, Long> newest = new HashMap<>();
    private final Map<JobId, Long> succeeded = new HashMap<>();
    private final Set<LeaseRef> arrived = new HashSet<>();
    private final Map<LeaseRef, Long> stale = new HashMap<>();

    @Override
    public void saw(Sighting sighting) {
        switch (sighting) {
            case Sighting.ResultArrived result -> {
                LeaseRef lease = result.lease();
                long known = newest.getOrDefault(lease.id(), 0L);
                if (arrived.add(lease) && known > lease.token()) {
                    stale.put(lease, known);
                }
            }
            case Sighting.ResultAnswered result when !result.revoked() -> taken(result);
            default -> sighting.shown().forEach(this::shown);
        }
    }

    private void taken(Sighting.ResultAnswered result) {
        LeaseRef lease = result.lease();
        Long known = stale.get(lease);
        require(
                known == null,
                "a result of " + lease + " was taken, which arrived when token " + known + " had been issued");
        if (result.success()) {
            succeeded.put(lease.id(), lease.token());
            known = newest.getOrDefault(lease.id(), 0L);
            require(known <= lease.token(), "a success of " + lease + " was taken, but token " + known + " was issued");
        }
    }

    private void shown(JobView job) {
        JobId id = job.spec().id();
        long token = job.status().token();
        newest.merge(id, token, Math::max);
        Long last = succeeded.get(id);
        require(
                last == null || token <= last,
                "job " + id + " succeeded with token " + last + ", but token " + token + " was issued");
    }
}
