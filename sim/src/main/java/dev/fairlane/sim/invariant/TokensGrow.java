package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.JobId;
import dev.fairlane.sim.seen.Sighting;
import java.util.HashMap;
import java.util.Map;

/** I2, second half: every lease that reaches a worker carries a token above all that reached one before. */
public final class TokensGrow implements Invariant {
    private final Map<JobId, Long> newest = new HashMap<>();

    @Override
    public void saw(Sighting sighting) {
        if (sighting instanceof Sighting.LeaseHeard heard) {
            long token = heard.ref().token();
            Long before = newest.put(heard.ref().id(), token);
            require(
                    before == null || token > before,
                    "job " + heard.ref().id() + " was leased under token " + token + " after token " + before);
        }
    }
}
