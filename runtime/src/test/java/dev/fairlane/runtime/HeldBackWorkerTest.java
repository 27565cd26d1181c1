package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.runtime.NodeRig.TestWorker;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A worker that says more than the loop takes is asked to wait, and loses nothing by it. */
class HeldBackWorkerTest {
    private static final long SECOND = 1_000_000;

    private final NodeRig rig = new NodeRig();
    private final Tenant acme = rig.tenant("acme", 10);

    @Test
    void aSessionListensUntilItIsFullAndAgainWhenTheLoopHasTaken() {
        TestWorker worker = rig.worker("w", 1, "echo");
        long said = 0;
        while (worker.session.listens()) {
            worker.session.heartbeat(List.of(), ++said);
        }
        assertThat(said).isEqualTo(Untaken.MOST);
        assertThat(worker.listening).isZero();

        rig.settle();
        assertThat(worker.heartbeatAcks).isEqualTo(said);
        assertThat(worker.listening).isOne();
        assertThat(worker.session.listens()).isTrue();
    }

    @Test
    void whoDoesNotAskIsHeardAllTheSame() {
        TestWorker worker = rig.worker("w", 1, "echo");
        for (int i = 1; i <= 3 * Untaken.MOST; i++) {
            worker.session.heartbeat(List.of(), i);
        }
        rig.settle();
        assertThat(worker.heartbeatAcks).isEqualTo(3 * Untaken.MOST);
        assertThat(worker.listening).isZero();
        assertThat(worker.session.listens()).isTrue();
    }

    @Test
    void aClosedSessionIsTakenToItsEnd() {
        TestWorker worker = rig.worker("w", 1, "echo");
        flood(worker);
        worker.session.close();
        rig.settle();
        assertThat(worker.listening).as("told while it was open").isOne();
        assertThat(worker.session.listens()).isTrue();
        rig.advance(2 * SECOND);
        assertThat(rig.node.status().workers()).isEmpty();
    }

    @Test
    void leasesOfAWorkerThatWasHeldBackHaveTheirFullLengthAgain() {
        TestWorker worker = rig.worker("w", 1, "echo");
        JobId id = rig.submit(acme, "echo");
        assertThat(worker.leases).hasSize(1);
        rig.advance(9 * SECOND);
        flood(worker);
        rig.settle();
        // its next heartbeat is among what it could not say yet
        rig.advance(3 * SECOND);
        assertThat(rig.job(id).status().token()).isEqualTo(worker.ref(0).token());
        assertThat(rig.job(id).status().state()).isEqualTo(JobState.LEASED);
        worker.session.heartbeat(List.of(worker.ref(0)), 1);
        rig.advance(9 * SECOND);
        assertThat(rig.job(id).status().token()).isEqualTo(worker.ref(0).token());
        rig.advance(2 * SECOND);
        assertThat(rig.job(id).status().crashes()).as("silent for longer").isOne();
    }

    /** Reports that say nothing, up to the bound. */
    private static void flood(TestWorker worker) {
        while (worker.session.listens()) {
            worker.session.report(new WorkerSession.Report(List.of(), List.of(), List.of()));
        }
    }
}
