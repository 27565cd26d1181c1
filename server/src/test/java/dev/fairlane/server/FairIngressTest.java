package dev.fairlane.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairlane.core.model.JobId;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One tenant's flood of calls does not delay another's: the real server, real connections. What is counted is turns and commits, not time,
 * so that a slow machine sees the same numbers.
 */
class FairIngressTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int FLOODING = 96;
    private static final int JOBS_A_CALL = 25;
    /** About 40 KB a call. */
    private static final String FLOOD = batch(JOBS_A_CALL, "x".repeat(1_500));

    private static final String SMALL = "{\"type\":\"mail\"}";

    @TempDir
    Path home;

    @Test
    void a_call_overtakes_all_but_one_round_of_anothers_flood() {
        CompletableFuture<Void> opened = new CompletableFuture<>();
        AtomicBoolean held = new AtomicBoolean();
        PacedStore store = new PacedStore(() -> held.get() ? opened : CompletableFuture.completedFuture(null));
        try (TestServer server = TestServer.start(home, PacedStore.config(2_000, 2, 2 * JOBS_A_CALL), store::behind);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Client flood = new Client(server, server.newKey("flood", "submitter"));
            Client modest = new Client(server, server.newKey("modest", "submitter"));

            held.set(true);
            List<CompletableFuture<HttpResponse<String>>> floods = new ArrayList<>();
            for (int i = 0; i < FLOODING; i++) {
                floods.add(CompletableFuture.supplyAsync(() -> flood.batch(FLOOD), threads));
            }
            // a refused call says how much is waiting: nothing is decided any more, and the flood has all the room it
            // may have
            await().atMost(60, TimeUnit.SECONDS)
                    .until(() ->
                            floods.stream().filter(CompletableFuture::isDone).count() > 10);
            long waiting = told(flood, "present");
            long limit = told(flood, "limit");
            List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                calls.add(CompletableFuture.supplyAsync(() -> modest.submit(SMALL), threads));
            }
            // what others have waiting leaves less room for the flood
            await().atMost(60, TimeUnit.SECONDS).until(() -> told(flood, "limit") <= limit - 2);
            opened.complete(null);

            List<Long> places = new ArrayList<>();
            for (CompletableFuture<HttpResponse<String>> call : calls) {
                HttpResponse<String> answer = call.join();
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
                places.add(place(JSON.readTree(answer.body())));
            }
            long behind = 0;
            long last = places.stream().mapToLong(Long::longValue).max().orElseThrow();
            for (CompletableFuture<HttpResponse<String>> each : floods) {
                HttpResponse<String> answer = each.join();
                if (answer.statusCode() == 503) {
                    continue;
                }
                behind += place(JSON.readTree(answer.body()).get("items").get(0)) > last ? 1 : 0;
            }
            assertThat(waiting).as("jobs of the flood before the door").isGreaterThan(500);
            // A round is 64 KiB, not two of its calls; a few were decided before anybody had to wait.
            assertThat(behind * JOBS_A_CALL)
                    .as("of %s jobs that waited longer, those decided later than the last of the modest calls", waiting)
                    .isGreaterThanOrEqualTo(waiting - 4 * JOBS_A_CALL);
        }
    }

    @Test
    void under_a_lasting_flood_calls_wait_for_a_few_commits_and_not_for_the_flood() throws Exception {
        // A store that takes its time, and a loop that takes few calls at once: here a flood waits for two dozen
        // commits.
        PacedStore store = new PacedStore(() ->
                CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(15, TimeUnit.MILLISECONDS)));
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        ConcurrentLinkedQueue<Long> floodWaits = new ConcurrentLinkedQueue<>();
        try (TestServer server = TestServer.start(home, PacedStore.config(100_000, 2, 2 * JOBS_A_CALL), store::behind);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Client flood = new Client(server, server.newKey("flood", "submitter"));
            Client modest = new Client(server, server.newKey("modest", "submitter"));
            String first = JSON.readTree(modest.submit(SMALL).body()).get("id").asString();
            for (int i = 0; i < FLOODING; i++) {
                threads.execute(() -> {
                    while (!over.get()) {
                        long before = store.commits();
                        assertThat(flood.batch(FLOOD).statusCode()).isEqualTo(200);
                        floodWaits.add(store.commits() - before);
                        answered.incrementAndGet();
                    }
                });
            }
            long[] commits = new long[60];
            long[] micros = new long[60];
            try {
                await().atMost(60, TimeUnit.SECONDS).until(() -> answered.get() > FLOODING / 2);
                floodWaits.clear();

                for (int i = 0; i < commits.length; i++) {
                    long before = store.commits();
                    long began = System.nanoTime();
                    HttpResponse<String> answer = i % 2 == 0 ? modest.submit(SMALL) : modest.get(first);
                    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
                    micros[i] = (System.nanoTime() - began) / 1_000;
                    commits[i] = store.commits() - before;
                }
            } finally {
                over.set(true);
            }
            long typicalFlood = percentile(floodWaits.stream().mapToLong(Long::longValue), 50);
            long worstFlood = percentile(floodWaits.stream().mapToLong(Long::longValue), 99);
            String seen = "commits waited for: p50 %d, p90 %d, p99 %d; the flood's own p50 %d, p99 %d; p99 %d ms"
                    .formatted(
                            percentile(LongStream.of(commits), 50),
                            percentile(LongStream.of(commits), 90),
                            percentile(LongStream.of(commits), 99),
                            typicalFlood,
                            worstFlood,
                            percentile(LongStream.of(micros), 99) / 1_000);
            assertThat(typicalFlood).as(seen).isGreaterThan(10);
            // Commits go on while a call waits for the processor.
            assertThat(4 * percentile(LongStream.of(commits), 50)).as(seen).isLessThan(typicalFlood);
            assertThat(percentile(LongStream.of(commits), 90)).as(seen).isLessThan(typicalFlood);
            // The one call of the sixty that the machine itself held up the longest has no say.
            assertThat(percentile(LongStream.of(commits), 97)).as(seen).isLessThan(worstFlood);
        }
    }

    private static long percentile(LongStream values, int percent) {
        long[] sorted = values.sorted().toArray();
        return sorted[Math.max(0, Math.ceilDiv(sorted.length * percent, 100) - 1)];
    }

    /** What a call that finds no more room is told. */
    private static long told(Client client, String field) {
        HttpResponse<String> refused = client.batch(FLOOD);
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
        return JSON.readTree(refused.body()).get(field).asLong();
    }

    /** Jobs are numbered as they are decided. */
    private static long place(JsonNode item) {
        return JobId.find(item.get("id").asString()).orElseThrow().sequence();
    }

    private static String batch(int jobs, String payload) {
        String job = "{\"type\":\"mail\",\"payload\":\"" + payload + "\"}";
        return "{\"jobs\":[" + String.join(",", Collections.nCopies(jobs, job)) + "]}";
    }

    /** Every call has a connection of its own. */
    private record Client(TestServer server, String key) {
        HttpResponse<String> submit(String job) {
            return post("/v1/jobs", job);
        }

        HttpResponse<String> batch(String jobs) {
            return post("/v1/jobs:batch", jobs);
        }

        HttpResponse<String> get(String id) {
            return send(HttpRequest.newBuilder(server.uri("/v1/jobs/" + id)).GET());
        }

        private HttpResponse<String> post(String path, String json) {
            return send(HttpRequest.newBuilder(server.uri(path))
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(json)));
        }

        private HttpResponse<String> send(HttpRequest.Builder request) {
            return TestServer.send(
                    request.header("Authorization", "Bearer " + key).build());
        }
    }
}
