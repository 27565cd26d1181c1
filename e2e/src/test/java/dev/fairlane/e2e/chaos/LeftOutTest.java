package dev.fairlane.e2e.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.bench.rig.Programs;
import dev.fairlane.bench.rig.Rig;
import dev.fairlane.bench.rig.RunningServer;
import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobFilter;
import dev.fairlane.sdk.SubmitStream;
import dev.fairlane.sdk.Usage;
import dev.fairlane.sdk.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that takes every change for a flood is killed while jobs wait that no flush has stored: in the journal they are. */
@Tag("slow")
class LeftOutTest {
    private static final int JOBS = 6_000;
    private static final int BATCH = 1_000;
    private static final int KILLS = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Map<String, String> SETTINGS =
            Map.of("flush.quiet_changes", "1", "flush.interval", "200ms", "flush.leave_out", "2m");

    private final Set<String> acked = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<String> ran = new ConcurrentLinkedQueue<>();

    @Test
    void everyAckedJobRunsOnceHoweverOftenTheServerIsKilled() {
        try (Rig rig = Rig.prepare(Programs.here(List.of()), SETTINGS)) {
            RunningServer server = rig.startServer();
            try (Fairlane fairlane = Fairlane.builder()
                    .address(server.url())
                    .key(server.adminKey())
                    .deadline(PATIENCE)
                    .connect()) {
                for (int kill = 1; kill <= KILLS; kill++) {
                    submitAll(fairlane, kill * JOBS);
                    server.child().kill();
                    server = rig.startServer();
                }
                try (Worker worker = worker(fairlane)) {
                    assertThat(worker).isNotNull();
                    Awaitility.await().atMost(PATIENCE).until(() -> ran.size() >= acked.size());
                }
                assertThat(acked).hasSize(KILLS * JOBS);
                assertThat(ran).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(acked);
                // Ends reach their rows a moment after their acknowledgement.
                Awaitility.await()
                        .atMost(PATIENCE)
                        .untilAsserted(
                                () -> assertThat(fairlane.list(JobFilter.all().pageSize(1_000))
                                                .filter(job -> job.state().terminal()))
                                        .hasSize(KILLS * JOBS));
            }
            rig.succeeded();
        }
    }

    /** In pieces, each flushed: what was used is read in rows. */
    private void submitAll(Fairlane fairlane, int first) {
        try (SubmitStream stream = fairlane.submitter()
                .onBatch(batch -> IntStream.range(0, batch.size()).forEach(i -> acked.add(batch.id(i))))
                .open()) {
            for (int from = first; from < first + JOBS; from += BATCH) {
                List<Job> jobs = new ArrayList<>();
                IntStream.range(from, from + BATCH).forEach(number -> jobs.add(Job.of("left-out", number)));
                stream.submit(jobs);
                stream.flush();
                fairlane.usage(Usage.Query.THIS_MONTH);
            }
        }
    }

    private Worker worker(Fairlane fairlane) {
        return Worker.of(fairlane)
                .slots(200)
                .handle("left-out", Integer.class, (ctx, number) -> {
                    ran.add(ctx.id());
                    return number;
                })
                .start();
    }
}
