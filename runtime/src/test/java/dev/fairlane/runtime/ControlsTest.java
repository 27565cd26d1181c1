package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Answer.ChangeOutcome;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobFilter;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.WorkerOffer;
import dev.fairlane.runtime.NodeRig.TestWorker;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changing, pausing, moving: one job, many jobs, and jobs whose spec is only in the store. */
class ControlsTest {
    private static final long SECOND = 1_000_000;
    private static final Payload OTHER = new Payload("[1]".getBytes(StandardCharsets.UTF_8), Payload.JSON);

    private final NodeRig rig = new NodeRig();
    private Tenant acme;

    @BeforeEach
    void aTenant() {
        acme = rig.tenant("acme", 10);
    }

    private Answer change(JobId id, JobChange change) {
        return change(id, change, Command.ANY_REVISION);
    }

    private Answer change(JobId id, JobChange change, int ifRevision) {
        return rig.settled(rig.node.controls().change(null, id, change, ifRevision));
    }

    /** All is stored, and of the specs nothing is in memory. */
    private void restart() {
        rig.advance(2 * SECOND);
        rig.start();
        rig.settle();
    }

    private static Answer ok(JobId id, JobState state, int revision) {
        return new Answer.Changed(id, ChangeOutcome.OK, state, revision);
    }

    @Test
    void aChangeIsSeenRunAndKept() {
        JobId id = rig.submit(acme, "echo");
        assertThat(change(id, JobChange.NOTHING.withPayload(OTHER), 0)).isEqualTo(ok(id, JobState.QUEUED, 1));
        assertThat(rig.job(id).spec().payload()).isEqualTo(OTHER);
        restart();
        assertThat(rig.job(id).spec().payload()).isEqualTo(OTHER);
        assertThat(rig.job(id).spec().terms().revision()).isEqualTo(1);
        TestWorker worker = rig.worker("w", 1, "echo");
        assertThat(worker.leases.getFirst().spec().payload()).isEqualTo(OTHER);
    }

