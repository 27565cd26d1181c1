package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.runtime.NodeRig.TestWorker;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What callers and workers hear who were away while something happened. */
class ComingBackTest {
    private static final long SECOND = 1_000_000;

    private final NodeRig rig = new NodeRig();
    private Tenant acme;

    @BeforeEach
    void aTenant() {
        acme = rig.tenant("acme", 10);
    }

    @Test
    void aKeyLeadsToItsJobAlsoWhenThatEndedBeforeThisStart() {
        TestWorker worker = rig.worker("w1", 1, "echo");
        JobId id = rig.submit(acme, keyed("k1"));
        rig.settle();
        worker.succeed(worker.ref(0));
        rig.settle();
        rig.advance(2 * SECOND);
        rig.start();
        List<Answer> answers = rig.settled(rig.node.submit(acme.id(), List.of(keyed("k2"), keyed("k1"), keyed("k1"))))
                .answers();
        Answer known = new Answer.Submitted(id, JobState.SUCCEEDED, true);
        assertThat(answers.subList(1, 3)).containsExactly(known, known);
    }

    private static NewJob keyed(String key) {
        return new NewJob("echo", Payload.EMPTY, 0, -1, 0, 0, 0, 0, 0, key, 7, Map.of(), Map.of());
    }

    @Test
    void aSuccessThatComesAfterTheCancelGraceIsRefusedThoughItsTokenWasTheLast() {
        TestWorker worker = rig.worker("w1", 1, "echo");
        JobId id = rig.submit(acme, "echo");
        rig.settle();
        rig.settled(rig.node.cancel(acme.id(), id));
        rig.advance(11 * SECOND);
        assertThat(rig.job(id).status().state()).isEqualTo(JobState.CANCELLED);
        worker.succeed(worker.ref(0));
        rig.settle();
        assertThat(worker.acks).containsExactly(new WorkerStream.Ack(worker.ref(0), true));
    }

    @Test
    void theFailureThatEndedTheJobGetsTheSameAnswerAgainAndNoOtherOutcomeDoes() {
        TestWorker worker = rig.worker("w1", 1, "echo");
        JobId id = rig.submit(acme, "echo");
        rig.settle();
        Failure failure = Failure.of(FailureClass.NON_RETRYABLE, "no such address");
        worker.fail(worker.ref(0), failure);
        rig.settle();
        assertThat(rig.job(id).status().state()).isEqualTo(JobState.DEAD);
        worker.fail(worker.ref(0), failure);
        worker.succeed(worker.ref(0));
        rig.settle();
        assertThat(worker.acks).extracting(WorkerStream.Ack::revoked).containsExactly(false, false, true);
    }

    @Test
    void aWorkerThatComesBackHearsOfTheCancelItMissed() {
        TestWorker worker = rig.worker("w1", 1, "echo");
        JobId id = rig.submit(acme, "echo");
        rig.settle();
        worker.session.close();
        rig.settle();
        rig.settled(rig.node.cancel(acme.id(), id));
        TestWorker again = rig.worker("w1", 1, List.of(worker.ref(0)), "echo");
        assertThat(again.cancels).containsExactly(worker.ref(0));
        rig.start();
        TestWorker later = rig.worker("w1", 1, List.of(worker.ref(0)), "echo");
        assertThat(later.cancels).as("after a restart too").containsExactly(worker.ref(0));
    }

    @Test
    void aCancelComesAfterItsLeaseAlsoWhenThePayloadHadToBeFetched() {
        JobId id = rig.submit(acme, "echo");
        rig.advance(2 * SECOND);
        rig.start();
        rig.holdFetches();
        TestWorker worker = rig.worker("w1", 1, "echo");
        rig.settled(rig.node.cancel(acme.id(), id));
        rig.letFetch();
        assertThat(worker.leases).hasSize(1);
        assertThat(worker.cancels).contains(worker.ref(0));
        assertThat(worker.cancels).as("one of them after the lease").hasSizeGreaterThan(worker.unknown.size());
    }

