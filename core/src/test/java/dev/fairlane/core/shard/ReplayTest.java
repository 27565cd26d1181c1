package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.HOUR;
import static dev.fairlane.core.shard.Bed.MINUTE;
import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Answer.ReplayOutcome;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobMarks;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.RefusalCode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ReplayTest {
    private final Bed bed = new Bed();

    private JobId dead(String type) {
        JobId id = bed.submit(type);
        bed.fail(bed.mustPick(), FailureClass.NON_RETRYABLE);
        assertThat(bed.state(id)).isEqualTo(JobState.DEAD);
        return id;
    }

    @Test
    void aDeadJobComesBackWithFreshAttemptsAndItsStory() {
        bed.worker(1, 1, "mail");
        JobId id = dead("mail");
        JobStatus was = bed.ended.get(id).status();
        bed.pass(MINUTE);
        assertThat(bed.replay(id)).isEqualTo(new Answer.Replayed(id, ReplayOutcome.REPLAYED, JobState.QUEUED));
        JobStatus is = bed.engine.job(id).status();
        assertThat(is.attempt()).isZero();
        assertThat(is.crashes()).isZero();
        assertThat(is.execution()).isEqualTo(was.execution());
        assertThat(is.attempts()).isEqualTo(was.attempts());
        assertThat(is.marks().replay()).isEqualTo(new JobMarks.Replay(bed.now, "ops", "fixed", 1));
        Picked again = bed.mustPick();
        assertThat(again.lease().status().token()).isGreaterThan(was.token());
        assertThat(again.lease().status().execution()).isEqualTo(was.execution() + 1);
        bed.complete(again);
        assertThat(bed.state(id)).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void everyReplayIsCountedAndTheLastOneNamed() {
        bed.worker(1, 1, "mail");
        JobId id = dead("mail");
        for (int count = 1; count <= 3; count++) {
            bed.replay(id);
            assertThat(bed.engine.job(id).status().marks().replay().count()).isEqualTo(count);
            bed.fail(bed.mustPick(), FailureClass.NON_RETRYABLE);
        }
        assertThat(bed.ended.get(id).status().attempts()).hasSize(4);
    }

    @Test
    void ofTwoReplaysOneWins() {
        bed.worker(1, 1, "mail");
        JobId id = dead("mail");
        Fact.JobEnded end = bed.ended.get(id);
        bed.replay(id);
        assertThat(bed.send(new Command.Replay(end.spec(), end.status(), null, "other", "too")))
                .isEqualTo(new Answer.Replayed(id, ReplayOutcome.ALREADY_OPEN, JobState.QUEUED));
        assertThat(bed.engine.job(id).status().marks().replay().by()).isEqualTo("ops");
    }

    @Test
    void onlyDeadJobsComeBack() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit("mail");
        bed.complete(bed.mustPick());
        assertThat(bed.replay(id)).isEqualTo(new Answer.Replayed(id, ReplayOutcome.NOT_DEAD, JobState.SUCCEEDED));
        assertThat(bed.engine.openJobs()).isZero();
    }

    @Test
    void anEditedPayloadTakesThePlaceOfTheOldOne() {
        bed.worker(1, 1, "mail");
        JobId id = dead("mail");
        Fact.JobEnded end = bed.ended.remove(id);
        Payload edited = new Payload("{\"to\":1}".getBytes(StandardCharsets.UTF_8), Payload.JSON);
        bed.send(new Command.Replay(end.spec(), end.status(), edited, "ops", "typo"));
        assertThat(bed.mustPick().lease().spec().payload()).isEqualTo(edited);
    }

    @Test
    void whatCouldNotStartAnyMoreIsRefused() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit(Bed.notAfter("mail", bed.now + HOUR));
        bed.fail(bed.mustPick(), FailureClass.NON_RETRYABLE);
        bed.pass(2 * HOUR);
        assertThat(bed.replay(id))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(RefusalCode.INVALID_ARGUMENT));
        assertThat(bed.engine.openJobs()).isZero();
    }

    @Test
    void theKeyLeadsToTheJobAgain() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit(Bed.keyed("mail", "order-1", 7));
        bed.fail(bed.mustPick(), FailureClass.NON_RETRYABLE);
        bed.replay(id);
        assertThat(bed.send(new Command.Submit(bed.newId(), bed.tenant, Bed.keyed("mail", "order-1", 7))))
                .isEqualTo(new Answer.Submitted(id, JobState.QUEUED, true));
        bed.complete(bed.mustPick());
        assertThat(bed.send(new Command.Submit(bed.newId(), bed.tenant, Bed.keyed("mail", "order-1", 7))))
                .isEqualTo(new Answer.Submitted(id, JobState.SUCCEEDED, true));
    }

    @Test
    void aTimeoutBeforeTheReplayDoesNotCountAfterIt() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit("mail");
        bed.fail(bed.mustPick(), FailureClass.TIMEOUT);
        bed.pass(10 * SECOND);
        bed.fail(bed.mustPick(), FailureClass.TIMEOUT);
        assertThat(bed.state(id)).isEqualTo(JobState.DEAD);
        bed.pass(SECOND);
        bed.replay(id);
        bed.fail(bed.mustPick(), FailureClass.TIMEOUT);
        assertThat(bed.state(id)).isEqualTo(JobState.RETRY_WAIT);
    }

    @Test
    void aZombieOfTheFirstLifeCannotWriteIntoTheSecond() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit("mail");
        Picked zombie = bed.mustPick();
        bed.fail(zombie, FailureClass.NON_RETRYABLE);
        bed.replay(id);
        assertThat(bed.complete(zombie)).isInstanceOf(Answer.Refused.class);
        bed.mustPick();
        assertThat(bed.complete(zombie)).isInstanceOf(Answer.Refused.class);
        assertThat(bed.state(id)).isEqualTo(JobState.LEASED);
    }
}
