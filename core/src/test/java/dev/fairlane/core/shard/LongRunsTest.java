package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobMarks;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.TypeRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Semantics §8: checkpoints and handing over. */
class LongRunsTest {
    private static final long SECOND = 1_000_000;

    private final Bed bed = new Bed();

    @Test
    void theNextExecutionKnowsTheNewestCheckpoint() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit("mail");
        long token = token(bed.mustPick());
        assertThat(checkpoint(id, token, "one")).isInstanceOf(Answer.Applied.class);
        assertThat(checkpoint(id, token, "two")).isInstanceOf(Answer.Applied.class);
        long savedAt = bed.now;
        bed.pass(11 * SECOND);

        JobStatus next = bed.mustPick().lease().status();
        assertThat(next.marks().checkpoint()).isEqualTo(new JobMarks.Checkpoint("two", 3, token, savedAt));
    }

    @Test
    void aZombieCannotMoveTheCheckpointOfItsSuccessor() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit("mail");
        long zombie = token(bed.mustPick());
        bed.pass(11 * SECOND);
        long successor = token(bed.mustPick());
        checkpoint(id, successor, "good");
        int facts = bed.facts.size();

        assertThat(checkpoint(id, zombie, "late"))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(RefusalCode.LEASE_REVOKED));
        assertThat(bed.send(new Command.HandOver(id, zombie))).isInstanceOf(Answer.Refused.class);
        assertThat(bed.facts).hasSize(facts);
    }

    @Test
    void aLongRunThatDeclaredCheckpointsAndMadeNoneIsReportedEvenWhenItsSpecWasDropped() {
        TypeRules rules = TypeRules.saying(draft -> draft.checkpoints = true);
        bed.send(new Command.PutType(bed.tenant, "mail", "short", 1, 3_600 * SECOND, rules));
        JobId id = bed.submit("mail");
        bed.submit("mail");
        bed.engine.evict(Objects.requireNonNull(bed.engine.job(id).spec()));
        bed.worker(1, 2, "mail");
        Picked bare = bed.mustPick();
        assertThat(bare.lease().id()).isEqualTo(id);
        Picked saving = bed.mustPick();
        checkpoint(saving.lease().id(), token(saving), "half");
        bed.passSteadily(61 * SECOND);
        bed.complete(bare);
        bed.complete(saving);
        List<String> noticed = new ArrayList<>();
        bed.engine.drainNotices(notice -> noticed.add(notice.kind() + " " + notice.type()));
        assertThat(noticed).containsExactly("CHECKPOINT_MISSING mail");
    }

    @Test
    void handingOverCostsNothingAndComesFirst() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit("mail");
        bed.submit("mail");
        Picked first = bed.mustPick();
        bed.start(first);
        checkpoint(id, token(first), "half");

        assertThat(bed.send(new Command.HandOver(id, token(first))))
                .isEqualTo(new Answer.Applied(id, token(first), JobState.QUEUED));
        Picked second = bed.mustPick();
        JobStatus status = second.lease().status();
        assertThat(second.lease().id()).isEqualTo(id);
        assertThat(status.attempt()).isEqualTo(1);
        assertThat(status.execution()).isEqualTo(2);
        assertThat(status.crashes()).isZero();
        assertThat(status.attempts()).isEmpty();
        assertThat(status.marks().checkpoint()).isNotNull();
    }

    @Test
    void aCheckpointDoesNotLengthenTheTimeLimitOrTheGraceOfACancel() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit("mail");
        Picked picked = bed.mustPick();
        bed.send(new Command.Cancel(null, id));
        long endsAt = bed.engine.nextTimerAt();
        checkpoint(id, token(picked), "one");

        assertThat(bed.engine.nextTimerAt()).isEqualTo(endsAt);
    }

    @Test
    void aTypeThatRunsLongMustSayHowItIsSaved() {
        assertThat(bed.send(put(301, false, false)))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(RefusalCode.CHECKPOINTS_REQUIRED));
        assertThat(bed.send(put(300, false, false))).isInstanceOf(Answer.TypeIs.class);
        assertThat(bed.send(put(3_000, true, false))).isInstanceOf(Answer.TypeIs.class);
        assertThat(bed.send(put(3_000, false, true))).isInstanceOf(Answer.TypeIs.class);
    }

    private Command put(long seconds, boolean checkpoints, boolean restartable) {
        TypeRules rules = TypeRules.saying(draft -> {
            draft.durationMicros = seconds * SECOND;
            draft.checkpoints = checkpoints;
            draft.restartable = restartable;
        });
        return new Command.PutType(bed.tenant, "train", "long", 0, 0, rules);
    }

    private Answer checkpoint(JobId id, long token, String ref) {
        return bed.send(new Command.Checkpoint(id, token, ref, 3));
    }

    private static long token(Picked picked) {
        return picked.lease().status().token();
    }
}
