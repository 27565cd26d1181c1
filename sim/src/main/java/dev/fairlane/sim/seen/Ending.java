package dev.fairlane.sim.seen;

import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.Schedule;
import java.util.List;

/**
 * What the store has kept, after everything healed and the last node stopped in good order.
 *
 * @param stored all jobs, open and finished
 * @param groups all groups that have a member or a callback
 * @param schedules all that were not deleted
 * @param audit who changed what
 * @param tailFacts facts left to replay
 */
public record Ending(
        List<JobView> stored, List<JobGroup> groups, List<Schedule> schedules, KeptAudit audit, long tailFacts) {}
