package dev.fairlane.sim.invariant;

import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.sim.seen.Ending;
import dev.fairlane.sim.seen.Request;
import dev.fairlane.sim.seen.Sighting;
import java.util.HashMap;
import java.util.Map;

/** A submit makes at most one job each time it arrives, and none where the node said that it did nothing. Ticks are no submits. */
public final class NothingTakenTwice implements Invariant {
    private final Map<Integer, Integer> arrivals = new HashMap<>();

    @Override
    public void saw(Sighting sighting) {
        switch (sighting) {
            case Sighting.SubmitArrived submit ->
                arrivals.merge(submit.request().number(), 1, Integer::sum);
            case Sighting.SubmitDeclined submit ->
                arrivals.merge(submit.request().number(), -1, Integer::sum);
            default -> {}
        }
    }

    @Override
    public void ended(Ending ending) {
        Map<Integer, Integer> made = new HashMap<>();
        for (JobView job : ending.stored()) {
            if (job.spec().headers().containsKey(Schedule.NAME_HEADER)) {
                continue;
            }
            int number = Request.numberIn(job.spec().payload());
            int jobs = made.merge(number, 1, Integer::sum);
            int times = arrivals.getOrDefault(number, 0);
            require(jobs <= times, "request #" + number + " was taken " + times + " times and made " + jobs + " jobs");
        }
    }
}
