package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.HOUR;
import static dev.fairlane.core.shard.Bed.MINUTE;
import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Answer.CancelOutcome;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.TenantId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Semantics §2 and §5, step by step. */
class JobLifeTest {
    private final Bed bed = new Bed();

    private Answer cancel(JobId id) {
        return bed.send(new Command.Cancel(null, id));
    }

    @Test
    void aJobGoesInRunsAndSucceeds() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit("mail");
        assertThat(bed.state(id)).isEqualTo(JobState.QUEUED);
        Picked picked = bed.mustPick();
        assertThat(picked.lease().id()).isEqualTo(id);
        assertThat(bed.state(id)).isEqualTo(JobState.LEASED);
        assertThat(bed.start(picked))
                .isEqualTo(new Answer.Applied(id, picked.fact().status().token(), JobState.RUNNING));
        assertThat(bed.state(id)).isEqualTo(JobState.RUNNING);
        Payload result = new Payload("{}".getBytes(StandardCharsets.UTF_8), Payload.JSON);
        bed.send(new Command.Complete(id, picked.fact().status().token(), result));
        Fact.JobEnded end = bed.ended.get(id);
        assertThat(end.status().state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(end.result()).isEqualTo(result);
        assertThat(end.spec()).isNotNull();
        assertThat(bed.engine.openJobs()).isZero();
    }

    @Test
    void aShortJobMayGoFromLeasedToItsEndInOneMessage() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit("mail");
        bed.complete(bed.mustPick());
        assertThat(bed.state(id)).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void sayingStartedTwiceChangesNothing() {
        bed.worker(1, 1, "mail");
        bed.submit("mail");
        Picked picked = bed.mustPick();
        bed.start(picked);
        int facts = bed.facts.size();
        assertThat(bed.start(picked)).isInstanceOf(Answer.Applied.class);
        assertThat(bed.facts).hasSize(facts);
    }

