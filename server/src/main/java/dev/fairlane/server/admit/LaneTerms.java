package dev.fairlane.server.admit;

import dev.fairlane.core.model.JobTerms;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The terms of jobs that name a lane and nothing else: one object for all jobs of that lane's name, which may be millions. */
final class LaneTerms {
    /** Names beyond get an object for each job. */
    private static final int MOST = 10_000;

    private static final Map<String, JobTerms> KNOWN = new ConcurrentHashMap<>();

    private LaneTerms() {}

    /** @param lane as given; empty for the default one */
    static JobTerms of(String lane) {
        if (lane.isEmpty()) {
            return JobTerms.NONE;
        }
        JobTerms known = KNOWN.get(lane);
        if (known != null) {
            return known;
        }
        JobTerms terms = JobTerms.NONE.inLane(Text.typeName("lane", lane));
        if (KNOWN.size() < MOST) {
            KNOWN.putIfAbsent(lane, terms);
        }
        return terms;
    }
}
