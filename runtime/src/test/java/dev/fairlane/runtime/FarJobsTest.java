package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Answer.CancelOutcome;
import dev.fairlane.core.model.Answer.ChangeOutcome;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobFilter;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.runtime.NodeRig.TestWorker;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs due beyond the horizon are in the store alone, and nobody notices. */
class FarJobsTest {
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final byte[] BODY = "{\"n\":1}".getBytes(StandardCharsets.UTF_8);

    private NodeRig rig = new NodeRig();
    private Tenant acme;

    @BeforeEach
    void aTenant() {
        acme = rig.tenant("acme", 10);
    }

    private static NewJob later(long delay, String key) {
        return new NewJob(
                "echo",
                new Payload(BODY, Payload.JSON),
                0,
                5,
                0,
                delay,
                0,
                0,
                0,
                key,
                17,
                Map.of("customer", "9"),
                Map.of(),
                new JobTerms("default", 0, "", "", "", true, 0));
    }

    /** One that has left memory. */
    private JobId far(long delay) {
        JobId id = rig.submit(acme, later(delay, ""));
        rig.advance(2 * SECOND);
        assertThat(inMemory()).doesNotContain(id);
        return id;
    }

    private List<JobId> inMemory() {
        return rig.node.hardState().jobs().stream().map(job -> job.id()).toList();
    }

    private JobState state(JobId id) {
        return rig.job(id).status().state();
    }

    private int open() {
        return rig.settled(rig.node.standing(acme.id())).openJobs();
    }

    @Test
    void itLeavesWhenItIsStoredAndRunsWhenItIsDue() {
        JobId id = rig.submit(acme, later(HOUR, ""));
        assertThat(inMemory()).containsExactly(id);
        rig.advance(2 * SECOND);
        assertThat(inMemory()).isEmpty();
        assertThat(state(id)).isEqualTo(JobState.SCHEDULED);
        assertThat(open()).isEqualTo(1);

        TestWorker worker = rig.worker("w", 1, "echo");
        rig.advance(49 * MINUTE);
        assertThat(inMemory()).isEmpty();
        rig.advance(2 * MINUTE);
        assertThat(inMemory()).containsExactly(id);
        assertThat(worker.leases).isEmpty();
        rig.advance(9 * MINUTE);
        assertThat(worker.leases).hasSize(1);
        assertThat(worker.leases.getFirst().spec().payload().bytes()).isEqualTo(BODY);
        worker.succeed(worker.ref(0));
        rig.advance(2 * SECOND);
        assertThat(state(id)).isEqualTo(JobState.SUCCEEDED);
        assertThat(open()).isZero();
    }

    @Test
    void oneWithinTheHorizonStays() {
        JobId id = rig.submit(acme, later(9 * MINUTE, ""));
        rig.advance(2 * SECOND);
        assertThat(inMemory()).containsExactly(id);
    }

