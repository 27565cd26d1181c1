package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleRules;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TimeRule;
import dev.fairlane.journal.AuditQuery;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many schedules with one call: each is decided on its own, all become durable together. */
class ScheduleBatchTest {
    private static final long HOUR = 3_600_000_000L;
    private static final int MANY = 1_000;
    private static final Author AUTHOR = new Author("k", "key", "admin", "", "", "");

    private final NodeRig rig = new NodeRig();
    private final Tenant tenant = rig.tenant("acme", 10);

    private Command.PutSchedule put(int number, long everyMicros) {
        return new Command.PutSchedule(
                new ScheduleName(tenant.id(), "s" + number),
                ScheduleRules.at(new TimeRule.Every(everyMicros, false)),
                NewJob.of("tick", Payload.EMPTY),
                false);
    }

    private CompletableFuture<List<Answer>> putMany() {
        List<Command.PutSchedule> puts =
                IntStream.range(0, MANY).mapToObj(i -> put(i, HOUR)).toList();
        return rig.node.schedules().putAll(tenant.id(), puts, AUTHOR);
    }

    private int stored() {
        return rig.settled(rig.node.schedules().list(tenant.id(), null, 2 * MANY))
                .size();
    }

    private long audited() {
        return rig.settled(rig.node.audit().list(AuditQuery.whole(tenant.id()))).stream()
                .filter(entry -> entry.deed().action().equals("schedule.put"))
                .count();
    }

    @Test
    void theyBecomeDurableWithOneCommitAndAnEntryEach() {
        rig.holdCommits();
        CompletableFuture<List<Answer>> reply = putMany();
        rig.settle();
        assertThat(reply).isNotDone();
        rig.loseCommits();
        rig.start();
        assertThat(stored()).as("what one commit would have brought").isZero();

        assertThat(rig.settled(putMany()))
                .hasSize(MANY)
                .allSatisfy(answer ->
                        assertThat(((Answer.ScheduleIs) answer).outcome()).isEqualTo(Answer.ScheduleOutcome.CREATED));
        assertThat(stored()).isEqualTo(MANY);
        assertThat(audited()).isEqualTo(MANY);

        assertThat(rig.settled(putMany()))
                .allSatisfy(answer ->
                        assertThat(((Answer.ScheduleIs) answer).outcome()).isEqualTo(Answer.ScheduleOutcome.UNCHANGED));
        assertThat(audited()).as("nothing changed").isEqualTo(MANY);
        rig.start();
        assertThat(stored()).isEqualTo(MANY);
    }

    @Test
    void oneThatIsRefusedIsAlone() {
        List<Answer> answers = rig.settled(rig.node
                .schedules()
                .putAll(tenant.id(), List.of(put(1, HOUR), put(2, 1), put(3, HOUR), put(1, 2 * HOUR)), AUTHOR));
        assertThat(answers.get(1))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(RefusalCode.INVALID_ARGUMENT));
        assertThat(((Answer.ScheduleIs) answers.get(3)).outcome()).isEqualTo(Answer.ScheduleOutcome.CHANGED);
        assertThat(stored()).isEqualTo(2);
        assertThat(audited()).isEqualTo(3);
    }
}