    @Test
    void aJobForLaterIsScheduledAndQueuedWhenDue() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit(Bed.later("mail", HOUR));
        assertThat(bed.state(id)).isEqualTo(JobState.SCHEDULED);
        bed.pass(HOUR - SECOND);
        assertThat(bed.pick()).isNull();
        assertThat(bed.engine.nextTimerAt()).isLessThanOrEqualTo(bed.now + SECOND + 1_024);
        bed.pass(SECOND + 1_024);
        assertThat(bed.state(id)).isEqualTo(JobState.QUEUED);
        assertThat(bed.mustPick().lease().id()).isEqualTo(id);
    }

    @Test
    void aFailedJobWaitsAndRunsAgainWithANewTokenAndAnAttemptMore() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit("mail");
        Picked first = bed.mustPick();
        bed.fail(first, FailureClass.APP_ERROR);
        assertThat(bed.state(id)).isEqualTo(JobState.RETRY_WAIT);
        assertThat(bed.pick()).isNull();
        bed.pass(SECOND + 1_024);
        Picked second = bed.mustPick();
        JobStatus status = second.lease().status();
        assertThat(status.attempt()).isEqualTo(2);
        assertThat(status.execution()).isEqualTo(2);
        assertThat(status.token()).isGreaterThan(first.lease().status().token());
        assertThat(status.attempts()).hasSize(1);
        assertThat(status.attempts().getFirst().failureClass()).isEqualTo(FailureClass.APP_ERROR);
    }

    @Test
    void afterItsLastAttemptAJobIsDeadWithItsFailure() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit("mail");
        for (int attempt = 1; attempt <= 6; attempt++) {
            bed.fail(bed.mustPick(), FailureClass.APP_ERROR);
            bed.pass(31 * MINUTE);
        }
        assertThat(bed.state(id)).isEqualTo(JobState.DEAD);
        assertThat(bed.ended.get(id).status().attempts()).hasSize(6);
        assertThat(bed.ended.get(id).failure()).isNotNull();
    }

    @Test
    void aSilentWorkersJobRunsAgainAtTheHeadOfItsQueueAndItsAttemptIsGivenBack() {
        bed.worker(1, 1, "mail");
        JobId first = bed.submit("mail");
        bed.submit("mail");
        Picked picked = bed.mustPick();
        bed.start(picked);
        bed.pass(10 * SECOND + 1_024);
        assertThat(bed.state(first)).isEqualTo(JobState.QUEUED);
        Picked again = bed.mustPick();
        assertThat(again.lease().id()).isEqualTo(first);
        assertThat(again.lease().status().attempt()).isEqualTo(1);
        assertThat(again.lease().status().execution()).isEqualTo(2);
        assertThat(again.lease().status().crashes()).isEqualTo(1);
    }

    @Test
    void theTwentyFirstCrashIsTheEnd() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit("mail");
        for (int crash = 1; crash <= 20; crash++) {
            bed.mustPick();
            bed.pass(11 * SECOND);
            assertThat(bed.state(id)).isEqualTo(JobState.QUEUED);
        }
        bed.mustPick();
        bed.pass(11 * SECOND);
        assertThat(bed.state(id)).isEqualTo(JobState.DEAD);
        assertThat(bed.ended.get(id).status().crashes()).isEqualTo(21);
    }

    @Test
    void aZombieCannotWrite() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit("mail");
        Picked zombie = bed.mustPick();
        bed.pass(11 * SECOND);
        Picked owner = bed.mustPick();
        HardState before = bed.engine.hardState(bed.now);
        for (Answer answer :
                new Answer[] {bed.start(zombie), bed.complete(zombie), bed.fail(zombie, FailureClass.APP_ERROR)}) {
            assertThat(answer)
                    .isInstanceOfSatisfying(
                            Answer.Refused.class,
                            refused -> assertThat(refused.refusal().code()).isEqualTo(RefusalCode.LEASE_REVOKED));
        }
        assertThat(bed.engine.hardState(bed.now)).isEqualTo(before);
        bed.complete(owner);
        assertThat(bed.state(id)).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void aMessageAboutAJobThatEndedIsForWhoeverCanLookItUp() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit("mail");
        Picked picked = bed.mustPick();
        bed.complete(picked);
        assertThat(bed.complete(picked)).isEqualTo(new Answer.NotInMemory(id));
        assertThat(cancel(id)).isEqualTo(new Answer.NotInMemory(id));
    }

    @Test
    void aWaitingJobIsCancelledAtOnce() {
        bed.worker(1, 1, "mail");
        JobId queued = bed.submit("mail");
        JobId scheduled = bed.submit(Bed.later("mail", HOUR));
        for (JobId id : new JobId[] {queued, scheduled}) {
            assertThat(cancel(id)).isEqualTo(new Answer.Cancelled(id, CancelOutcome.CANCELLED, JobState.CANCELLED));
        }
        assertThat(bed.pick()).isNull();
        bed.pass(2 * HOUR);
        assertThat(bed.engine.openJobs()).isZero();
    }

    @Test
    void aRunningJobIsAskedToStopAndMayStillBeFaster() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit("mail");
        Picked picked = bed.mustPick();
        bed.start(picked);
        assertThat(cancel(id)).isEqualTo(new Answer.Cancelled(id, CancelOutcome.CANCEL_REQUESTED, JobState.RUNNING));
        assertThat(bed.engine.sessionOf(id)).isEqualTo(1);
        assertThat(bed.engine.job(id).status().cancelRequested()).isTrue();
        bed.complete(picked);
        assertThat(bed.state(id)).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void aCancelledJobThatFailsOrWhoseLeaseEndsIsCancelled() {
        bed.worker(1, 2, "mail");
        JobId failing = bed.submit("mail");
        JobId silent = bed.submit("mail");
        Picked picked = bed.mustPick();
        bed.mustPick();
        cancel(failing);
        cancel(silent);
        bed.fail(picked, FailureClass.APP_ERROR);
        assertThat(bed.state(failing)).isEqualTo(JobState.CANCELLED);
        bed.pass(11 * SECOND);
        assertThat(bed.state(silent)).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void afterFiveMinutesOfGraceTheTokenIsRevoked() {
        bed.send(new Command.PutType(bed.tenant, "mail", "short", 0, HOUR));
        bed.worker(1, 1, "mail");
        JobId id = bed.submit("mail");
        Picked picked = bed.mustPick();
        bed.start(picked);
        cancel(id);
        long[] lo = {id.lo()};
        long[] token = {picked.lease().status().token()};
        for (int i = 1; i < 50; i++) {
            bed.engine.renew(1, lo, token, 1, bed.now);
            bed.pass(6 * SECOND);
            assertThat(bed.state(id)).isEqualTo(JobState.RUNNING);
        }
        bed.engine.renew(1, lo, token, 1, bed.now);
        bed.pass(6 * SECOND + 1_024);
        assertThat(bed.state(id)).isEqualTo(JobState.CANCELLED);
        assertThat(bed.engine.renew(1, lo, token, 1, bed.now).get(0)).isTrue();
    }

    @Test
    void aLeaseThatNeverLeftTheNodeIsCancelledAtOnce() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit("mail");
        bed.mustPick();
        assertThat(bed.send(new Command.Cancel(null, id, false)))
                .isEqualTo(new Answer.Cancelled(id, Answer.CancelOutcome.CANCELLED, JobState.CANCELLED));
        assertThat(bed.state(id)).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void aJobOfAnotherTenantIsNotFound() {
        JobId id = bed.submit("mail");
        TenantId other = bed.putTenant("other", 1);
        assertThat(bed.send(new Command.Cancel(other, id)))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(RefusalCode.JOB_NOT_FOUND));
        assertThat(bed.state(id)).isEqualTo(JobState.QUEUED);
        assertThat(bed.send(new Command.Cancel(bed.tenant, id))).isInstanceOf(Answer.Cancelled.class);
    }

    @Test
    void afterItsNotAfterAJobExpiresUnlessAWorkerHasIt() {
        bed.worker(1, 2, "mail");
        JobId running = bed.submit(Bed.notAfter("mail", bed.now + 5 * SECOND));
        JobId leased = bed.submit(Bed.notAfter("mail", bed.now + 5 * SECOND));
        JobId waiting = bed.submit(Bed.notAfter("mail", bed.now + 5 * SECOND));
        bed.start(bed.mustPick());
        Picked inTime = bed.mustPick();
        bed.pass(5 * SECOND + 2 * 1_024);
        assertThat(bed.state(waiting)).isEqualTo(JobState.EXPIRED);
        assertThat(bed.state(running)).isEqualTo(JobState.RUNNING);
        assertThat(bed.state(leased)).isEqualTo(JobState.LEASED);
        assertThat(bed.start(inTime)).isInstanceOf(Answer.Applied.class);
        bed.complete(inTime);
        assertThat(bed.state(leased)).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void aLeaseLostOrHandedBackAfterNotAfterExpiresInOneStep() {
        bed.worker(1, 3, "mail");
        JobId lost = bed.submit(Bed.notAfter("mail", bed.now + 5 * SECOND));
        JobId handedBack = bed.submit(Bed.notAfter("mail", bed.now + 5 * SECOND));
        JobId crashed = bed.submit(Bed.notAfter("mail", bed.now + 5 * SECOND));
        bed.mustPick();
        Picked second = bed.mustPick();
        Picked third = bed.mustPick();
        bed.pass(6 * SECOND);
        long token = second.lease().status().token();
        assertThat(bed.send(new Command.HandOver(handedBack, token)))
                .isEqualTo(new Answer.Applied(handedBack, token, JobState.EXPIRED));
        bed.fail(third, FailureClass.WORKER_CRASH);
        bed.pass(6 * SECOND);

        assertThat(bed.ended.get(handedBack).status().attempts()).isEmpty();
        for (JobId id : List.of(lost, crashed)) {
            JobStatus end = bed.ended.get(id).status();
            assertThat(end.state()).isEqualTo(JobState.EXPIRED);
            assertThat(end.crashes()).isOne();
            assertThat(end.attempt()).as("a crash costs none").isZero();
            assertThat(end.attempts().getFirst().failureClass()).isEqualTo(FailureClass.WORKER_CRASH);
        }
        assertThat(bed.facts)
                .as("none was in line in between")
                .noneMatch(fact -> fact instanceof Fact.JobChanged changed
                        && changed.status().state() == JobState.QUEUED);
        assertThat(bed.pick()).isNull();
        assertThat(bed.engine.openJobs()).isZero();
    }

    @Test
    void aLeaseLostInTimeIsGivenAgain() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit(Bed.notAfter("mail", bed.now + 5 * SECOND));
        Picked first = bed.mustPick();
        bed.send(new Command.HandOver(id, first.lease().status().token()));
        assertThat(bed.state(id)).isEqualTo(JobState.QUEUED);
        assertThat(bed.mustPick().lease().id()).isEqualTo(id);
    }

    @Test
    void aJobPastItsNotAfterIsNeverGivenEvenBeforeItsTimerIsSeen() {
        bed.worker(1, 5, "mail");
        JobId late = bed.submit(Bed.notAfter("mail", bed.now + SECOND));
        JobId good = bed.submit("mail");
        bed.now += SECOND + 1;
        assertThat(bed.mustPick().lease().id()).isEqualTo(good);
        assertThat(bed.pick()).isNull();
        bed.pass(2_048);
        assertThat(bed.state(late)).isEqualTo(JobState.EXPIRED);
    }

    @Test
    void theServerRevokesTheTokenTenSecondsAfterTheTimeLimit() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit("mail");
        Picked picked = bed.mustPick();
        bed.pass(SECOND);
        bed.start(picked);
        long[] lo = {id.lo()};
        long[] token = {picked.lease().status().token()};
        for (int second = 0; second < 40; second++) {
            assertThat(bed.engine.renew(1, lo, token, 1, bed.now).isEmpty()).isTrue();
            bed.pass(SECOND);
        }
        bed.pass(1_024);
        JobStatus status = bed.engine.job(id).status();
        assertThat(status.state()).isEqualTo(JobState.RETRY_WAIT);
        assertThat(status.attempts().getFirst().failureClass()).isEqualTo(FailureClass.TIMEOUT);
    }

    @Test
    void promotionIsBoundedPerSecond() {
        for (int i = 0; i < 1_000; i++) {
            bed.submit(Bed.later("mail", SECOND));
        }
        bed.now += SECOND + 2_048;
        int[] promoted = {0};
        Runnable drain = () -> {
            while (bed.engine.dueTimers(bed.now, 1_000, command -> {
                        bed.send(command);
                        promoted[0]++;
                    })
                    > 0) {}
        };
        drain.run();
        assertThat(promoted[0]).isEqualTo(400);
        assertThat(bed.engine.nextTimerAt()).isBetween(bed.now + 1, bed.now + 20_000);
        bed.now += 10_000;
        drain.run();
        assertThat(promoted[0]).isEqualTo(600);
        for (int i = 0; i < 2; i++) {
            bed.now += 10_000;
            drain.run();
        }
        assertThat(promoted[0]).isEqualTo(1_000);
        assertThat(bed.engine.nextTimerAt()).isGreaterThan(bed.now + 24 * HOUR);
    }
}
