package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleRules;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TimeRule;
import dev.fairlane.journal.JobPage;
import dev.fairlane.journal.JobQuery;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Very many schedules with the same tick: each fires once, also when the node is killed in the middle of it. */
class ScheduleCrowdTest {
    private static final long SECOND = 1_000_000;
    private static final long DAY = 86_400 * SECOND;

    /** {@code -Dfairlane.crowd=100000} plays the whole of it. */
    private static final int SCHEDULES = Integer.getInteger("fairlane.crowd", 2_000);

    private final NodeRig rig = new NodeRig();
    private final Tenant tenant = rig.tenant("acme", 10);

    private void make(long tick) {
        for (int i = 0; i < SCHEDULES; i++) {
            ScheduleRules rules = ScheduleRules.at(new TimeRule.Every(DAY, false))
                    .within(tick, 0, 0)
                    .jittered(i % 2 == 0 ? ScheduleRules.MAX_JITTER : 0);
            ScheduleName id = new ScheduleName(tenant.id(), "s" + i);
            rig.settled(rig.node
                    .schedules()
                    .put(new Command.PutSchedule(id, rules, NewJob.of("tick", Payload.EMPTY), false), null));
        }
    }

    @Test
    void eachFiresOnceWithinTheMinute() {
        long tick = rig.node.now() + DAY;
        make(tick);
        rig.skip(tick - rig.node.now());
        for (int tenth = 0; tenth < 620; tenth++) {
            rig.skip(SECOND / 10);
            if (tenth == 300) {
                // what was decided last is lost with the process
                rig.holdCommits();
                while (rig.node.turn()) {}
                rig.loseCommits();
                rig.start();
            }
            rig.settle();
        }
        Map<String, JobView> runs = runs();
        assertThat(runs).hasSize(SCHEDULES);
        assertThat(runs.values())
                .allSatisfy(run -> assertThat(run.spec().submittedAt())
                        .isBetween(tick, tick + ScheduleRules.MAX_JITTER + 2 * SECOND));
    }

    private Map<String, JobView> runs() {
        Map<String, JobView> runs = new HashMap<>();
        JobId before = null;
        do {
            JobPage page = rig.settled(rig.node.list(new JobQuery(null, Set.of(), "", before, 1_000), Position.NONE));
            for (JobView job : page.jobs()) {
                JobView other = runs.put(job.spec().headers().get(Schedule.NAME_HEADER), job);
                assertThat(other)
                        .as("a second run of its schedule beside %s", job)
                        .isNull();
            }
            before = page.next();
        } while (before != null);
        return runs;
    }
}