    @Test
    void aJobThatIsOnlyInTheStoreIsChangedAsAWhole() {
        JobId id = rig.submit(acme, "echo");
        restart();
        assertThat(change(id, JobChange.NOTHING.withPriority(1).inLane("imports")))
                .isEqualTo(ok(id, JobState.QUEUED, 1));
        restart();
        assertThat(rig.job(id).spec().payload().bytes()).isEqualTo("{}".getBytes(StandardCharsets.UTF_8));
        assertThat(rig.job(id).spec().priority()).isEqualTo(1);
        assertThat(rig.job(id).spec().terms().lane()).isEqualTo("imports");
        assertThat(change(id, JobChange.NOTHING.withPriority(2), 0))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(RefusalCode.REVISION_CONFLICT));
    }

    @Test
    void twoChangesThatLookItUpAtOnceAreBothMade() {
        JobId id = rig.submit(acme, "echo");
        restart();
        rig.holdFetches();
        CompletableFuture<Answer> one =
                rig.node.controls().change(null, id, JobChange.NOTHING.withPriority(1), Command.ANY_REVISION);
        CompletableFuture<Answer> two =
                rig.node.controls().change(null, id, JobChange.NOTHING.withPayload(OTHER), Command.ANY_REVISION);
        rig.settle();
        rig.letFetch();

        assertThat(rig.settled(one)).isEqualTo(ok(id, JobState.QUEUED, 1));
        assertThat(rig.settled(two)).isEqualTo(ok(id, JobState.QUEUED, 2));
        assertThat(rig.job(id).spec().priority()).isEqualTo(1);
        assertThat(rig.job(id).spec().payload()).isEqualTo(OTHER);
    }

    @Test
    void aJobThatWasGivenOutWhileItsSpecWasLookedUpIsNotChanged() {
        JobId id = rig.submit(acme, "echo");
        restart();
        rig.holdFetches();
        CompletableFuture<Answer> late =
                rig.node.controls().change(null, id, JobChange.NOTHING.withPriority(1), Command.ANY_REVISION);
        TestWorker worker = rig.worker("w", 1, "echo");
        rig.letFetch();

        assertThat(rig.settled(late))
                .isEqualTo(new Answer.Changed(id, ChangeOutcome.ALREADY_RUNNING, JobState.LEASED, 0));
        assertThat(worker.leases).hasSize(1);
    }

    @Test
    void aChangeOfAnEndedJobSaysSo() {
        JobId id = rig.submit(acme, "echo");
        rig.settled(rig.node.cancel(null, id));

        assertThat(change(id, JobChange.NOTHING.withPriority(1)))
                .isEqualTo(new Answer.Changed(id, ChangeOutcome.ALREADY_DONE, JobState.CANCELLED, -1));
        assertThat(rig.settled(rig.node.controls().pause(null, id, true)))
                .isEqualTo(new Answer.Changed(id, ChangeOutcome.ALREADY_DONE, JobState.CANCELLED, -1));
        JobId nobody = JobId.of(1, 0, 0, 1, 1);
        assertThat(change(nobody, JobChange.NOTHING.withPriority(1))).isInstanceOf(Answer.Refused.class);
    }

    @Test
    void aPausedJobStaysPausedOverARestart() {
        JobId id = rig.submit(acme, "echo");
        rig.settled(rig.node.controls().pause(null, id, true));
        restart();
        TestWorker worker = rig.worker("w", 1, "echo");
        assertThat(worker.leases).isEmpty();
        rig.settled(rig.node.controls().pause(null, id, false));
        rig.settle();
        assertThat(worker.leases).hasSize(1);
    }

    @Test
    void aClosedGateStaysClosedOverARestart() {
        gate(Gate.Kind.TYPE, "echo", true);
        rig.submit(acme, "echo");
        restart();
        TestWorker worker = rig.worker("w", 2, "echo");
        rig.submit(acme, "echo");
        assertThat(worker.leases).isEmpty();
        assertThat(rig.settled(rig.node.controls().gates(acme.id())))
                .extracting(Gate::name)
                .containsExactly("echo");
        gate(Gate.Kind.TYPE, "echo", false);
        rig.settle();
        assertThat(worker.leases).hasSize(2);
        assertThat(rig.settled(rig.node.controls().gates(null))).isEmpty();
    }

    private void gate(Gate.Kind kind, String name, boolean closed) {
        assertThat(rig.settled(
                        rig.node.controls().setGate(new Command.SetGate(kind, acme.id(), name, closed, "ops", "why"))))
                .isInstanceOf(Answer.GateIs.class);
    }

    // ---- many

    private Operation bulk(Controls.Deed deed, JobFilter filter, JobChange change) {
        Operation begun = rig.settled(
                rig.node.controls().start(new Controls.Bulk(deed, filter, change, "some", "ops", "why", 0)));
        for (int i = 0; i < 1_000; i++) {
            Operation now =
                    rig.settled(rig.node.operations().get(null, begun.id())).orElseThrow();
            if (now.state().ended()) {
                return now;
            }
            rig.advance(1_000);
        }
        throw new AssertionError("does not end");
    }

    @Test
    void whoWatchesAJobNeverSeesItGoBack() {
        JobId id = rig.submit(acme, "work");
        restart();
        rig.holdFetches();
        List<Boolean> seen = new ArrayList<>();
        Node.Watch watch =
                rig.node.watch(null, id, view -> seen.add(view.status().marks().paused()));
        rig.settle();
        rig.settled(rig.node.controls().pause(null, id, true));
        rig.letFetchBackwards();
        assertThat(seen).endsWith(true);
        watch.close();
    }

    @Test
    void anOperationIsToldAsDoneWhenWhatItRestsOnIsDurable() {
        rig.submit(acme, "work");
        rig.holdCommits();
        Controls.Bulk cancel = new Controls.Bulk(
                Controls.Deed.CANCEL, filter("work", Map.of()), JobChange.NOTHING, "some", "ops", "why", 0);
        rig.settled(rig.node.controls().start(cancel));
        rig.advance(10_000);
        // Finds nothing: the first has cancelled all there was, and nobody knows yet whether that will stay so.
        Operation second = rig.settled(rig.node.controls().start(cancel));
        rig.advance(10_000);
        CompletableFuture<?> told = rig.node.operations().get(null, second.id());
        rig.advance(10_000);
        assertThat(told).isNotDone();
        rig.letCommit();
        assertThat(told).isDone();
    }

    @Test
    void aWorkerIsWelcomedBeforeItIsToldToDrain() {
        List<String> heard = new ArrayList<>();
        TestWorker worker = new TestWorker() {
            @Override
            public void welcome(long heartbeatMicros, List<LeaseRef> revoked) {
                heard.add("welcome");
            }

            @Override
            public void drain(boolean handOver) {
                heard.add("drain");
            }
        };
        rig.holdCommits();
        CompletableFuture<?> pending = rig.node.putTenant("other", 1);
        rig.settle();
        rig.node.connect(new WorkerOffer("w", null, List.of("work"), Map.of("short", 1)), List.of(), worker);
        rig.settled(rig.node.drainWorker(null, "w", true));
        rig.letCommit();
        assertThat(pending).isDone();
        assertThat(heard).containsExactly("welcome", "drain");
    }

    private JobFilter filter(String type, Map<String, String> tags) {
        return new JobFilter(acme.id(), type, "", Set.of(), tags, 0, 0);
    }

    private List<JobId> submit(String type, int count, Map<String, String> tags) {
        List<JobId> ids = new ArrayList<>();
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            jobs.add(new NewJob(type, Payload.EMPTY, 0, -1, 0, 0, 0, 0, 0, "", 0, tags, Map.of()));
        }
        for (Answer answer : rig.settled(rig.node.submit(acme.id(), jobs)).answers()) {
            ids.add(((Answer.Submitted) answer).id());
        }
        return ids;
    }

    @Test
    void allJobsOfATypeAreCancelledAndNoOthers() {
        List<JobId> some = submit("a", 1_700, Map.of());
        List<JobId> others = submit("b", 300, Map.of());
        restart();

        Operation operation = bulk(Controls.Deed.CANCEL, filter("a", Map.of()), JobChange.NOTHING);

        assertThat(operation.state()).isEqualTo(Operation.State.DONE);
        assertThat(operation.expected()).isEqualTo(1_700);
        assertThat(operation.done()).isEqualTo(1_700);
        assertThat(rig.job(some.getLast()).status().state()).isEqualTo(JobState.CANCELLED);
        assertThat(rig.job(others.getLast()).status().state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void aRunningJobAmongThemIsAskedToStop() {
        TestWorker worker = rig.worker("w", 1, "a");
        submit("a", 3, Map.of());

        Operation operation = bulk(Controls.Deed.CANCEL, filter("a", Map.of()), JobChange.NOTHING);

        assertThat(operation.done()).isEqualTo(3);
        assertThat(worker.cancels).containsExactly(worker.ref(0));
    }

    @Test
    void jobsAreFoundByTagsInMemoryAndInTheStore() {
        List<JobId> stored = submit("a", 3, Map.of("customer", "17", "kind", "x"));
        submit("a", 3, Map.of("customer", "18"));
        restart();
        List<JobId> fresh = submit("b", 2, Map.of("customer", "17"));

        Operation operation = bulk(Controls.Deed.CANCEL, filter("", Map.of("customer", "17")), JobChange.NOTHING);

        assertThat(operation.done()).isEqualTo(5);
        assertThat(rig.job(stored.getFirst()).status().state()).isEqualTo(JobState.CANCELLED);
        assertThat(rig.job(fresh.getFirst()).status().state()).isEqualTo(JobState.CANCELLED);
        assertThat(rig.node.hardState().jobs()).hasSize(3);
    }

    @Test
    void manyAreReprioritizedMovedPausedAndResumed() {
        List<JobId> ids = submit("a", 700, Map.of());
        restart();
        TestWorker worker = rig.worker("w", 0, "a");
        JobChange change = JobChange.NOTHING.withPriority(8).inLane("bulk");

        assertThat(bulk(Controls.Deed.CHANGE, filter("a", Map.of()), change).done())
                .isEqualTo(700);
        assertThat(bulk(Controls.Deed.PAUSE, filter("a", Map.of()), JobChange.NOTHING)
                        .done())
                .isEqualTo(700);
        assertThat(rig.job(ids.get(5)).spec().priority()).isEqualTo(8);
        assertThat(rig.job(ids.get(5)).spec().terms().lane()).isEqualTo("bulk");
        assertThat(rig.job(ids.get(5)).status().marks().paused()).isTrue();
        assertThat(bulk(Controls.Deed.RESUME, filter("a", Map.of()), JobChange.NOTHING)
                        .done())
                .isEqualTo(700);
        assertThat(rig.job(ids.get(5)).status().marks().paused()).isFalse();
        assertThat(worker.leases).isEmpty();
        restart();
        assertThat(rig.job(ids.getLast()).spec().priority()).isEqualTo(8);
    }

    @Test
    void stateAgeAndLaneChooseToo() {
        submit("a", 4, Map.of());
        rig.advance(10 * SECOND);
        long then = rig.node.now();
        JobId moved = submit("a", 2, Map.of()).getFirst();
        change(moved, JobChange.NOTHING.inLane("x"));
        JobFilter young = new JobFilter(acme.id(), "", "", Set.of(JobState.QUEUED), Map.of(), then, 0);
        JobFilter inLane = new JobFilter(acme.id(), "", "x", Set.of(), Map.of(), 0, 0);
        JobFilter scheduled = new JobFilter(acme.id(), "", "", Set.of(JobState.SCHEDULED), Map.of(), 0, 0);
        JobFilter old = new JobFilter(acme.id(), "", "", Set.of(), Map.of(), 0, then);

        assertThat(bulk(Controls.Deed.PAUSE, young, JobChange.NOTHING).done()).isEqualTo(2);
        assertThat(bulk(Controls.Deed.PAUSE, inLane, JobChange.NOTHING).done()).isEqualTo(1);
        assertThat(bulk(Controls.Deed.PAUSE, scheduled, JobChange.NOTHING).done())
                .isZero();
        assertThat(bulk(Controls.Deed.CANCEL, old, JobChange.NOTHING).done()).isEqualTo(4);
    }
}
