package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.journal.JobPage;
import dev.fairlane.journal.JobQuery;
import dev.fairlane.journal.memory.InMemoryJournal;
import dev.fairlane.journal.memory.InMemoryStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node for which every change is a flood: waiting jobs are in memory and in the journal for eight seconds before they are in rows. */
class LeftOutJobsTest {
    private static final long SECOND = 1_000_000;
    private static final Payload PAYLOAD = new Payload("{\"n\":17}".getBytes(StandardCharsets.UTF_8), Payload.JSON);
    private static final NewJob NOISE = NewJob.of("noise", PAYLOAD);

    private NodeRig rig = rig(config(new NodeConfig.LeavingOut(8 * SECOND, 1 << 24, 1)));
    private Tenant acme = rig.tenant("acme", 10);
    private Tenant noisy = rig.tenant("noisy", 10);

    private static NodeConfig config(NodeConfig.LeavingOut leavingOut) {
        NodeConfig usual = NodeConfig.named("n1");
        return usual.withFlushes(usual.flushes().withQuietChanges(1).withLeavingOut(leavingOut));
    }

    private static NodeRig rig(NodeConfig config) {
        return new NodeRig(config, InMemoryStore.SEGMENT_ROWS);
    }

    private void begin(NodeConfig config) {
        rig = rig(config);
        acme = rig.tenant("acme", 10);
        noisy = rig.tenant("noisy", 10);
        flood(SECOND);
    }

    /** The first flush of a start leaves nobody out. */
    @BeforeEach
    void flushed() {
        flood(2 * SECOND);
    }

    /** Something comes between any two flushes. */
    private void flood(long micros) {
        for (long spent = 0; spent < micros; spent += SECOND / 10) {
            rig.settled(rig.node.submit(noisy.id(), Collections.nCopies(100, NOISE)));
            rig.advance(SECOND / 10);
        }
    }

    private JobId submitted() {
        return rig.submit(acme, NewJob.of("work", PAYLOAD));
    }

    /** Of the one that does not make the noise. */
    private JobQuery all() {
        return new JobQuery(acme.id(), Set.of(), "", null, 1_000);
    }

    private Map<JobId, JobState> rows() {
        return new InMemoryJournal(rig.store, "reader")
                .list(all()).join().jobs().stream()
                        .collect(Collectors.toMap(
                                job -> job.spec().id(), job -> job.status().state()));
    }

    @Test
    void itIsStoredWhenItsTimeIsUp() {
        JobId id = submitted();
        flood(4 * SECOND);
        assertThat(rows()).doesNotContainKey(id);
        assertThat(rig.job(id).status().state()).isEqualTo(JobState.QUEUED);
        flood(6 * SECOND);
        assertThat(rows()).containsEntry(id, JobState.QUEUED);
    }

    /** A flood of a thousand a second, of which a flush that comes four times a second has 200 or 300. */
    @Test
    void aFloodGoesOnThoughFlushesThatLeaveOutComeSooner() {
        NodeConfig usual = config(new NodeConfig.LeavingOut(8 * SECOND, 1 << 24, 1));
        begin(usual.withFlushes(usual.flushes().withQuietChanges(600)));
        JobId before = submitted();
        flood(SECOND);
        assertThat(rows()).as("too few at a time to begin a flood").containsKey(before);

        rig.settled(rig.node.submit(noisy.id(), Collections.nCopies(600, NOISE)));
        flood(SECOND);
        NodeRig.TestWorker worker = rig.worker("w", 1, "work");
        for (int i = 0; i < 4; i++) {
            submitted();
            worker.succeed(worker.ref(i));
            flood(4 * SECOND / 10);
            assertThat(rows())
                    .as("ended")
                    .containsEntry(worker.leases.get(i).spec().id(), JobState.SUCCEEDED);
        }
        JobId waiting = rig.submit(acme, NewJob.of("other", PAYLOAD));
        flood(SECOND);
        assertThat(rows()).as("waits").doesNotContainKey(waiting);

        rig.advance(2 * SECOND);
        assertThat(rows()).as("the flood is over").containsKey(waiting);
    }

