package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.journal.JobPage;
import dev.fairlane.journal.JobQuery;
import dev.fairlane.runtime.NodeRig.TestWorker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LocalNodeTest {
    private static final long SECOND = 1_000_000;

    private final NodeRig rig = new NodeRig();
    private Tenant acme;

    @BeforeEach
    void aTenant() {
        acme = rig.tenant("acme", 10);
    }

    @Test
    void aJobGoesInRunsAndEnds() {
        JobId id = rig.submit(acme, "echo");
        assertThat(rig.job(id).status().state()).isEqualTo(JobState.QUEUED);
        TestWorker worker = rig.worker("w1", 1, "echo");
        assertThat(worker.leases).hasSize(1);
        assertThat(rig.job(id).status().state()).isEqualTo(JobState.LEASED);
        worker.succeed(worker.ref(0));
        rig.settle();
        assertThat(worker.acks).containsExactly(new WorkerStream.Ack(worker.ref(0), false));
        assertThat(rig.job(id).status().state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void aFinishedJobIsFoundBeforeAndAfterItsRowIsWritten() {
        TestWorker worker = rig.worker("w1", 1, "echo");
        JobId id = rig.submit(acme, "echo");
        rig.settle();
        worker.succeed(worker.ref(0));
        rig.settle();
        assertThat(rig.job(id).status().state()).isEqualTo(JobState.SUCCEEDED);
        rig.advance(2 * SECOND);
        JobView stored = rig.job(id);
        assertThat(stored.status().state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(stored.spec().type()).isEqualTo("echo");
    }

    @Test
    void theSameCompletionAgainGetsTheSameAnswerAlsoFromTheStore() {
        TestWorker worker = rig.worker("w1", 1, "echo");
        rig.submit(acme, "echo");
        rig.settle();
        worker.succeed(worker.ref(0));
        worker.succeed(worker.ref(0));
        rig.settle();
        rig.advance(2 * SECOND);
        worker.succeed(worker.ref(0));
        rig.settle();
        assertThat(worker.acks)
                .hasSize(3)
                .allSatisfy(ack -> assertThat(ack.revoked()).isFalse());
    }

    @Test
    void theSameFailureAgainGetsTheSameAnswerWhileTheJobWaitsAndAfterItsEnd() {
        TestWorker worker = rig.worker("w1", 1, "echo");
        JobId id = rig.submit(acme, "echo");
        rig.settle();
        Failure failure = Failure.of(FailureClass.APP_ERROR, "no luck");
        worker.fail(worker.ref(0), failure);
        worker.fail(worker.ref(0), failure);
        rig.settle();
        assertThat(rig.job(id).status().state()).isEqualTo(JobState.RETRY_WAIT);
        assertThat(rig.job(id).status().attempts()).as("it counts once").hasSize(1);
        worker.fail(worker.ref(0), Failure.of(FailureClass.APP_ERROR, "another"));
        rig.settle();
        assertThat(worker.acks.stream().map(WorkerStream.Ack::revoked)).containsExactly(false, false, true);

        rig.advance(3 * SECOND);
        Failure last = Failure.of(FailureClass.NON_RETRYABLE, "no user");
        worker.fail(worker.ref(1), last);
        worker.fail(worker.ref(1), last);
        rig.settle();
        rig.advance(2 * SECOND);
        worker.fail(worker.ref(1), last);
        worker.fail(worker.ref(0), failure);
        rig.settle();
        assertThat(worker.acks.stream().skip(3).map(WorkerStream.Ack::revoked))
                .as("before and after its row is written; the one of the first lease is late")
                .containsExactly(false, false, false, true);
        assertThat(rig.job(id).status().attempts()).hasSize(2);
    }

    @Test
    void aZombieCannotWrite() {
        TestWorker slow = rig.worker("slow", 1, "echo");
        JobId id = rig.submit(acme, "echo");
        rig.settle();
        LeaseRef stale = slow.ref(0);
        slow.session.close();
        rig.advance(11 * SECOND);
        TestWorker other = rig.worker("other", 1, "echo");
        assertThat(other.leases).hasSize(1);
        assertThat(other.ref(0).token()).isGreaterThan(stale.token());
        other.succeed(stale);
        rig.settle();
        assertThat(other.acks).containsExactly(new WorkerStream.Ack(stale, true));
        assertThat(rig.job(id).status().state()).isEqualTo(JobState.LEASED);
    }

    @Test
    void aLateResultIsRefusedWhileTheJobWaitsAgain() {
        TestWorker worker = rig.worker("w1", 1, "echo");
        JobId id = rig.submit(acme, "echo");
        rig.settle();
        LeaseRef stale = worker.ref(0);
        worker.session.drain();
        rig.advance(11 * SECOND);
        assertThat(rig.job(id).status().state()).isEqualTo(JobState.QUEUED);
        worker.succeed(stale);
        rig.settle();
        assertThat(worker.acks).containsExactly(new WorkerStream.Ack(stale, true));
        assertThat(rig.job(id).status().state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void heartbeatsKeepALeaseAlive() {
        TestWorker worker = rig.worker("w1", 1, "echo");
        JobId id = rig.submit(acme, "echo");
        rig.settle();
        for (int i = 1; i <= 8; i++) {
            rig.advance(3 * SECOND);
            worker.session.heartbeat(List.of(worker.ref(0)), i);
            rig.settle();
            assertThat(worker.heartbeatAcks).isEqualTo(i);
        }
        assertThat(worker.revoked).isEmpty();
        assertThat(worker.leases).hasSize(1);
        assertThat(rig.job(id).status().execution()).isEqualTo(1);
    }

    @Test
    void everythingSurvivesARestartAndWorkersGoOn() {
        TestWorker worker = rig.worker("w1", 1, "echo");
        JobId running = rig.submit(acme, "echo");
        JobId waiting = rig.submit(acme, "echo");
        rig.settle();
        LocalNode before = rig.node;
        rig.start();
        assertThat(rig.job(running).status().state()).isEqualTo(JobState.LEASED);
        assertThat(rig.job(waiting).status().state()).isEqualTo(JobState.QUEUED);
        TestWorker again = rig.worker("w1", 1, List.of(worker.ref(0)), "echo");
        assertThat(again.revoked).isEmpty();
        assertThat(again.leases).as("its one slot is taken").isEmpty();
        again.succeed(worker.ref(0));
        rig.settle();
        assertThat(again.acks).containsExactly(new WorkerStream.Ack(worker.ref(0), false));
        assertThat(again.leases).hasSize(1);
        assertThat(again.ref(0).token()).isGreaterThan(worker.ref(0).token());
        assertThat(before.submit(acme.id(), List.of()))
                .as("a call on the old node")
                .isNotDone();
    }

    @Test
    void leasesDoNotRunOutBeforeWorkersCanConnect() {
        TestWorker worker = rig.worker("w1", 1, "echo");
        JobId id = rig.submit(acme, "echo");
        rig.settle();
        rig.start().unreachable();
        rig.advance(30 * SECOND);
        assertThat(rig.job(id).status().state()).isEqualTo(JobState.LEASED);
        rig.node.reachable();
        rig.settle();
        rig.advance(9 * SECOND);
        TestWorker again = rig.worker("w1", 1, List.of(worker.ref(0)), "echo");
        assertThat(again.revoked).isEmpty();
        assertThat(rig.job(id).status().crashes()).isZero();
    }

    @Test
    void anOldOwnerIsOverAndItsParkedRepliesFail() {
        LocalNode old = rig.node;
        rig.start();
        CompletableFuture<SubmitReply> reply = old.submit(acme.id(), List.of(NewJob.of("echo", Payload.EMPTY)));
        while (old.turn()) {}
        old.turn();
        assertThat(old.ended()).isDone();
        assertThatThrownBy(reply::join).hasCauseInstanceOf(NodeFault.class);
    }

    @Test
    void whatAWorkerNoLongerHoldsIsQueuedAgainAtOnceWhenItConnectsAgain() {
        TestWorker worker = rig.worker("w1", 2, "echo");
        JobId id = rig.submit(acme, "echo");
        rig.settle();
        assertThat(worker.leases).hasSize(1);
        TestWorker again = rig.worker("w1", 2, List.of(), "echo");
        assertThat(worker.ended).hasSize(1);
        assertThat(again.leases).hasSize(1);
        assertThat(rig.job(id).status().crashes()).isEqualTo(1);
    }

    @Test
    void aRunningJobIsCancelledByTellingItsWorker() {
        TestWorker worker = rig.worker("w1", 1, "echo");
        JobId id = rig.submit(acme, "echo");
        rig.settle();
        Answer answer = rig.settled(rig.node.cancel(acme.id(), id));
        assertThat(answer).isEqualTo(new Answer.Cancelled(id, Answer.CancelOutcome.CANCEL_REQUESTED, JobState.LEASED));
        assertThat(worker.cancels).containsExactly(worker.ref(0));
        worker.session.report(new WorkerSession.Report(
                List.of(),
                List.of(),
                List.of(new WorkerSession.Failed(worker.ref(0), Failure.of(FailureClass.APP_ERROR, "stopped")))));
        rig.settle();
        assertThat(rig.job(id).status().state()).isEqualTo(JobState.CANCELLED);
        assertThat(rig.settled(rig.node.cancel(acme.id(), id)))
                .isEqualTo(new Answer.Cancelled(id, Answer.CancelOutcome.ALREADY_DONE, JobState.CANCELLED));
    }

    @Test
    void aLeaseThatHasNotLeftTheNodeIsCancelledAtOnceAndNeverLeaves() {
        JobId id = rig.submit(acme, "echo");
        rig.holdCommits();
        TestWorker worker = rig.worker("w1", 1, "echo");
        CompletableFuture<Answer> cancel = rig.node.cancel(acme.id(), id);
        rig.settle();
        assertThat(cancel).as("nothing is told before its commit").isNotDone();
        rig.letCommit();
        assertThat(cancel.join())
                .isEqualTo(new Answer.Cancelled(id, Answer.CancelOutcome.CANCELLED, JobState.CANCELLED));
        assertThat(worker.leases).isEmpty();
    }

    @Test
    void nothingIsToldBeforeItsCommitReadsIncluded() {
        rig.holdCommits();
        CompletableFuture<SubmitReply> submit = rig.node.submit(acme.id(), List.of(NewJob.of("echo", Payload.EMPTY)));
        CompletableFuture<List<JobType>> types = rig.node.types(acme.id());
        rig.settle();
        assertThat(submit).isNotDone();
        assertThat(types).isNotDone();
        rig.letCommit();
        assertThat(submit).isDone();
        assertThat(types.join()).hasSize(1);
    }

    @Test
    void aJobOfAnotherTenantIsNotThere() {
        Tenant globex = rig.tenant("globex", 10);
        JobId id = rig.submit(acme, "echo");
        assertThat(rig.settled(rig.node.get(globex.id(), id))).isEmpty();
        assertThat(rig.settled(rig.node.cancel(globex.id(), id))).isInstanceOf(Answer.Refused.class);
        rig.advance(2 * SECOND);
        assertThat(rig.settled(rig.node.get(globex.id(), id))).isEmpty();
        assertThat(rig.job(id).status().state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void aFailedJobIsRetriedAfterItsWait() {
        TestWorker worker = rig.worker("w1", 1, "echo");
        JobId id = rig.submit(acme, "echo");
        rig.settle();
        worker.session.report(new WorkerSession.Report(
                List.of(),
                List.of(),
                List.of(new WorkerSession.Failed(worker.ref(0), Failure.of(FailureClass.APP_ERROR, "boom")))));
        rig.settle();
        assertThat(rig.job(id).status().state()).isEqualTo(JobState.RETRY_WAIT);
        rig.advance(2 * SECOND);
        assertThat(worker.leases).hasSize(2);
        assertThat(rig.job(id).status().attempts())
                .singleElement()
                .satisfies(attempt -> assertThat(attempt.message()).isEqualTo("boom"));
    }

    @Test
    void awaitAnswersAtTheEndOrWhenTimeIsOver() {
        TestWorker worker = rig.worker("w1", 1, "echo");
        JobId id = rig.submit(acme, "echo");
        rig.settle();
        CompletableFuture<Optional<JobView>> early = rig.node.await(acme.id(), id, SECOND);
        CompletableFuture<Optional<JobView>> late = rig.node.await(acme.id(), id, 60 * SECOND);
        rig.settle();
        rig.advance(2 * SECOND);
        assertThat(early.join().orElseThrow().status().state()).isEqualTo(JobState.LEASED);
        assertThat(late).isNotDone();
        worker.succeed(worker.ref(0));
        rig.settle();
        assertThat(late.join().orElseThrow().status().state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(rig.settled(rig.node.await(acme.id(), JobId.of(1, 0, 0, 1, 1), SECOND)))
                .isEmpty();
    }

    @Test
    void aWatcherSeesEveryStateUntilTheEnd() {
        JobId id = rig.submit(acme, "echo");
        List<JobState> seen = new ArrayList<>();
        Node.Watch watch =
                rig.node.watch(acme.id(), id, view -> seen.add(view.status().state()));
        rig.settle();
        TestWorker worker = rig.worker("w1", 1, "echo");
        worker.succeed(worker.ref(0));
        rig.settle();
        assertThat(seen).containsExactly(JobState.QUEUED, JobState.LEASED, JobState.SUCCEEDED);
        assertThat(watch.done()).isCompletedWithValue(true);
    }

    @Test
    void aListShowsWhatItsPositionNames() {
        JobId id = rig.submit(acme, "echo");
        JobQuery all = new JobQuery(acme.id(), Set.of(), "", null, 10);
        Position position = new Position(rig.node.status().epoch(), 2);
        JobPage page = rig.settled(rig.node.list(all, position));
        assertThat(page.jobs())
                .singleElement()
                .satisfies(view -> assertThat(view.spec().id()).isEqualTo(id));
    }

    @Test
    void aPositionThatWasNeverGivenOutIsTheCallersFault() {
        JobQuery all = new JobQuery(acme.id(), Set.of(), "", null, 10);
        Position future = new Position(rig.node.status().epoch(), 1_000);
        assertThatThrownBy(() -> rig.settled(rig.node.list(all, future)))
                .hasCauseInstanceOf(NodeFault.class)
                .hasMessageContaining("never given out");
    }

    @Test
    void anOrderlyStopLeavesNothingToReplay() {
        rig.submit(acme, "echo");
        CompletableFuture<Void> stopped = rig.node.stop();
        rig.advance(3 * SECOND);
        assertThat(stopped).isDone();
        assertThat(rig.node.ended()).isCompletedWithValue("");
        assertThatThrownBy(() -> rig.node.submit(acme.id(), List.of()).join()).hasCauseInstanceOf(NodeFault.class);
        rig.start();
        assertThat(rig.node.status().tenants()).isNotEmpty();
    }

    @Test
    void aCallThatComesAfterTheEndIsAnswered() {
        LocalNode old = rig.node;
        JobId id = rig.submit(acme, "echo");
        rig.start();
        CompletableFuture<Answer> doomed = old.putTenant("late", 1);
        for (int i = 0; i < 100 && !old.ended().isDone(); i++) {
            old.turn();
        }
        assertThat(old.ended()).isDone();
        assertThat(doomed).isCompletedExceptionally();
        assertThatThrownBy(() -> old.get(null, id).getNow(Optional.empty())).hasCauseInstanceOf(NodeFault.class);
    }
}
