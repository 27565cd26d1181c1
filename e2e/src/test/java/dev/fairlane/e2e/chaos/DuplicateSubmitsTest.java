package dev.fairlane.e2e.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.bench.rig.Programs;
import dev.fairlane.bench.rig.Rig;
import dev.fairlane.bench.rig.RunningServer;
import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.FairlaneException;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobFilter;
import dev.fairlane.sdk.JobInfo;
import dev.fairlane.sdk.SubmitResult;
import dev.fairlane.sdk.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ten clients submit the same 10,000 keys, each in an order of its own, while the server is killed: there are 10,000 jobs. */
@Tag("slow")
class DuplicateSubmitsTest {
    private static final int CLIENTS = 10;
    private static final int KEYS = 10_000;
    private static final int KILLS = 3;
    private static final int BATCH = 250;

    /** Keys leave memory after 12 to 25 s and are looked up in the store from then on; they count to the end of the test. */
    private static final Map<String, String> SETTINGS = Map.of("engine.key_retention", "5m");

    /** Short, so that a call under way when the server dies is given up here and made again by the test. */
    private static final Duration HASTY = Duration.ofSeconds(2);

    /** For calls that must succeed in the end, however slow the machine. */
    private static final Duration PATIENT = Duration.ofSeconds(60);

    private final Map<String, String> idByKey = new ConcurrentHashMap<>();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger unheard = new AtomicInteger();
    private final AtomicInteger existing = new AtomicInteger();

    @Test
    void oneJobPerKeyWhateverIsKilledAndWhoeverAsks() throws Exception {
        try (Rig rig = Rig.prepare(Programs.here(List.of()), SETTINGS);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            RunningServer server = rig.startServer();
            String url = server.url();
            String key = server.adminKey();
            Fairlane working = connect(url, key, PATIENT);
            Worker worker = Worker.of(working)
                    .slots(20)
                    .handle("duplicate", Integer.class, (ctx, number) -> number)
                    .start();
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Random random = new Random(i);
                clients.add(threads.submit(() -> submitAll(url, key, random)));
            }
            for (int kill = 1; kill <= KILLS; kill++) {
                int due = CLIENTS * KEYS * kill / (KILLS + 1);
                Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> answered.get() >= due);
                server.child().kill();
                server = rig.startServer();
            }
            for (Future<?> client : clients) {
                client.get();
            }
            // a list shows what is in rows, which the last jobs reach a moment after their acknowledgement
            Map<String, String> listed = Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> listed(working), found -> found.size() >= KEYS);
            System.out.printf(
                    "%,d answers, %,d of them with a job that was there; %,d calls unheard; %,d jobs%n",
                    answered.get(), existing.get(), unheard.get(), listed.size());
            assertThat(listed).hasSize(KEYS).isEqualTo(idByKey);
            assertThat(unheard.get()).as("calls whose outcome was not heard").isPositive();
            assertThat(existing.get()).isGreaterThanOrEqualTo((CLIENTS - 1) * KEYS);
            worker.close();
            working.close();
            rig.succeeded();
        }
    }

    /** Ids by key; two ids where a job was made twice. */
    private static Map<String, String> listed(Fairlane fairlane) {
        Map<String, String> listed = new HashMap<>();
        fairlane.list(JobFilter.all().pageSize(1_000))
                .forEach(job -> listed.merge(keyOf(job), job.id(), (a, b) -> a + " " + b));
        return listed;
    }

    private static String keyOf(JobInfo job) {
        return job.idempotencyKey().orElse("");
    }

    private static Fairlane connect(String url, String key, Duration deadline) {
        return Fairlane.builder().address(url).key(key).deadline(deadline).connect();
    }

    private void submitAll(String url, String key, Random random) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, KEYS).boxed().toList());
        Collections.shuffle(order, random);
        try (Fairlane hasty = connect(url, key, HASTY);
                Fairlane patient = connect(url, key, PATIENT)) {
            for (int from = 0; from < KEYS; from += BATCH) {
                List<Job> jobs = order.subList(from, from + BATCH).stream()
                        .map(number -> Job.of("duplicate", number).idempotencyKey("key-" + number))
                        .toList();
                List<SubmitResult> results = submit(hasty, patient, jobs);
                for (int i = 0; i < BATCH; i++) {
                    heard("key-" + order.get(from + i), results.get(i));
                }
                answered.addAndGet(BATCH);
            }
        }
    }

    private List<SubmitResult> submit(Fairlane hasty, Fairlane patient, List<Job> jobs) {
        Fairlane next = hasty;
        while (true) {
            try {
                return next.submitAll(jobs);
            } catch (FairlaneException notHeard) {
                unheard.incrementAndGet();
                next = patient;
            }
        }
    }

    private void heard(String key, SubmitResult result) {
        var job = result.orThrow();
        if (job.existing()) {
            existing.incrementAndGet();
        }
        String before = idByKey.putIfAbsent(key, job.id());
        assertThat(before).as(key).isIn(null, job.id());
    }
}
