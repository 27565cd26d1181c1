package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.journal.Fetched;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.Journal;
import dev.fairlane.journal.StoredJob;
import dev.fairlane.journal.memory.InMemoryStore;
import dev.fairlane.runtime.NodeRig.TestWorker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Payloads that a deep backlog pushed out of memory: each is read once, and where it is. */
class EvictedJobsTest {
    private static final long SECOND = 1_000_000;
    private static final int WEIGHT = 160 + 2;

    private final List<StoredJob> asked = new ArrayList<>();
    private final List<Flush.Ended> ended = new ArrayList<>();
    /** What lies beside every job. */
    private final List<JobId> besides = new ArrayList<>();

    private NodeRig rig;
    private Tenant acme;

    @BeforeEach
    void start() {
        startWithRoomFor(4);
    }

    /** Room for the specs of so many waiting jobs. */
    private void startWithRoomFor(int jobs) {
        NodeConfig config = NodeConfig.named("n1");
        rig = new NodeRig(
                config.withMemory(new NodeConfig.Memory((long) jobs * WEIGHT, NodeConfig.Memory.NO_HORIZON)),
                InMemoryStore.SEGMENT_ROWS);
        rig.before = this::heard;
        rig.start();
        acme = rig.tenant("acme", 10);
    }

    private Journal heard(Journal journal) {
        return (Journal) Proxy.newProxyInstance(
                Journal.class.getClassLoader(), new Class<?>[] {Journal.class}, (_, method, arguments) -> {
                    if (method.getName().equals("fetch")) {
                        ((List<?>) arguments[0]).forEach(job -> asked.add((StoredJob) job));
                    } else if (method.getName().equals("flush")) {
                        ended.addAll(((Flush) arguments[1]).ended());
                    }
                    try {
                        if (method.getName().equals("fetch") && !besides.isEmpty()) {
                            return journal.fetch(homes(arguments[0]))
                                    .thenCombine(
                                            journal.specs(StoredJob.anywhere(besides)),
                                            (fetched, specs) ->
                                                    new Fetched(fetched.asked(), List.copyOf(specs.values())));
                        }
                        return method.invoke(journal, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @SuppressWarnings("unchecked")
    private static List<StoredJob> homes(Object argument) {
        return (List<StoredJob>) argument;
    }

    private List<JobId> submit(int count) {
        return submitOf("echo", count);
    }

    private List<JobId> submitOf(String type, int count) {
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(rig.submit(acme, type));
        }
        rig.advance(2 * SECOND);
        return ids;
    }

    private void runAll(TestWorker worker, int count) {
        run(worker, 0, count);
    }

    private void run(TestWorker worker, int from, int to) {
        for (int i = from; i < to; i++) {
            rig.settle();
            worker.succeed(worker.ref(i));
        }
        rig.advance(2 * SECOND);
    }

    @Test
    void aPayloadIsFetchedFromTheSegmentThatHasItAndIsThereWhenItsJobEnds() {
        List<JobId> ids = submit(12);
        TestWorker worker = rig.worker("w1", 1, "echo");

        runAll(worker, ids.size());

        assertThat(asked)
                .as("those there was no room for")
                .hasSizeBetween(10, 11)
                .extracting(StoredJob::id)
                .as("the oldest stays")
                .doesNotContain(ids.getFirst());
        assertThat(asked).allSatisfy(job -> assertThat(job.home()).as("known").isNotEqualTo(StoredJob.ANYWHERE));
        assertThat(ended).extracting(Flush.Ended::id).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(ended)
                .as("none is read a second time")
                .allSatisfy(job -> assertThat(job.spec()).isNotNull());
        assertThat(ids)
                .allSatisfy(id -> assertThat(rig.job(id).status().state()).isEqualTo(JobState.SUCCEEDED));
    }

    @Test
    void whatComesBesideAJobIsNotFetchedAgain() {
        List<JobId> ids = submit(8);
        besides.addAll(ids);
        TestWorker worker = rig.worker("w1", 1, "echo");

        runAll(worker, ids.size());

        assertThat(asked).as("the first that was not in memory").hasSize(1);
        assertThat(ended).hasSize(8).allSatisfy(job -> assertThat(job.spec()).isNotNull());
    }

    @Test
    void whatCameBesideAndIsNotRunMakesRoomForOthers() {
        List<JobId> idle = submit(20);
        besides.addAll(idle);
        TestWorker worker = rig.worker("w1", 1, "echo");
        run(worker, 0, 1);
        assertThat(rig.node.loop.engine.residentBytes()).as("twice the room").isBetween(7L * WEIGHT, 9L * WEIGHT);
        List<JobId> busy = submitOf("sum", 8);
        besides.clear();
        besides.addAll(busy);
        asked.clear();
        TestWorker other = rig.worker("w2", 1, "sum");

        runAll(other, busy.size());

        assertThat(asked).as("of eight, without room for them").hasSizeLessThanOrEqualTo(3);
        assertThat(rig.node.loop.engine.residentBytes()).isLessThanOrEqualTo(9L * WEIGHT);
        run(worker, 1, idle.size());
        assertThat(idle)
                .allSatisfy(id -> assertThat(rig.job(id).status().state()).isEqualTo(JobState.SUCCEEDED));
    }

    @Test
    void whatRunsTakesNoMoreMemoryThanIsMeantForIt() {
        List<JobId> ids = submit(40);
        TestWorker worker = rig.worker("w1", 40, "echo");
        rig.settle();

        runAll(worker, ids.size());

        long kept = ended.stream().filter(job -> job.spec() != null).count();
        assertThat(kept).as("twice the room and an eighth more").isBetween(8L, 10L);
        assertThat(ids)
                .allSatisfy(id -> assertThat(rig.job(id).status().state()).isEqualTo(JobState.SUCCEEDED));
    }
}