    @Test
    void aRestartDoesNotLoadItAndLosesNothing() {
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.add(far(HOUR + i));
        }
        rig.start();
        rig.advance(SECOND);
        assertThat(inMemory()).isEmpty();
        assertThat(open()).isEqualTo(5);
        TestWorker worker = rig.worker("w", 9, "echo");
        rig.advance(HOUR);
        assertThat(worker.leases.stream().map(lease -> lease.spec().id()).distinct())
                .containsExactlyElementsOf(ids);
    }

    @Test
    void whatFellDueWhileNobodyWasThereIsLoadedFirst() {
        JobId id = far(HOUR);
        rig.skip(2 * HOUR);
        rig.start();
        TestWorker worker = rig.worker("w", 9, "echo");
        rig.advance(2 * SECOND);
        assertThat(worker.leases).hasSize(1);
        assertThat(worker.leases.getFirst().spec().id()).isEqualTo(id);
    }

    @Test
    void itIsCancelledAtOnce() {
        JobId id = far(HOUR);
        assertThat(rig.settled(rig.node.cancel(null, id, null)))
                .isEqualTo(new Answer.Cancelled(id, CancelOutcome.CANCELLED, JobState.CANCELLED));
        assertThat(open()).isZero();
        assertThat(state(id)).isEqualTo(JobState.CANCELLED);
        // before it is projected: the fact is in the journal's tail, the row among the far ones
        rig.start();
        rig.settle();
        assertThat(state(id)).isEqualTo(JobState.CANCELLED);
        assertThat(open()).isZero();
        TestWorker worker = rig.worker("w", 1, "echo");
        rig.advance(2 * HOUR);
        assertThat(worker.leases).isEmpty();
        assertThat(rig.settled(rig.node.cancel(null, id, null)))
                .isEqualTo(new Answer.Cancelled(id, CancelOutcome.ALREADY_DONE, JobState.CANCELLED));
    }

    @Test
    void anotherTenantsIsNotFound() {
        JobId id = far(HOUR);
        Tenant other = rig.tenant("other", 1);
        assertThat(rig.settled(rig.node.cancel(other.id(), id, null))).isInstanceOf(Answer.Refused.class);
        assertThat(inMemory()).isEmpty();
        assertThat(state(id)).isEqualTo(JobState.SCHEDULED);
    }

    @Test
    void itIsChangedAndLeavesAgain() {
        JobId id = far(HOUR);
        Answer answer = rig.settled(
                rig.node.controls().change(null, id, JobChange.NOTHING.withPriority(1), Command.ANY_REVISION));
        assertThat(answer).isEqualTo(new Answer.Changed(id, ChangeOutcome.OK, JobState.SCHEDULED, 1));
        rig.advance(2 * SECOND);
        assertThat(inMemory()).isEmpty();
        rig.start();
        rig.settle();
        assertThat(rig.job(id).spec().priority()).isEqualTo(1);
        assertThat(rig.job(id).spec().payload().bytes()).isEqualTo(BODY);
        assertThat(rig.settled(rig.node.controls().change(null, id, JobChange.NOTHING.withPriority(2), 0)))
                .isInstanceOf(Answer.Refused.class);
        TestWorker worker = rig.worker("w", 1, "echo");
        rig.advance(HOUR);
        assertThat(worker.leases).hasSize(1);
    }

    @Test
    void itIsRunNow() {
        JobId id = far(HOUR);
        long now = rig.node.now();
        Answer answer = rig.settled(
                rig.node.controls().change(null, id, JobChange.NOTHING.withRunAt(now - 1), Command.ANY_REVISION));
        assertThat(answer).isEqualTo(new Answer.Changed(id, ChangeOutcome.OK, JobState.QUEUED, 1));
        TestWorker worker = rig.worker("w", 1, "echo");
        worker.succeed(worker.ref(0));
        rig.advance(2 * HOUR);
        assertThat(worker.leases).hasSize(1);
        assertThat(open()).isZero();
    }

    @Test
    void oneThatWaitsInLineIsPutOffForLong() {
        JobId id = rig.submit(acme, "echo");
        rig.advance(2 * SECOND);
        rig.settled(rig.node
                .controls()
                .change(null, id, JobChange.NOTHING.withRunAt(rig.node.now() + DAY), Command.ANY_REVISION));
        rig.advance(2 * SECOND);
        assertThat(inMemory()).isEmpty();
        rig.start();
        TestWorker worker = rig.worker("w", 1, "echo");
        rig.advance(DAY - 10 * SECOND);
        assertThat(worker.leases).isEmpty();
        rig.advance(10 * SECOND);
        assertThat(worker.leases).hasSize(1);
    }

    @Test
    void itIsPausedAndStaysSoWhenItIsDue() {
        JobId id = far(HOUR);
        rig.settled(rig.node.controls().pause(null, id, true, null));
        rig.advance(2 * SECOND);
        rig.start();
        TestWorker worker = rig.worker("w", 1, "echo");
        rig.advance(2 * HOUR);
        assertThat(worker.leases).isEmpty();
        rig.settled(rig.node.controls().pause(null, id, false, null));
        assertThat(worker.leases).hasSize(1);
    }

    @Test
    void itIsExplained() {
        JobId id = far(HOUR);
        Explained explained = rig.settled(rig.node.explain(null, id)).orElseThrow();
        assertThat(explained.state()).isEqualTo(JobState.SCHEDULED);
        assertThat(explained.waiting()).isNotNull();
        assertThat(inMemory()).isEmpty();
    }

    @Test
    void itsKeyIsKnownForAsLongAsItIsOpen() {
        JobId id = rig.submit(acme, later(3 * DAY, "k"));
        rig.advance(2 * SECOND);
        assertThat(inMemory()).isEmpty();
        assertThat(rig.submit(acme, later(3 * DAY, "k"))).isEqualTo(id);
        rig.skip(2 * DAY);
        rig.settle();
        rig.advance(2 * SECOND);
        assertThat(rig.submit(acme, later(3 * DAY, "k"))).isEqualTo(id);
        rig.start();
        rig.settle();
        assertThat(rig.submit(acme, later(3 * DAY, "k"))).isEqualTo(id);
        assertThat(open()).isEqualTo(1);
        rig.settled(rig.node.cancel(null, id, null));
        rig.skip(2 * DAY);
        rig.settle();
        rig.advance(2 * SECOND);
        assertThat(rig.submit(acme, later(3 * DAY, "k"))).isNotEqualTo(id);
    }

    @Test
    void manyAreCancelledByFilterWhereverTheyAre() {
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            ids.add(rig.submit(acme, later(i % 2 == 0 ? HOUR : 0, "")));
        }
        rig.advance(2 * SECOND);
        JobId kept = far(HOUR);
        rig.settled(rig.node.controls().change(null, kept, JobChange.NOTHING.withTags(Map.of()), Command.ANY_REVISION));
        ids.add(rig.submit(acme, later(HOUR, "")));
        JobFilter filter = new JobFilter(acme.id(), "echo", "", Set.of(), Map.of("customer", "9"), 0, 0);

        CompletableFuture<Operation> started = rig.node
                .controls()
                .start(new Controls.Bulk(Controls.Deed.CANCEL, filter, JobChange.NOTHING, "", "", "", 0), null);
        rig.settled(started);
        rig.advance(5 * SECOND);

        Operation operation = rig.settled(
                        rig.node.operations().get(null, started.join().id()))
                .orElseThrow();
        assertThat(ids).filteredOn(id -> state(id) != JobState.CANCELLED).isEmpty();
        assertThat(operation.done()).isEqualTo(301);
        assertThat(state(kept)).isEqualTo(JobState.SCHEDULED);
        assertThat(open()).isEqualTo(1);
    }

    @Test
    void itExpiresWhenItMayNotStartAnyMore() {
        NewJob job = later(HOUR, "");
        NewJob brief = new NewJob(
                job.type(),
                job.payload(),
                0,
                5,
                0,
                HOUR,
                rig.node.now() + HOUR + MINUTE,
                0,
                0,
                "",
                0,
                Map.of(),
                Map.of(),
                job.terms());
        JobId id = rig.submit(acme, brief);
        rig.advance(2 * SECOND);
        assertThat(inMemory()).isEmpty();
        rig.skip(2 * HOUR);
        rig.start();
        rig.advance(2 * SECOND);
        assertThat(state(id)).isEqualTo(JobState.EXPIRED);
    }

    @Test
    void aCancelWhileItIsLookedForFindsIt() {
        JobId id = far(HOUR);
        rig.holdFetches();
        CompletableFuture<Answer> first = rig.node.cancel(null, id, null);
        CompletableFuture<Answer> second = rig.node.cancel(null, id, null);
        rig.settle();
        assertThat(first).isNotDone();
        rig.letFetch();
        assertThat(((Answer.Cancelled) rig.settled(first)).outcome()).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(((Answer.Cancelled) rig.settled(second)).outcome()).isEqualTo(CancelOutcome.ALREADY_DONE);
        assertThat(open()).isZero();
    }

    @Test
    void notMoreCallsThanThatWaitForAStoreThatDoesNotAnswer() {
        JobId id = far(HOUR);
        JobId here = rig.submit(acme, "echo");
        rig.holdFetches();
        List<CompletableFuture<?>> waiting = new ArrayList<>();
        int most = FarRoom.MOST / 2; // of one caller, while the others have none
        for (int i = 0; i < most; i++) {
            waiting.add(rig.node.explain(null, id));
            if (i % 100 == 0) {
                rig.settle();
            }
        }
        rig.settle();
        assertThat(waiting).noneMatch(CompletableFuture::isDone);

        for (CompletableFuture<?> refused : List.of(
                rig.node.explain(null, id),
                rig.node.cancel(null, id, null),
                rig.node.controls().pause(null, id, true, null),
                rig.node.controls().change(null, id, JobChange.NOTHING.withPriority(1), Command.ANY_REVISION))) {
            rig.settle();
            assertThat(refused).as("answered at once").isDone();
            assertThatThrownBy(refused::join)
                    .hasCauseInstanceOf(NodeFault.class)
                    .satisfies(thrown -> {
                        NodeFault fault = (NodeFault) thrown.getCause();
                        assertThat(fault.kind()).isEqualTo(NodeFault.Kind.OVERLOADED);
                        assertThat(fault.limit()).isEqualTo(most);
                        assertThat(fault.present()).isEqualTo(most);
                    });
        }
        assertThat(rig.settled(rig.node.explain(null, here))).as("in memory").isPresent();
        waiting.add(rig.node.explain(acme.id(), id));
        rig.settle();
        assertThat(waiting.getLast()).as("another caller finds room").isNotDone();

        rig.letFetch();
        rig.advance(SECOND);
        assertThat(waiting).allMatch(CompletableFuture::isDone).noneMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(((Answer.Cancelled) rig.settled(rig.node.cancel(null, id, null))).outcome())
                .as("there is room again, and nothing was done before")
                .isEqualTo(CancelOutcome.CANCELLED);
    }

    @Test
    void notMoreAreLoadedAheadThanArePromotedInThreeSeconds() {
        int perSecond = 100;
        NodeConfig usual = NodeConfig.named("n1");
        rig = new NodeRig(usual.withEngine(promoting(perSecond)), 1_000);
        acme = rig.tenant("acme", 10);
        int jobs = 3_000;
        for (int i = 0; i < jobs; i++) {
            rig.submit(acme, later(HOUR, ""));
        }
        rig.advance(2 * SECOND);
        assertThat(inMemory()).isEmpty();
        TestWorker worker = rig.worker("w", 10_000, "echo");
        rig.skip(HOUR - 10 * MINUTE);
        rig.settle();
        rig.advance(9 * MINUTE);
        assertThat(inMemory()).hasSizeBetween(perSecond * 3, perSecond * 3 + 500);
        assertThat(worker.leases).isEmpty();
        rig.advance(MINUTE + 5 * SECOND);
        assertThat(worker.leases.size()).isBetween(1, perSecond * 8);
        assertThat(rig.node.status().due().oldestUnpromotedMicros()).isGreaterThan(2 * SECOND);
        rig.advance(40 * SECOND);
        assertThat(worker.leases.stream().map(lease -> lease.spec().id()).distinct())
                .hasSize(jobs);
        rig.advance(SECOND);
        assertThat(rig.node.status().due().oldestUnpromotedMicros()).isZero();
    }

    @Test
    void anothersJobIsLoadedPastACrowdThatIsDueBeforeIt() {
        int perSecond = 100;
        rig = new NodeRig(NodeConfig.named("n1").withEngine(promoting(perSecond)), 1_000);
        acme = rig.tenant("acme", 10);
        Tenant modest = rig.tenant("modest", 10);
        for (int i = 0; i < 4_000; i++) {
            rig.submit(acme, later(HOUR, ""));
        }
        JobId one = rig.submit(modest, later(HOUR + SECOND, ""));
        rig.advance(2 * SECOND);
        assertThat(inMemory()).isEmpty();
        rig.skip(HOUR - MINUTE);
        rig.settle();
        rig.advance(MINUTE + SECOND);
        assertThat(state(one)).as("its crowd takes forty seconds").isEqualTo(JobState.QUEUED);
        assertThat(rig.node.status().due().far()).as("of the crowd").isGreaterThan(1_000);
        rig.advance(45 * SECOND);
        assertThat(rig.node.status().due().far()).isZero();
        assertThat(inMemory()).hasSize(4_001);
    }

    @Test
    void anothersJobIsLoadedPastACrowdOfManyTenants() {
        int perSecond = 100;
        rig = new NodeRig(NodeConfig.named("n1").withEngine(promoting(perSecond)), 1_000);
        List<Tenant> crowd = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            crowd.add(rig.tenant("t" + i, 10));
        }
        Tenant modest = rig.tenant("modest", 10);
        for (int i = 0; i < 4_000; i++) {
            rig.submit(crowd.get(i % crowd.size()), later(HOUR, ""));
            if (i % 800 == 0) {
                rig.submit(modest, later(HOUR, ""));
            }
        }
        JobId one = rig.submit(modest, later(HOUR + SECOND, ""));
        rig.advance(2 * SECOND);
        assertThat(inMemory()).isEmpty();
        rig.skip(HOUR - MINUTE);
        rig.settle();
        rig.advance(MINUTE + SECOND);
        assertThat(state(one)).as("the crowd takes forty seconds").isEqualTo(JobState.QUEUED);
        assertThat(rig.node.status().due().far()).as("of the crowd").isGreaterThan(1_000);
        rig.advance(45 * SECOND);
        assertThat(rig.node.status().due().far()).isZero();
        assertThat(inMemory()).hasSize(4_006);
    }

    static EngineConfig promoting(int perSecond) {
        EngineConfig usual = EngineConfig.DEFAULT;
        EngineConfig.Room room = usual.room();
        return new EngineConfig(
                usual.pools(),
                usual.share(),
                usual.attempts(),
                usual.keys(),
                new EngineConfig.Room(room.openJobs(), room.openJobsPerTenant(), perSecond),
                usual.failures(),
                usual.admission(),
                usual.moves());
    }
}
