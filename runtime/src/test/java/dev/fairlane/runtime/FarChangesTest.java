package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A job due beyond the horizon that is changed is in memory only until the store has the change, and so are very many. */
class FarChangesTest {
    private static final long SECOND = 1_000_000;
    private static final long HOUR = 3_600 * SECOND;
    private static final byte[] BODY = "{\"n\":1}".getBytes(StandardCharsets.UTF_8);

    private NodeRig rig = new NodeRig();
    private Tenant acme;

    @BeforeEach
    void aTenant() {
        acme = rig.tenant("acme", 10);
    }

    private static NewJob inAnHour() {
        return in(HOUR);
    }

    private static NewJob in(long delay) {
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
                "",
                0,
                Map.of(),
                Map.of(),
                new JobTerms("default", 0, "", "", "", true, 0));
    }

    private List<JobId> submit(int jobs) {
        List<JobId> ids = new ArrayList<>();
        for (int left = jobs; left > 0; left -= 1_000) {
            List<NewJob> some = new ArrayList<>();
            for (int i = 0; i < Math.min(left, 1_000); i++) {
                some.add(inAnHour());
            }
            rig.settled(rig.node.submit(acme.id(), some))
                    .answers()
                    .forEach(answer -> ids.add(((Answer.Submitted) answer).id()));
        }
        return ids;
    }

    private int inMemory() {
        return rig.node.hardState().jobs().size();
    }

    private boolean paused(JobId id) {
        return rig.job(id).status().marks().paused();
    }

    private String begin(Controls.Deed deed, JobChange change) {
        JobFilter filter = new JobFilter(acme.id(), "echo", "", Set.of(), Map.of(), 0, 0);
        return rig.settled(rig.node.controls().start(new Controls.Bulk(deed, filter, change, "", "", "", 0), null))
                .id();
    }

    private Operation operation(String id) {
        return rig.settled(rig.node.operations().get(null, id)).orElseThrow();
    }

    private Operation all(Controls.Deed deed, JobChange change) {
        String id = begin(deed, change);
        rig.advance(5 * SECOND);
        assertThat(operation(id).state()).isEqualTo(Operation.State.DONE);
        return operation(id);
    }

    @Test
    void oneThatIsPausedLeavesAgain() {
        JobId id = submit(1).getFirst();
        rig.advance(2 * SECOND);
        rig.settled(rig.node.controls().pause(null, id, true, null));
        rig.advance(2 * SECOND);
        assertThat(inMemory()).isZero();
        assertThat(paused(id)).isTrue();

        rig.settled(rig.node.controls().pause(null, id, false, null));
        rig.advance(2 * SECOND);
        assertThat(inMemory()).isZero();
        assertThat(paused(id)).isFalse();
        TestWorker worker = rig.worker("w", 1, "echo");
        rig.advance(HOUR);
        assertThat(worker.leases).hasSize(1);
        assertThat(worker.leases.getFirst().spec().payload().bytes()).isEqualTo(BODY);
    }

    @Test
    void oneThatIsPausedWhileItIsBeingStoredLeavesWhenThatIsStoredToo() {
        rig.holdFlushes();
        JobId id = submit(1).getFirst();
        rig.advance(2 * SECOND);
        rig.settled(rig.node.controls().pause(null, id, true, null));
        rig.letFlush();
        rig.advance(2 * SECOND);
        assertThat(inMemory()).isZero();
        assertThat(paused(id)).isTrue();
    }

    @Test
    void oneThatIsPausedWhileItsPauseIsBeingStoredLeavesWithTheLastWord() {
        JobId id = submit(1).getFirst();
        rig.advance(2 * SECOND);
        rig.holdFlushes();
        rig.settled(rig.node.controls().pause(null, id, true, null));
        rig.advance(2 * SECOND);
        rig.settled(rig.node.controls().pause(null, id, false, null));
        rig.settled(rig.node.controls().change(null, id, JobChange.NOTHING.withPriority(1), Command.ANY_REVISION));
        rig.letFlush();
        rig.advance(2 * SECOND);
        assertThat(inMemory()).isZero();
        assertThat(paused(id)).isFalse();
        assertThat(rig.job(id).spec().priority()).isEqualTo(1);
        assertThat(rig.node.status().due().far()).isOne();
    }

    @Test
    void manyArePausedAndResumedWhereTheyAre() {
        List<JobId> ids = submit(1_200);
        rig.advance(2 * SECOND);
        assertThat(inMemory()).isZero();

        Operation paused = all(Controls.Deed.PAUSE, JobChange.NOTHING);
        assertThat(paused.done()).isEqualTo(1_200);
        assertThat(inMemory()).isZero();
        assertThat(ids).allMatch(this::paused);
        rig.start();
        rig.settle();
        assertThat(inMemory()).isZero();
        assertThat(rig.settled(rig.node.standing(acme.id())).openJobs()).isEqualTo(1_200);

        assertThat(all(Controls.Deed.RESUME, JobChange.NOTHING).done()).isEqualTo(1_200);
        assertThat(inMemory()).isZero();
        TestWorker worker = rig.worker("w", 2_000, "echo");
        rig.advance(HOUR);
        assertThat(worker.leases.stream().map(lease -> lease.spec().id()).distinct())
                .hasSize(1_200);
        assertThat(ids).allMatch(id -> rig.job(id).status().state() != JobState.SCHEDULED);
    }

    /** Of a crowd only so many are loaded ahead; the others are not in memory, and a change brings them there for a moment only. */
    @Test
    void aCrowdIsPausedShortlyBeforeItIsDueAndHoldsUpNobody() {
        int perSecond = 100;
        int jobs = 4_000;
        rig = new NodeRig(NodeConfig.named("n1").withEngine(FarJobsTest.promoting(perSecond)), 1_000);
        acme = rig.tenant("acme", 10);
        Tenant modest = rig.tenant("modest", 10);
        List<JobId> ids = submit(jobs);
        JobId one = rig.submit(modest, in(HOUR + 2 * SECOND));
        rig.advance(5 * SECOND);
        assertThat(inMemory()).isZero();
        rig.skip(HOUR - 300 * SECOND);
        rig.settle();
        rig.advance(10 * SECOND);
        int ahead = inMemory();
        assertThat(ahead).isBetween(3 * perSecond, 10 * perSecond);

        assertThat(all(Controls.Deed.PAUSE, JobChange.NOTHING).done()).isEqualTo(jobs);
        rig.advance(10 * SECOND);
        assertThat(ids).allMatch(this::paused);
        assertThat(inMemory()).as("no more than before").isLessThanOrEqualTo(10 * perSecond);

        rig.advance(275 * SECOND);
        assertThat(rig.job(one).status().state()).as("a crowd is due before it").isEqualTo(JobState.QUEUED);
        all(Controls.Deed.RESUME, JobChange.NOTHING);
        TestWorker worker = rig.worker("w", 10_000, "echo");
        rig.advance(60 * SECOND);
        assertThat(worker.leases.stream().map(lease -> lease.spec().id()).distinct())
                .hasSize(jobs + 1);
    }

    @Test
    void manyAreChangedWhereTheyAre() {
        List<JobId> ids = submit(1_200);
        rig.advance(2 * SECOND);
        Operation changed = all(Controls.Deed.CHANGE, JobChange.NOTHING.withPriority(1));
        assertThat(changed.done()).isEqualTo(1_200);
        assertThat(inMemory()).isZero();
        assertThat(ids).allMatch(id -> rig.job(id).spec().priority() == 1);
    }

    @Test
    void theWorkWaitsForTheStoreWhenMemoryHasManyOfThem() {
        int jobs = 2 * OpenJobsWork.MOST_UNSTORED + 1_000;
        submit(jobs);
        rig.advance(5 * SECOND);
        assertThat(inMemory()).isZero();

        rig.holdFlushes();
        String id = begin(Controls.Deed.PAUSE, JobChange.NOTHING);
        rig.advance(5 * SECOND);
        assertThat(inMemory()).isBetween(OpenJobsWork.MOST_UNSTORED, OpenJobsWork.MOST_UNSTORED + 500);

        rig.letFlush();
        rig.advance(10 * SECOND);
        assertThat(operation(id).state()).isEqualTo(Operation.State.DONE);
        assertThat(operation(id).done()).isEqualTo(jobs);
        assertThat(inMemory()).isZero();
    }

    @Test
    void oneThatIsPausedBeforeACrashIsPausedAfterIt() {
        JobId id = submit(1).getFirst();
        rig.advance(2 * SECOND);
        rig.holdFlushes();
        rig.settled(rig.node.controls().pause(null, id, true, null));
        rig.forgetFlushes();
        rig.start();
        rig.advance(2 * SECOND);
        assertThat(paused(id)).isTrue();
        rig.start();
        rig.advance(2 * SECOND);
        assertThat(inMemory()).isZero();
        assertThat(paused(id)).isTrue();
        TestWorker worker = rig.worker("w", 1, "echo");
        rig.advance(2 * HOUR);
        assertThat(worker.leases).isEmpty();
        rig.settled(rig.node.controls().pause(null, id, false, null));
        assertThat(worker.leases).hasSize(1);
    }
}
