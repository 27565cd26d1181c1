package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleRules;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TimeRule;
import dev.fairlane.core.model.TypeRules;
import dev.fairlane.core.model.TypeRules.By;
import dev.fairlane.core.model.TypeRules.Conflict;
import dev.fairlane.core.model.TypeRules.During;
import dev.fairlane.core.model.TypeRules.UniqueRule;
import dev.fairlane.runtime.NodeRig.TestWorker;
import org.junit.jupiter.api.Test;

/** A schedule that is triggered while the one of its kind still counts is answered with that one, as it is. */
class TriggeredAgainTest {
    private static final long SECOND = 1_000_000;
    private static final long HOUR = 3_600 * SECOND;

    @Test
    void oneThatDiedIsNotSaidToHaveSucceeded() {
        NodeRig rig = new NodeRig();
        Tenant acme = rig.tenant("acme", 10);
        TypeRules once = TypeRules.saying(
                draft -> draft.unique = new UniqueRule(By.ARGS, During.A_TIME, HOUR, Conflict.RETURN_EXISTING));
        rig.settled(rig.node.putType(new Command.PutType(acme.id(), "tick", "short", 0, 0, once)));
        ScheduleName name = new ScheduleName(acme.id(), "s");
        ScheduleRules daily = ScheduleRules.at(new TimeRule.Every(24 * HOUR, false));
        rig.settled(rig.node
                .schedules()
                .put(new Command.PutSchedule(name, daily, NewJob.of("tick", Payload.EMPTY), false), null));
        TestWorker worker = rig.worker("w", 1, "tick");
        JobId first = ((Answer.Submitted) rig.settled(rig.node.schedules().trigger(name, null))).id();
        worker.fail(worker.ref(0), Failure.of(FailureClass.NON_RETRYABLE, "broken"));
        rig.settle();

        assertThat(rig.settled(rig.node.schedules().trigger(name, null)))
                .isEqualTo(new Answer.Submitted(first, JobState.DEAD, true));
        rig.advance(5 * SECOND);
        assertThat(rig.settled(rig.node.schedules().trigger(name, null)))
                .as("from rows")
                .isEqualTo(new Answer.Submitted(first, JobState.DEAD, true));
    }
}