    @Test
    void itIsStoredWhenTheFloodIsOver() {
        JobId id = submitted();
        flood(SECOND);
        assertThat(rows()).doesNotContainKey(id);
        rig.advance(2 * SECOND);
        assertThat(rows()).containsEntry(id, JobState.QUEUED);
        assertThat(rig.node.nextTurnAt()).isGreaterThan(rig.node.now());
    }

    /** Flush after flush covers no new batch then, and each has others to store. */
    @Test
    void allAreStoredHoweverFewAtOnce() {
        flood(4 * SECOND);
        rig.advance(5 * SECOND);
        List<JobView> listed = new ArrayList<>();
        JobId before = null;
        do {
            JobPage page = new InMemoryJournal(rig.store, "reader")
                    .list(new JobQuery(noisy.id(), Set.of(), "", before, 1_000))
                    .join();
            listed.addAll(page.jobs());
            before = page.next();
        } while (before != null);
        assertThat(listed).hasSize(60 * 100);
        assertThat(rig.node.nextTurnAt()).isGreaterThan(rig.node.now());
    }

    @Test
    void oneThatIsRunSoonIsARowOfHistoryAndNothingElse() {
        JobId id = submitted();
        flood(2 * SECOND);
        assertThat(rows()).doesNotContainKey(id);
        NodeRig.TestWorker worker = rig.worker("w", 1, "work");
        assertThat(worker.leases)
                .singleElement()
                .satisfies(lease -> assertThat(lease.spec().payload()).isEqualTo(PAYLOAD));
        worker.succeed(worker.ref(0));
        flood(2 * SECOND);
        assertThat(rows()).containsEntry(id, JobState.SUCCEEDED);
        assertThat(rig.job(id).spec().payload()).isEqualTo(PAYLOAD);
    }

    @Test
    void oneThatRunsForLongIsStored() {
        JobId id = submitted();
        flood(2 * SECOND);
        rig.worker("w", 1, "work");
        flood(2 * SECOND);
        assertThat(rows()).containsEntry(id, JobState.LEASED);
    }

