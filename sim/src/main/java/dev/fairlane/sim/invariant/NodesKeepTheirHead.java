package dev.fairlane.sim.invariant;

import dev.fairlane.sim.seen.Ending;
import dev.fairlane.sim.seen.Sighting;

/** No node runs into a bug of its own: no error in its log, no internal fault, no stop for another reason than a lost log. */
public final class NodesKeepTheirHead implements Invariant {
    @Override
    public void saw(Sighting sighting) {
        if (sighting instanceof Sighting.Trouble trouble) {
            throw new Broken(trouble.node() + ": " + trouble.what());
        }
    }

    @Override
    public void ended(Ending ending) {
        require(
                ending.tailFacts() == 0,
                "a node stopped in good order and left " + ending.tailFacts() + " facts to replay");
    }
}
