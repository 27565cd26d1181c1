package dev.fairlane.e2e.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.bench.rig.Programs;
import dev.fairlane.bench.rig.Rig;
import dev.fairlane.bench.rig.RunningServer;
import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobFilter;
import dev.fairlane.sdk.SubmitStream;
import dev.fairlane.sdk.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients submit without keys, in calls and on streams, while the server is killed: every job is there once. */
@Tag("slow")
class LostAnswersTest {
    private static final int CLIENTS = 4;
    private static final int JOBS = 5_000;
    private static final int KILLS = 3;
    private static final int BATCH = 50;

    private final Map<String, String> idByNumber = new ConcurrentHashMap<>();
    private final AtomicInteger answered = new AtomicInteger();

    @Test
    void noJobIsLostAndNoneIsMadeTwice() throws Exception {
        try (Rig rig = Rig.prepare(Programs.here(List.of()), Map.of());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            RunningServer server = rig.startServer();
            String url = server.url();
            String key = server.adminKey();
            Fairlane working = connect(url, key);
            Worker worker = Worker.of(working)
                    .slots(20)
                    .handle("once", String.class, (ctx, number) -> null)
                    .start();
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                String client = "client-" + i;
                boolean streams = i % 2 == 1;
                clients.add(threads.submit(() -> {
                    try (Fairlane fairlane = connect(url, key)) {
                        if (streams) {
                            stream(fairlane, client);
                        } else {
                            calls(fairlane, client);
                        }
                    }
                }));
            }
            for (int kill = 1; kill <= KILLS; kill++) {
                int due = CLIENTS * JOBS * kill / (KILLS + 1);
                Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> answered.get() >= due);
                server.child().kill();
                server = rig.startServer();
            }
            for (Future<?> client : clients) {
                client.get();
            }
            // a list shows what is in rows, which the last jobs reach a moment after their acknowledgement
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> listed(working), listed -> listed.size() >= CLIENTS * JOBS);
            assertThat(listed(working)).hasSize(CLIENTS * JOBS).isEqualTo(idByNumber);
            worker.close();
            working.close();
            rig.succeeded();
        }
    }

    /** Ids by number; two ids where a job was made twice. */
    private static Map<String, String> listed(Fairlane fairlane) {
        Map<String, String> listed = new HashMap<>();
        fairlane.list(JobFilter.all().pageSize(1_000))
                .forEach(job -> listed.merge(job.tags().get("number"), job.id(), (a, b) -> a + " " + b));
        return listed;
    }

    private static Fairlane connect(String url, String key) {
        return Fairlane.builder()
                .address(url)
                .key(key)
                .deadline(Duration.ofMinutes(2))
                .connect();
    }

    private static Job job(String number) {
        return Job.of("once", number).tag("number", number);
    }

    private void calls(Fairlane fairlane, String client) {
        for (int from = 0; from < JOBS; from += BATCH) {
            List<Job> jobs = new ArrayList<>();
            for (int i = from; i < from + BATCH; i++) {
                jobs.add(job(client + "-" + i));
            }
            var results = fairlane.submitAll(jobs);
            for (int i = 0; i < BATCH; i++) {
                idByNumber.put(
                        client + "-" + (from + i), results.get(i).orThrow().id());
            }
            answered.addAndGet(BATCH);
        }
    }

    private void stream(Fairlane fairlane, String client) {
        AtomicInteger next = new AtomicInteger();
        try (SubmitStream stream = fairlane.submitter()
                .batchSize(BATCH)
                .window(4)
                .answerWithin(Duration.ofMinutes(2))
                .onBatch(batch -> {
                    for (int i = 0; i < batch.size(); i++) {
                        idByNumber.put(client + "-" + next.getAndIncrement(), batch.id(i));
                    }
                    answered.addAndGet(batch.size());
                })
                .open()) {
            for (int i = 0; i < JOBS; i++) {
                stream.submit(job(client + "-" + i));
            }
        }
    }
}
