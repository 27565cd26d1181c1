package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.KeyFinding;
import dev.fairlane.core.model.KeyProbe;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.StoredKey;
import org.junit.jupiter.api.Test;

/** Keys that left memory: found through the store, for as long as they count. */
class SealedKeysTest {
    private static final long HOUR = 3_600_000_000L;

    private final Bed bed = new Bed();

    private void seal() {
        bed.engine.sealKeys(bed.now, Long.MIN_VALUE, bed.now, 1_000);
    }

    private Command.Submit submit(String key, long body) {
        return new Command.Submit(bed.newId(), bed.tenant, Bed.keyed("mail", key, body));
    }

    private KeyProbe asked(Command.Submit submit) {
        Answer answer = bed.send(submit);
        assertThat(answer).isInstanceOf(Answer.LookUpKey.class);
        return ((Answer.LookUpKey) answer).probe();
    }

    private JobId endedJob(String key) {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit(Bed.keyed("mail", key, 1));
        bed.complete(bed.mustPick());
        return id;
    }

    @Test
    void theKeysOfThisAndTheLastHourStayInMemory() {
        JobId id = endedJob("k");
        bed.pass(HOUR);
        seal();
        assertThat(bed.send(submit("k", 1))).isEqualTo(new Answer.Submitted(id, JobState.SUCCEEDED, true));
    }

    @Test
    void anOlderKeyIsLookedUpWhereItMayBe() {
        long submittedAt = bed.now;
        JobId id = endedJob("k");
        bed.pass(3 * HOUR);
        seal();
        assertThat(bed.engine.stats(bed.now).keys()).isZero();

        Command.Submit again = submit("k", 1);
        KeyProbe probe = asked(again);
        assertThat(probe.from()).isLessThanOrEqualTo(submittedAt);
        assertThat(probe.to()).isGreaterThan(submittedAt).isLessThanOrEqualTo(probe.from() + HOUR);
        assertThat(probe.dead()).isFalse();
        StoredKey stored = new StoredKey(id, 1, submittedAt, null);
        assertThat(bed.send(again.with(new KeyFinding("k", stored)))).isEqualTo(new Answer.NotInMemory(id));
        assertThat(bed.send(submit("k", 2).with(new KeyFinding("k", stored))))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(RefusalCode.IDEMPOTENCY_KEY_REUSED));
        assertThat(bed.engine.openJobs()).isZero();
    }

    @Test
    void aFalseAlarmOfAFilterIsANewJob() {
        endedJob("k");
        bed.pass(3 * HOUR);
        seal();
        Command.Submit again = submit("k", 1);
        asked(again);
        assertThat(bed.send(again.with(new KeyFinding("k", null))))
                .isEqualTo(new Answer.Submitted(again.id(), JobState.QUEUED, false));
    }

    @Test
    void whatCameWhileALookUpWasUnderWayIsFoundInMemoryFirst() {
        endedJob("k");
        bed.pass(3 * HOUR);
        seal();
        Command.Submit first = submit("k", 1);
        Command.Submit second = submit("k", 1);
        asked(first);
        asked(second);
        KeyFinding nothing = new KeyFinding("k", null);
        assertThat(bed.send(first.with(nothing))).isEqualTo(new Answer.Submitted(first.id(), JobState.QUEUED, false));
        assertThat(bed.send(second.with(nothing))).isEqualTo(new Answer.Submitted(first.id(), JobState.QUEUED, true));
    }

    @Test
    void afterADayNobodyLooks() {
        endedJob("k");
        bed.pass(3 * HOUR);
        seal();
        bed.pass(22 * HOUR);
        seal();
        bed.submit(Bed.keyed("mail", "k", 2));
    }

    @Test
    void theKeyOfAnOpenJobStaysWhateverItsAge() {
        JobId id = bed.submit(Bed.keyed("mail", "k", 1));
        bed.pass(100 * HOUR);
        seal();
        assertThat(bed.send(submit("k", 1))).isEqualTo(new Answer.Submitted(id, JobState.QUEUED, true));
    }

    @Test
    void theKeyOfADeadJobCountsWhateverItsAge() {
        long submittedAt = bed.now;
        bed.worker(1, 1, "mail");
        JobId id = bed.submit(Bed.keyed("mail", "k", 1));
        Picked picked = bed.mustPick();
        bed.send(
                new Command.Fail(id, picked.lease().status().token(), Failure.of(FailureClass.NON_RETRYABLE, "no"), 0));
        assertThat(bed.state(id)).isEqualTo(JobState.DEAD);
        bed.pass(3 * HOUR);
        seal();
        bed.pass(50 * HOUR);
        seal();

        Command.Submit again = submit("k", 1);
        KeyProbe probe = asked(again);
        assertThat(probe).isEqualTo(new KeyProbe(bed.tenant, "k", 0, 0, true));
        assertThat(bed.send(again.with(new KeyFinding("k", new StoredKey(id, 1, submittedAt, JobState.DEAD)))))
                .isEqualTo(new Answer.Submitted(id, JobState.DEAD, true));

        bed.engine.sealKeys(bed.now, bed.now, bed.now, 1);
        assertThat(bed.submit(Bed.keyed("mail", "k", 2)))
                .as("once dead jobs of that time are gone")
                .isNotEqualTo(id);
    }

    @Test
    void aJobThatEndedJustNowKeepsItsOldKeyInMemory() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit(Bed.keyed("mail", "k", 1));
        Picked picked = bed.mustPick();
        for (int i = 0; i < 30; i++) {
            bed.now += HOUR;
            seal();
        }
        bed.send(
                new Command.Fail(id, picked.lease().status().token(), Failure.of(FailureClass.NON_RETRYABLE, "no"), 0));
        seal();
        assertThat(bed.send(submit("k", 1))).isEqualTo(new Answer.Submitted(id, JobState.DEAD, true));
    }

    @Test
    void keysThatWereLoadedAndKeysThatLeaveShareTheFilterOfTheirHour() {
        JobId id = bed.newId();
        bed.engine.loadSealedKey(bed.tenant, "before", bed.now);
        bed.engine.loadKey(bed.tenant, "whole", id, 1, bed.now);
        bed.pass(3 * HOUR);
        seal();
        asked(submit("before", 1));
        asked(submit("whole", 1));
        bed.submit(Bed.keyed("mail", "neither", 1));
    }

    @Test
    void nothingLeavesMemoryThatIsNotStored() {
        JobId id = endedJob("k");
        long stored = bed.now - 1;
        bed.pass(3 * HOUR);
        bed.engine.sealKeys(stored, 0, bed.now, 1_000);
        assertThat(bed.send(submit("k", 1))).isEqualTo(new Answer.Submitted(id, JobState.SUCCEEDED, true));
    }
}
