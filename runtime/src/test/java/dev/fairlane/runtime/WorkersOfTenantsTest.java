package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.runtime.NodeRig.TestWorker;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Names of workers are a tenant's own, and so are its leases. */
class WorkersOfTenantsTest {
    private final NodeRig rig = new NodeRig();
    private Tenant acme;
    private Tenant globex;

    @BeforeEach
    void twoTenants() {
        acme = rig.tenant("acme", 10);
        globex = rig.tenant("globex", 10);
    }

    private TestWorker worker(@Nullable Tenant scope, LeaseRef... held) {
        TestWorker worker = new TestWorker();
        WorkerOffer offer =
                new WorkerOffer("w", scope == null ? null : scope.id(), List.of("echo"), Map.of("short", 1));
        worker.session = rig.node.connect(offer, List.of(held), worker);
        rig.settle();
        return worker;
    }

    private JobState state(JobId id) {
        return rig.job(id).status().state();
    }

    @Test
    void workersOfTwoTenantsMayHaveTheSameName() {
        TestWorker ours = worker(acme);
        JobId id = rig.submit(acme, "echo");
        TestWorker theirs = worker(globex);
        assertThat(ours.ended).isEmpty();
        assertThat(state(id)).isEqualTo(JobState.LEASED);
        ours.succeed(ours.ref(0));
        rig.settle();
        assertThat(ours.acks).containsExactly(new WorkerStream.Ack(ours.ref(0), false));
        rig.submit(globex, "echo");
        assertThat(theirs.leases).hasSize(1);
    }

    @Test
    void aWorkerForAllTenantsDoesNotTakeTheLeasesOfANamesake() {
        TestWorker ours = worker(acme);
        JobId id = rig.submit(acme, "echo");
        TestWorker wide = worker(null);
        JobId second = rig.submit(acme, "echo");
        assertThat(wide.leases).hasSize(1);
        assertThat(state(id)).isEqualTo(JobState.LEASED);
        ours.session.close();
        TestWorker again = worker(acme, ours.ref(0));
        assertThat(again.revoked).isEmpty();
        assertThat(wide.ended).isEmpty();
        assertThat(state(second)).isEqualTo(JobState.LEASED);
    }

    @Test
    void afterARestartTheFirstBackTakesNothingOfTheOtherTenants() {
        TestWorker ours = worker(acme);
        JobId id = rig.submit(acme, "echo");
        rig.advance(1_000_000);
        rig.start();
        rig.settle();
        worker(globex);
        assertThat(state(id)).isEqualTo(JobState.LEASED);
        assertThat(rig.job(id).status().crashes()).isZero();
        assertThat(worker(acme, ours.ref(0)).revoked).isEmpty();
    }

    @Test
    void aWorkerThatComesBackReplacesItselfAndLosesWhatItDoesNotName() {
        TestWorker ours = worker(acme);
        JobId id = rig.submit(acme, "echo");
        TestWorker again = worker(acme);
        assertThat(ours.ended).hasSize(1);
        assertThat(again.leases).as("the job runs again, here").hasSize(1);
        assertThat(rig.job(id).status().execution()).isEqualTo(2);
    }

    @Test
    void anOrderToDrainReachesOnesOwnWorkerAndAnOperatorsAllOfTheName() {
        TestWorker ours = worker(acme);
        worker(globex);
        rig.submit(acme, "echo");
        assertThat(ours.leases).hasSize(1);
        assertThat(rig.settled(rig.node.drainWorker(globex.id(), "w", false, null)))
                .isEqualTo(OptionalInt.of(0));
        assertThat(rig.settled(rig.node.drainWorker(null, "w", false, null))).isEqualTo(OptionalInt.of(1));
    }

    @Test
    void aStrangersWordOnALeaseChangesNothing() {
        TestWorker ours = worker(acme);
        TestWorker theirs = worker(globex);
        JobId id = rig.submit(acme, "echo");
        LeaseRef lease = ours.ref(0);

        theirs.succeed(lease);
        theirs.fail(lease, Failure.of(FailureClass.NON_RETRYABLE, "spite"));
        theirs.session.report(new WorkerSession.Report(List.of(lease), List.of(), List.of(), List.of(lease)));
        theirs.session.heartbeat(List.of(), List.of(new WorkerSession.Progress(lease, 0.5, "forged")), 1);
        rig.settle();

        WorkerStream.Ack revoked = new WorkerStream.Ack(lease, true);
        assertThat(theirs.acks).containsExactly(revoked, revoked, revoked);
        assertThat(state(id)).isEqualTo(JobState.LEASED);
        assertThat(rig.job(id).progress()).isNull();
        ours.succeed(lease);
        rig.settle();
        assertThat(state(id)).isEqualTo(JobState.SUCCEEDED);

        theirs.succeed(lease);
        rig.advance(2_000_000);
        assertThat(theirs.acks)
                .as("nor is it told how the job ended")
                .hasSize(4)
                .containsOnly(revoked);
        ours.session.report(new WorkerSession.Report(
                List.of(), List.of(new WorkerSession.Success(lease, Payload.EMPTY)), List.of()));
        rig.settle();
        assertThat(ours.acks).extracting(WorkerStream.Ack::revoked).containsExactly(false, false);
    }
}
