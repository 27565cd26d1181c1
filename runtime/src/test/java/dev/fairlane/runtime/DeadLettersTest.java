package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Answer.ReplayOutcome;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.journal.DeadFilter;
import dev.fairlane.journal.DeadQuery;
import dev.fairlane.runtime.NodeRig.TestWorker;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeadLettersTest {
    private static final long SECOND = 1_000_000;
    private static final Failure BROKEN = Failure.of(FailureClass.NON_RETRYABLE, "no such user");

    private final NodeRig rig = new NodeRig();
    private Tenant acme;
    private TestWorker worker;

    @BeforeEach
    void aTenantAndAWorker() {
        acme = rig.tenant("acme", 10);
        worker = rig.worker("w1", 1, "mail");
    }

    private JobId dead() {
        JobId id = rig.submit(acme, "mail");
        failNext();
        return id;
    }

    private void failNext() {
        rig.settle();
        worker.fail(worker.ref(worker.leases.size() - 1), BROKEN);
        rig.settle();
    }

    private void succeedNext() {
        rig.settle();
        worker.succeed(worker.ref(worker.leases.size() - 1));
        rig.settle();
    }

    private Answer replay(JobId id) {
        return rig.settled(rig.node.deadLetters().replay(acme.id(), id, null, "ops", "fixed"));
    }

    private JobState state(JobId id) {
        return rig.job(id).status().state();
    }

    private static Answer replayed(JobId id, JobState state) {
        return new Answer.Replayed(id, ReplayOutcome.REPLAYED, state);
    }

    @Test
    void aDeadJobIsReplayedAtOnceBeforeItsRowWasWritten() {
        JobId id = dead();
        assertThat(replay(id)).isEqualTo(replayed(id, JobState.QUEUED));
        assertThat(state(id)).isIn(JobState.QUEUED, JobState.LEASED);
        succeedNext();
        assertThat(state(id)).isEqualTo(JobState.SUCCEEDED);
        rig.advance(2 * SECOND);
        assertThat(state(id)).isEqualTo(JobState.SUCCEEDED);
        assertThat(letters()).isEmpty();
        assertThat(rig.job(id).status().marks().replay().by()).isEqualTo("ops");
    }

    private List<JobView> letters() {
        return rig.settled(rig.node.deadLetters().list(new DeadQuery(DeadFilter.all(null), null, 100, true)))
                .jobs();
    }

    @Test
    void aJobThatDiesAgainIsOneDeadLetterAndCanBeReplayedAgain() {
        JobId id = dead();
        for (int count = 1; count <= 3; count++) {
            assertThat(replay(id)).isEqualTo(replayed(id, JobState.QUEUED));
            failNext();
            assertThat(state(id)).isEqualTo(JobState.DEAD);
            rig.advance(count % 2 * 2 * SECOND);
        }
        rig.advance(2 * SECOND);
        assertThat(letters()).hasSize(1);
        assertThat(letters().getFirst().status().marks().replay().count()).isEqualTo(3);
        assertThat(letters().getFirst().status().attempts()).hasSize(4);
    }

    @Test
    void ofTwoReplaysAtOnceOneWins() {
        JobId id = dead();
        worker.session.drain();
        CompletableFuture<Answer> one = rig.node.deadLetters().replay(null, id, null, "one", "");
        CompletableFuture<Answer> other = rig.node.deadLetters().replay(null, id, null, "other", "");
        assertThat(rig.settled(one)).isEqualTo(replayed(id, JobState.QUEUED));
        assertThat(rig.settled(other)).isEqualTo(new Answer.Replayed(id, ReplayOutcome.ALREADY_OPEN, JobState.QUEUED));
        assertThat(rig.job(id).status().marks().replay().by()).isEqualTo("one");
    }

    @Test
    void whatIsNotDeadIsLeftAlone() {
        JobId done = rig.submit(acme, "mail");
        succeedNext();
        JobId open = rig.submit(acme, "other");
        assertThat(replay(done)).isEqualTo(new Answer.Replayed(done, ReplayOutcome.NOT_DEAD, JobState.SUCCEEDED));
        assertThat(replay(open)).isEqualTo(new Answer.Replayed(open, ReplayOutcome.ALREADY_OPEN, JobState.QUEUED));
        assertThat(replay(new JobId(open.hi(), open.lo() + 77))).isInstanceOf(Answer.Refused.class);
    }

    @Test
    void anotherTenantFindsNothingToReplay() {
        JobId id = dead();
        Tenant other = rig.tenant("other", 1);
        assertThat(rig.settled(rig.node.deadLetters().replay(other.id(), id, null, "x", "")))
                .isInstanceOf(Answer.Refused.class);
        assertThat(state(id)).isEqualTo(JobState.DEAD);
    }

    @Test
    void aReplayOutlivesTheNodeBeforeAndAfterItsFlush() {
        JobId id = dead();
        Payload edited = new Payload("{\"to\":1}".getBytes(StandardCharsets.UTF_8), Payload.JSON);
        rig.settled(rig.node.deadLetters().replay(acme.id(), id, edited, "ops", "typo"));
        for (int restart = 0; restart < 2; restart++) {
            rig.start();
            JobView job = rig.job(id);
            assertThat(job.status().state()).isIn(JobState.QUEUED, JobState.LEASED);
            assertThat(job.spec().payload()).isEqualTo(edited);
            assertThat(job.status().marks().replay().why()).isEqualTo("typo");
            rig.advance(2 * SECOND);
            assertThat(letters()).isEmpty();
        }
    }

    @Test
    void aReplayedJobThatEndedInTheTailIsOnceWhereItBelongs() {
        JobId good = dead();
        JobId bad = dead();
        replay(good);
        succeedNext();
        replay(bad);
        failNext();
        rig.start();
        rig.advance(2 * SECOND);
        assertThat(state(good)).isEqualTo(JobState.SUCCEEDED);
        assertThat(letters()).extracting(view -> view.spec().id()).containsExactly(bad);
        assertThat(replay(bad)).isEqualTo(replayed(bad, JobState.QUEUED));
    }

    @Test
    void theKeyOfADeadJobStaysItsOwnThroughAReplay() {
        NewJob keyed = new NewJob("mail", Payload.EMPTY, 0, -1, 0, 0, 0, 0, 0, "order-1", 5, Map.of(), Map.of());
        JobId id = rig.submit(acme, keyed);
        failNext();
        replay(id);
        assertThat(rig.submit(acme, keyed)).isEqualTo(id);
    }

    @Test
    void allThatFitAreReplayed() {
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.add(dead());
        }
        Operation begun = started(rig.node.deadLetters().replayAll(filter("mail", null), 0, 0, "ops", "fixed"));
        for (int i = 0; i < 5; i++) {
            rig.advance(SECOND / 10);
            succeedNext();
        }
        Operation ended = operation(begun.id());
        assertThat(ended.state()).isEqualTo(Operation.State.DONE);
        assertThat(ended.expected()).isEqualTo(5);
        assertThat(ended.done()).isEqualTo(5);
        assertThat(ids).allSatisfy(id -> assertThat(state(id)).isEqualTo(JobState.SUCCEEDED));
    }

    @Test
    void aJobThatDiesAgainIsNotReplayedAgainByTheSameOperation() {
        dead();
        Operation begun = started(rig.node.deadLetters().replayAll(filter("", null), 0, 0, "ops", ""));
        failNext();
        rig.advance(5 * SECOND);
        assertThat(operation(begun.id()).done()).isEqualTo(1);
        assertThat(letters()).hasSize(1);
    }

    @Test
    void canariesThatDieAgainStopTheReplay() {
        for (int i = 0; i < 5; i++) {
            dead();
        }
        Operation begun = started(rig.node.deadLetters().replayAll(filter("", null), 0, 2, "ops", "maybe fixed"));
        succeedNext();
        assertThat(operation(begun.id()).state()).isEqualTo(Operation.State.WAITING_FOR_CANARIES);
        failNext();
        rig.advance(SECOND);
        Operation stopped = operation(begun.id());
        assertThat(stopped.state()).isEqualTo(Operation.State.STOPPED);
        assertThat(stopped.done()).isEqualTo(2);
        rig.advance(2 * SECOND);
        assertThat(letters()).hasSize(4);
    }

    @Test
    void goodCanariesLetTheOthersThrough() {
        for (int i = 0; i < 4; i++) {
            dead();
        }
        Operation begun = started(rig.node.deadLetters().replayAll(filter("", null), 0, 1, "ops", ""));
        for (int i = 0; i < 4; i++) {
            succeedNext();
            rig.advance(SECOND);
        }
        assertThat(operation(begun.id()).state()).isEqualTo(Operation.State.DONE);
        assertThat(letters()).isEmpty();
    }

    @Test
    void purgedLettersAreGone() {
        JobId id = dead();
        JobId kept = rig.submit(acme, "mail");
        succeedNext();
        Operation begun = started(rig.node.deadLetters().purge(filter("", FailureClass.NON_RETRYABLE), "ops", "old"));
        rig.advance(SECOND);
        assertThat(operation(begun.id()).done()).isEqualTo(1);
        assertThat(rig.settled(rig.node.get(null, id))).isEmpty();
        assertThat(state(kept)).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void deathsAreCountedByType() {
        dead();
        dead();
        rig.advance(2 * SECOND);
        assertThat(rig.node.status().deadLetters().byType()).containsExactly(Map.entry("mail", 2L));
        assertThat(rig.settled(rig.node.deadLetters().count(DeadFilter.all(acme.id()))))
                .singleElement()
                .satisfies(count -> assertThat(count.count()).isEqualTo(2));
    }

    @Test
    void aDeathAndWhatIsNoticedOfItCountWhenTheyAreDurable() {
        for (int i = 0; i < 19; i++) {
            dead();
        }
        rig.submit(acme, "mail");
        rig.settle();
        rig.holdCommits();
        failNext();
        rig.advance(SECOND);
        assertThat(rig.node.status().deadLetters().byType()).containsEntry("mail", 19L);
        assertThat(rig.node.status().counters().dead()).isEqualTo(19);
        assertThat(rig.node.status().noticed()).isEmpty();

        rig.letCommit();
        rig.advance(SECOND);

        assertThat(rig.node.status().deadLetters().byType()).containsEntry("mail", 20L);
        assertThat(rig.node.status().counters().dead()).isEqualTo(20);
        assertThat(rig.node.status().noticed()).containsExactly(Map.entry(Notice.Kind.TYPE_QUARANTINED, 1L));
    }

    @Test
    void whatTheNextStartFindsIsNoNews() {
        for (int i = 0; i < 20; i++) {
            dead();
        }
        rig.advance(SECOND);
        assertThat(rig.node.status().noticed()).hasSize(1);

        rig.start();
        rig.advance(SECOND);

        assertThat(rig.node.status().noticed()).isEmpty();
    }

    private DeadFilter filter(String type, @Nullable FailureClass failureClass) {
        return new DeadFilter(acme.id(), type, failureClass, "", 0, 0);
    }

    private Operation started(CompletableFuture<Operation> start) {
        Operation operation = rig.settled(start);
        rig.advance(SECOND / 10);
        return operation;
    }

    private Operation operation(String id) {
        return rig.settled(rig.node.operations().get(acme.id(), id)).orElseThrow();
    }
}
