package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.runtime.NodeRig.TestWorker;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What somebody waits for is committed at once, unless the commit before was large; the rest comes along, or within the spacing. */
class CommitSpacingTest {
    private static final long MILLI = 1_000;

    private final NodeRig rig = NodeRig.spaced();
    private final Tenant acme = rig.tenant("acme", 10);

    private TestWorker workerWithOneLease() {
        TestWorker worker = rig.worker("w1", 10, "echo");
        rig.advance(10 * MILLI);
        CompletableFuture<SubmitReply> submitted = submit(1);
        rig.settle();
        assertThat(submitted).isDone();
        assertThat(worker.leases).hasSize(1);
        return worker;
    }

    private CompletableFuture<SubmitReply> submit(int jobs) {
        return rig.node.submit(acme.id(), Collections.nCopies(jobs, NewJob.of("echo", Payload.EMPTY)));
    }

    @Test
    void theEndOfAJobWaitsForTheSpacing() {
        TestWorker worker = workerWithOneLease();
        worker.succeed(worker.ref(0));
        rig.advance(MILLI);
        assertThat(worker.acks).isEmpty();
        rig.advance(MILLI);
        assertThat(worker.acks).hasSize(1);
    }

    @Test
    void theEndOfAJobGoesWithWhatSomebodyWaitsFor() {
        TestWorker worker = workerWithOneLease();
        worker.succeed(worker.ref(0));
        rig.advance(MILLI / 2);
        CompletableFuture<SubmitReply> submitted = submit(1);
        rig.settle();
        assertThat(submitted).isDone();
        assertThat(worker.acks).hasSize(1);
    }

    @Test
    void whoeverBringsAJobHearsBeforeWorkersDo() {
        TestWorker worker = workerWithOneLease();
        worker.succeed(worker.ref(0));
        rig.advance(MILLI / 2);
        CompletableFuture<Integer> toldBefore = submit(1).thenApply(_ -> worker.acks.size() + worker.leases.size() - 1);
        rig.settle();
        assertThat(toldBefore).isCompletedWithValue(0);
        assertThat(worker.acks).hasSize(1);
        assertThat(worker.leases).hasSize(2);
    }

    @Test
    void theEndOfAJobIsToldAtOnceWhenSomebodyWatches() {
        TestWorker worker = workerWithOneLease();
        JobId id = worker.leases.getFirst().spec().id();
        CompletableFuture<?> ended = rig.node.await(acme.id(), id, 60_000 * MILLI);
        rig.settle();
        worker.succeed(worker.ref(0));
        rig.advance(MILLI / 10);
        assertThat(ended).isDone();
        assertThat(worker.acks).hasSize(1);
    }

    @Test
    void aJobThatCameForLaterTakesItsTime() {
        TestWorker worker = rig.worker("w1", 10, "echo");
        NewJob later = new NewJob("echo", Payload.EMPTY, 0, -1, 0, 100 * MILLI, 0, 0, 0, "", 0, Map.of(), Map.of());
        JobId id = rig.submit(acme, later);
        rig.advance(rig.job(id).spec().runAt() - rig.node.now() - MILLI);
        CompletableFuture<SubmitReply> submitted = submit(1);
        rig.settle();
        assertThat(submitted).isDone();
        assertThat(worker.leases).hasSize(1);
        rig.advance(3 * MILLI / 2);
        assertThat(worker.leases).hasSize(1);
        rig.advance(MILLI);
        assertThat(worker.leases).hasSize(2);
    }

    @Test
    void behindALargeCommitOneWaitsTheLongerTheLargerItWas() {
        assertThat(waitBehind(200)).isBetween(MILLI, 11 * MILLI / 10);
        assertThat(waitBehind(1_000)).isBetween(2 * MILLI, 21 * MILLI / 10);
    }

    /** In steps of a tenth of a millisecond. */
    private long waitBehind(int jobs) {
        rig.advance(10 * MILLI);
        submit(jobs);
        rig.settle();
        CompletableFuture<SubmitReply> behind = submit(1);
        rig.settle();
        long waited = 0;
        while (!behind.isDone()) {
            rig.advance(MILLI / 10);
            waited += MILLI / 10;
        }
        return waited;
    }
}