    @Test
    void aCancelIsHeardThoughItsLeaseRanOutInTheSameTurn() {
        TestWorker worker = rig.worker("w1", 1, "echo");
        JobId id = rig.submit(acme, "echo");
        rig.settle();
        for (int i = 0; i < 12; i++) {
            rig.node.turn();
            rig.skip(850_000);
        }
        rig.node.cancel(acme.id(), id);
        rig.settle();
        assertThat(rig.job(id).status().state()).isEqualTo(JobState.CANCELLED);
        assertThat(worker.cancels).containsExactly(worker.ref(0));
    }

    @Test
    void aWorkerThatComesBackWithAJobThatEndedWithoutItIsToldToStop() {
        TestWorker worker = rig.worker("w1", 1, "echo");
        JobId id = rig.submit(acme, "echo");
        rig.settle();
        worker.session.close();
        rig.settle();
        rig.settled(rig.node.cancel(acme.id(), id));
        rig.advance(11 * SECOND);
        assertThat(rig.job(id).status().state()).isEqualTo(JobState.CANCELLED);
        TestWorker again = rig.worker("w1", 1, List.of(worker.ref(0)), "echo");
        assertThat(again.acks).containsExactly(new WorkerStream.Ack(worker.ref(0), true));
    }

    @Test
    void aWorkerThatComesBackWithAResultThatWasTakenIsNotToldToStop() {
        TestWorker worker = rig.worker("w1", 1, "echo");
        rig.submit(acme, "echo");
        rig.settle();
        worker.succeed(worker.ref(0));
        rig.settle();
        TestWorker again = rig.worker("w1", 1, List.of(worker.ref(0)), "echo");
        assertThat(again.acks).isEmpty();
        again.succeed(worker.ref(0));
        rig.settle();
        assertThat(again.acks).containsExactly(new WorkerStream.Ack(worker.ref(0), false));
    }

    @Test
    void aLeaseOfAnEndedJobThatStaysInTheHeartbeatsIsTakenBack() {
        TestWorker worker = rig.worker("w1", 1, "echo");
        JobId id = rig.submit(acme, "echo");
        rig.settle();
        rig.settled(rig.node.cancel(acme.id(), id));
        rig.advance(11 * SECOND);
        worker.session.heartbeat(List.of(worker.ref(0)), 1);
        rig.settle();
        assertThat(worker.acks).as("it may have crossed its own ack").isEmpty();
        worker.session.heartbeat(List.of(worker.ref(0)), 2);
        rig.settle();
        assertThat(worker.acks).containsExactly(new WorkerStream.Ack(worker.ref(0), true));
    }

    @Test
    void aStartThatLostItsLogDoesNotCallAnOthersJobDone() {
        LocalNode old = rig.node;
        rig.start();
        JobId id = rig.submit(acme, "echo");
        rig.advance(2 * SECOND);
        CompletableFuture<Answer> reply = old.cancel(acme.id(), id);
        old.turn();
        assertThatThrownBy(reply::join).hasMessageContaining("another start");
    }

    @Test
    void aJumpOfTheStoresClockEndsNoLease() {
        long before = rig.node.now();
        rig.jumpStoreClock(3_600 * SECOND);
        rig.advance(315 * SECOND);
        assertThat(rig.node.now() - before).as("it may be a mistake").isLessThan(330 * SECOND);
        TestWorker worker = rig.worker("w1", 1, "echo");
        JobId id = rig.submit(acme, "echo");
        rig.settle();
        for (int i = 1; i <= 12; i++) {
            rig.advance(3 * SECOND);
            worker.session.heartbeat(List.of(worker.ref(0)), i);
            rig.settle();
        }
        assertThat(rig.node.now() - before).as("the jump was followed").isGreaterThan(3_600 * SECOND);
        assertThat(rig.job(id).status().crashes()).isZero();
    }
}
