package dev.fairlane.sim.seen;

import dev.fairlane.core.model.JobView;
import java.util.List;

/**
 * What the store has kept, after everything healed and the last node stopped in good order.
 *
 * @param stored all jobs, open and finished
 * @param tailFacts facts left to replay
 */
public record Ending(List<JobView> stored, long tailFacts) {}
