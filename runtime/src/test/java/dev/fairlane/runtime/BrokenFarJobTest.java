package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.journal.FarJob;
import dev.fairlane.journal.FarPortion;
import dev.fairlane.journal.Journal;
import dev.fairlane.runtime.NodeRig.TestWorker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A row among the far ones that cannot be let in: nobody else suffers by it. */
class BrokenFarJobTest {
    private static final long SECOND = 1_000_000;
    private static final long HOUR = 3_600 * SECOND;

    private final NodeRig rig = new NodeRig();
    private final List<JobId> ids = new ArrayList<>();

    /** No image of an open job. */
    private @Nullable JobStatus ended;

    @BeforeEach
    void threeOfWhichTheFirstIsBroken() {
        Tenant acme = rig.tenant("acme", 10);
        JobId done = rig.submit(acme, "echo");
        rig.settled(rig.node.cancel(null, done, null));
        ended = rig.job(done).status();
        for (int i = 0; i < 3; i++) {
            ids.add(rig.submit(
                    acme,
                    new NewJob(
                            "echo",
                            Payload.EMPTY,
                            0,
                            5,
                            rig.node.now() + HOUR / 2,
                            0,
                            0,
                            0,
                            0,
                            "",
                            0,
                            Map.of(),
                            Map.of())));
        }
        rig.advance(2 * SECOND);
        rig.before = this::breaking;
        rig.start();
        rig.settle();
        assertThat(rig.node.hardState().jobs()).isEmpty();
    }

    private Journal breaking(Journal journal) {
        return (Journal) Proxy.newProxyInstance(
                Journal.class.getClassLoader(), new Class<?>[] {Journal.class}, (proxy, method, args) -> {
                    try {
                        Object answer = method.invoke(journal, args);
                        return switch (method.getName()) {
                            case "dueFar" ->
                                ((CompletableFuture<?>) answer).thenApply(found -> {
                                    FarPortion portion = (FarPortion) found;
                                    return new FarPortion(broken(portion.jobs()), portion.nextAt());
                                });
                            case "findFar" ->
                                ((CompletableFuture<?>) answer).thenApply(found -> broken((List<?>) found));
                            default -> answer;
                        };
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private List<FarJob> broken(List<?> jobs) {
        return jobs.stream()
                .map(FarJob.class::cast)
                .map(job -> ended != null && job.spec().id().equals(ids.getFirst())
                        ? new FarJob(job.spec(), ended, job.wakeAt(), job.whole())
                        : job)
                .toList();
    }

    @Test
    void thoseBehindItAreLoadedAndRun() {
        TestWorker worker = rig.worker("w", 9, "echo");
        rig.advance(HOUR);
        assertThat(worker.leases.stream().map(lease -> lease.spec().id()).distinct())
                .containsExactly(ids.get(1), ids.get(2));
        assertThat(rig.node.status().due().far()).as("it is in the store").isOne();
    }

    @Test
    void whoAsksForItIsToldAndWhoAsksForAnotherAtTheSameTimeIsAnswered() {
        rig.holdFetches();
        CompletableFuture<?> broken = rig.node.explain(null, ids.get(0));
        CompletableFuture<?> other = rig.node.explain(null, ids.get(1));
        rig.settle();
        rig.letFetch();
        rig.advance(SECOND);
        assertThat(broken).isDone();
        assertThatThrownBy(broken::join)
                .hasCauseInstanceOf(NodeFault.class)
                .satisfies(thrown ->
                        assertThat(((NodeFault) thrown.getCause()).kind()).isEqualTo(NodeFault.Kind.INTERNAL));
        assertThat(other).isCompleted();
    }
}