    @Test
    void aCrashLosesNone() {
        JobId waiting = submitted();
        JobId ended = submitted();
        flood(2 * SECOND);
        NodeRig.TestWorker worker = rig.worker("w", 2, "work");
        JobId first = worker.leases.getFirst().spec().id();
        assertThat(first).isEqualTo(waiting);
        worker.succeed(worker.ref(0));
        rig.settle();
        JobId last = rig.submit(acme, NewJob.of("later", PAYLOAD));
        flood(2 * SECOND);
        rig.start();
        assertThat(rig.job(waiting).status().state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(rig.job(ended).status().state()).isEqualTo(JobState.LEASED);
        assertThat(rig.job(last).status().state()).isEqualTo(JobState.QUEUED);
        rig.start();
        assertThat(rig.job(last).spec().payload()).isEqualTo(PAYLOAD);
        flood(2 * SECOND);
        assertThat(rows()).containsEntry(last, JobState.QUEUED).containsEntry(ended, JobState.LEASED);
        NodeRig.TestWorker another = rig.worker("another", 5, "later");
        assertThat(another.leases).extracting(lease -> lease.spec().id()).contains(last);
        assertThat(another.leases)
                .allSatisfy(lease -> assertThat(lease.spec().payload()).isEqualTo(PAYLOAD));
    }

    @Test
    void whatHappensToOneBehindTheLastFlushSurvivesACrash() {
        JobId id = submitted();
        flood(2 * SECOND);
        assertThat(rows()).doesNotContainKey(id);
        rig.holdFlushes();
        NodeRig.TestWorker worker = rig.worker("w", 1, "work");
        worker.succeed(worker.ref(0));
        rig.settle();
        rig.forgetFlushes();
        rig.start();
        assertThat(rig.job(id).status().state()).isEqualTo(JobState.SUCCEEDED);
        flood(2 * SECOND);
        assertThat(rows()).containsEntry(id, JobState.SUCCEEDED);
    }

    @Test
    void whoAsksForAllUpToAPositionGetsThem() {
        flood(SECOND);
        JobId before = submitted();
        flood(2 * SECOND);
        SubmitReply reply = rig.settled(rig.node.submit(acme.id(), List.of(NewJob.of("work", PAYLOAD))));
        List<JobView> listed =
                rig.settled(rig.node.list(all(), reply.position())).jobs();
        assertThat(listed).extracting(job -> job.spec().id()).contains(before);
        assertThat(listed)
                .filteredOn(job -> job.spec().tenant().equals(acme.id()))
                .hasSize(2);
    }

    @Test
    void whileWaitingJobsAreReadAllAreStored() {
        JobId before = submitted();
        flood(2 * SECOND);
        rig.settled(rig.node.list(all(), Position.NONE));
        JobId after = submitted();
        flood(2 * SECOND);
        assertThat(rows()).containsKeys(before, after);
    }

    @Test
    void whoReadsOnlyWhatEndedChangesNothing() {
        JobId id = submitted();
        flood(2 * SECOND);
        JobQuery ended = new JobQuery(acme.id(), Set.of(JobState.SUCCEEDED), "", null, 10);
        rig.settled(rig.node.list(ended, Position.NONE));
        flood(2 * SECOND);
        assertThat(rows()).doesNotContainKey(id);
    }

    @Test
    void anOrderlyStopStoresAll() {
        JobId id = submitted();
        flood(SECOND);
        rig.node.stop();
        rig.advance(SECOND);
        assertThat(rows()).containsEntry(id, JobState.QUEUED);
    }

    private static NewJob keyed(String key) {
        return new NewJob("work", PAYLOAD, 0, -1, 0, 0, 0, 0, 0, key, 0, Map.of(), Map.of());
    }

    private Answer again(String key) {
        return rig.settled(rig.node.submit(acme.id(), List.of(keyed(key))))
                .answers()
                .getFirst();
    }

    @Test
    void aKeyMeansItsJobAlsoBehindACrash() {
        JobId id = rig.submit(acme, keyed("invoice-17"));
        flood(2 * SECOND);
        assertThat(rows()).doesNotContainKey(id);
        Answer known = new Answer.Submitted(id, JobState.QUEUED, true);
        assertThat(again("invoice-17")).isEqualTo(known);
        rig.start();
        assertThat(again("invoice-17")).isEqualTo(known);
        flood(2 * SECOND);
        assertThat(rows()).containsEntry(id, JobState.QUEUED);
        rig.start();
        assertThat(again("invoice-17")).isEqualTo(known);
    }

    /** Keys may leave memory after a tenth of a second here, but that of a job that was left out is stored with the job. */
    @Test
    void aKeyStaysInMemoryUntilItIsStored() {
        NodeConfig usual = config(new NodeConfig.LeavingOut(8 * SECOND, 1 << 24, 1));
        EngineConfig.Keys keys = usual.engine().keys();
        begin(usual.withEngine(
                usual.engine().withKeys(new EngineConfig.Keys(keys.retentionMicros(), SECOND / 10, keys.max()))));
        JobId id = rig.submit(acme, keyed("invoice-17"));
        flood(3 * SECOND / 2);
        assertThat(rows()).doesNotContainKey(id);
        rig.holdFlushes();
        NodeRig.TestWorker worker = rig.worker("w", 1, "work");
        worker.succeed(worker.ref(0));
        flood(SECOND);
        Answer known = new Answer.Submitted(id, JobState.SUCCEEDED, true);
        assertThat(again("invoice-17")).isEqualTo(known);
        rig.letFlush();
        flood(9 * SECOND);
        assertThat(rows()).containsEntry(id, JobState.SUCCEEDED);
        assertThat(rig.node.keysInMemory()).isZero();
        assertThat(again("invoice-17")).isEqualTo(known);
    }

    @Test
    void whoComesWhenThereIsNoRoomIsStored() {
        begin(config(new NodeConfig.LeavingOut(60 * SECOND, 400_000, 1)));
        JobId early = submitted();
        flood(4 * SECOND);
        JobId late = submitted();
        flood(2 * SECOND);
        assertThat(rows()).doesNotContainKey(early).containsEntry(late, JobState.QUEUED);
    }

    @Test
    void nobodyIsLeftOutWhereThatIsNotWanted() {
        begin(config(new NodeConfig.LeavingOut(0, 1 << 24, 1)));
        JobId id = submitted();
        flood(2 * SECOND);
        assertThat(rows()).containsEntry(id, JobState.QUEUED);
    }
}
