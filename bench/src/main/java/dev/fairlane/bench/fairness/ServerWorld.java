package dev.fairlane.bench.fairness;

import dev.fairlane.bench.rig.Programs;
import dev.fairlane.bench.rig.Rest;
import dev.fairlane.bench.rig.Rig;
import dev.fairlane.bench.rig.RunningServer;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.Resources;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.model.Tier;
import dev.fairlane.sdk.Admin;
import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.JobContext;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.SubmitStream;
import dev.fairlane.sdk.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Plays a scenario on the real server, through its public API: a worker whose handlers only let time pass, tenants that submit over
 * REST, and the server's own status as the book of slot-time. Everything goes {@link #pace} times faster than the scenario says, the
 * server's numbers of fair share too.
 */
final class ServerWorld {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String TYPE = "work";
    private static final int BATCH = 500;
    private static final long LOOK_NANOS = 20_000_000;
    private static final long BOOK_NANOS = 250_000_000;
    private static final long LEAST_MILLIS = 10;

    /** So long nobody may look: a pause of the machine must not make an actor idle. */
    private static final long GAP_MILLIS = 1_000;

    private static final int NO_BOUND = 1_000_000;
    private static final int NO_ACTOR = -1;
    private static final int CALLS = 200;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration WARM_UP = Duration.ofSeconds(12);

    private final Scenario scenario;
    private final int pace;
    private final String url;
    private final UsedTime used;
    private final SplittableRandom random = new SplittableRandom(42);
    private final List<Played> all = new ArrayList<>();
    private final List<CompletableFuture<Void>> dumps = new ArrayList<>();
    private final Rest admin;
    private volatile long begin;
    private long bookedAt;

    private static final class Played {
        final Actor actor;
        final String key;
        final Rest client;
        final AtomicInteger waiting = new AtomicInteger();
        int fairKey;
        double nextAt;
        boolean begun;
        double slotSeconds;

        Played(Actor actor, String key, Rest client) {
            this.actor = actor;
            this.key = key;
            this.client = client;
        }
    }

    private ServerWorld(Scenario scenario, int pace, String url, Rest admin) {
        this.scenario = scenario;
        this.pace = pace;
        this.url = url;
        this.admin = admin;
        this.used = new UsedTime(scenario.seconds() / pace);
    }

    static UsedTime play(Scenario scenario, int pace, Programs programs, Map<String, String> settings)
            throws IOException, InterruptedException {
        Map<String, String> faster = new HashMap<>(settings);
        faster.put("engine.hold", 30_000 / pace + "ms");
        faster.put("engine.burst", 10_000 / pace + "ms");
        try (Rig rig = Rig.prepare(programs, faster)) {
            RunningServer server = rig.startServer();
            try (Rest admin = new Rest(server.url(), server.adminKey());
                    Fairlane fairlane = Fairlane.connect(server.url(), server.adminKey())) {
                ServerWorld world = new ServerWorld(scenario, pace, server.url(), admin);
                UsedTime used = world.run(fairlane.admin());
                rig.succeeded();
                return used;
            }
        }
    }

    private UsedTime run(Admin keys) throws IOException, InterruptedException {
        for (Actor actor : scenario.actors()) {
            all.add(player(keys, actor));
        }
        String workerKey =
                keys.createKey("bench-worker", null, Admin.Role.WORKER).secret();
        try (Fairlane workers = Fairlane.connect(url, workerKey)) {
            Worker.Builder builder =
                    Worker.of(workers).pool(Pool.MEDIUM).slots(scenario.slots()).handle(TYPE, byte[].class, this::work);
            Resources resources = scenario.resources();
            if (!resources.isNone()) {
                builder.resources(
                        new dev.fairlane.sdk.Resources(resources.cpuMillis(), resources.memoryMib(), resources.gpus()));
            }
            if (scenario.measuresWaits()) {
                warmUp(keys, builder);
            }
            // Who is there from the beginning has work before the first slot is free: nobody gets a start of an
            // hour-long job.
            for (Played played : all) {
                act(played);
            }
            Worker worker = builder.start().awaitConnected(PATIENCE);
            play();
            dumps.forEach(CompletableFuture::join);
            if (scenario.measuresWaits()) {
                awaitModest();
            }
            worker.kill();
        } finally {
            all.forEach(played -> played.client.close());
        }
        return used;
    }

    private Played player(Admin keys, Actor actor) throws IOException, InterruptedException {
        admin.send("PUT", "/v1/tenants/" + actor.name(), tenant(actor, actor.weight()));
        String key = keys.createKey("bench", actor.name(), Admin.Role.SUBMITTER).secret();
        admin.send(
                "PUT",
                "/v1/types/" + TYPE,
                "{\"tenant\":\"" + actor.name() + "\",\"pool\":\"" + Scenarios.POOL + "\",\"time_limit_ms\":86400000}");
        return new Played(actor, key, new Rest(url, key));
    }

    /** Waits are the machine's as long as neither the server nor this program is compiled: another tenant's jobs go the same ways first. */
    private void warmUp(Admin keys, Worker.Builder builder) throws IOException, InterruptedException {
        Actor actor = Actor.busy("warm-up", 0);
        Played played = player(keys, actor);
        Worker worker = builder.start().awaitConnected(PATIENCE);
        try (Rest client = played.client) {
            long end = System.nanoTime() + WARM_UP.toNanos();
            while (System.nanoTime() < end) {
                stream(played, NO_ACTOR, BATCH);
                for (int i = 0; i < CALLS; i++) {
                    submit(played, NO_ACTOR, 1);
                }
            }
        } finally {
            worker.close();
        }
    }

    /** Who would wait for ever is counted too. */
    private void awaitModest() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (Played played : all) {
            if (played.actor.isModest()) {
                while (played.waiting.get() > 0 && System.nanoTime() < end) {
                    LockSupport.parkNanos(LOOK_NANOS);
                }
                for (int left = played.waiting.get(); left > 0; left--) {
                    used.waited(played.actor.name(), PATIENCE.toNanos() / 1_000);
                }
            }
        }
    }

    private void play() throws IOException, InterruptedException {
        Deque<Scenario.Event> events = new ArrayDeque<>(scenario.events().stream()
                .sorted(Comparator.comparingInt(Scenario.Event::second))
                .toList());
        begin = System.nanoTime();
        book();
        while (seconds() < scenario.seconds()) {
            while (!events.isEmpty() && events.getFirst().second() <= seconds()) {
                happen(events.removeFirst());
            }
            for (Played played : all) {
                act(played);
            }
            if (System.nanoTime() - bookedAt > BOOK_NANOS) {
                book();
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        book();
    }

    /** Of the scenario; 0 until it has begun. */
    private double seconds() {
        return begin == 0 ? 0 : (System.nanoTime() - begin) / 1e9 * pace;
    }

    // ---- actors

    private void act(Played played) throws IOException, InterruptedException {
        Actor actor = played.actor;
        double now = seconds();
        if (now < actor.beginsAt()) {
            return;
        }
        int wanted = 0;
        if (!played.begun) {
            played.begun = true;
            played.nextAt = now;
            if (actor.atOnce() > 0) {
                dump(played, actor.atOnce() / pace);
            }
        }
        for (; actor.perSecond() > 0 && played.nextAt <= now; wanted++) {
            played.nextAt += -Math.log(1 - random.nextDouble()) / actor.perSecond();
        }
        if (actor.keep() > 0) {
            wanted += Math.max(0, keep(actor) - played.waiting.get());
        }
        for (int left = wanted; left > 0; left -= BATCH) {
            submit(played, all.indexOf(played), Math.min(left, BATCH));
        }
    }

    /** Beside the others, who must not wait in this process for what they are to wait for in the server. */
    private void dump(Played played, int count) {
        int place = all.indexOf(played);
        dumps.add(CompletableFuture.runAsync(
                () -> {
                    stream(played, place, count);
                    played.waiting.addAndGet(count);
                },
                command -> Thread.ofPlatform().name("dump").start(command)));
    }

    /** By the SDK's bulk stream, as anybody would who has that many, as fast as the highest rate that a tier states lets it. */
    private void stream(Played played, int place, int count) {
        try (Fairlane client = Fairlane.connect(url, played.key);
                SubmitStream stream = client.submitter().batchSize(BATCH).open()) {
            long started = System.nanoTime();
            for (int i = 0; i < count; i++) {
                if (i % BATCH == 0) {
                    LockSupport.parkNanos(started + i * 1_000_000_000L / Tier.PRO.submitRate() - System.nanoTime());
                }
                stream.submit(Job.raw(TYPE, JSON.writeValueAsBytes(order(place)), Payload.JSON));
            }
        }
    }

    private static ObjectNode order(int place) {
        return JSON.createObjectNode().put("actor", place).put("at", System.nanoTime());
    }

    /** Enough that it has something waiting until somebody looks again, had it all slots. One of a crowd never has that many. */
    private int keep(Actor actor) {
        boolean oneOfMany = actor.keep() < scenario.slots();
        return oneOfMany ? actor.keep() : (int) Math.max(actor.keep(), scenario.slots() * GAP_MILLIS / millis(actor));
    }

    private long millis(Actor actor) {
        return Math.max(LEAST_MILLIS, actor.millis() / pace);
    }

    private void submit(Played played, int place, int count) throws IOException, InterruptedException {
        ObjectNode body = JSON.createObjectNode();
        ArrayNode jobs = body.putArray("jobs");
        for (int i = 0; i < count; i++) {
            ObjectNode job = jobs.addObject();
            job.put("type", TYPE);
            if (played.actor.priority() >= 0) {
                job.put("priority", played.actor.priority());
            }
            needs(played, job);
            job.set("payload", order(place));
        }
        JsonNode answer = played.client.send("POST", "/v1/jobs:batch", JSON.writeValueAsString(body));
        JsonNode items = answer.path("items");
        for (JsonNode item : items) {
            if (item.path("id").asString("").isEmpty()) {
                throw new IllegalStateException("expected the job to be taken, but got " + item);
            }
        }
        if (items.size() != count) {
            throw new IllegalStateException("expected " + count + " answers, but got " + items.size());
        }
        played.waiting.addAndGet(count);
    }

    private static void needs(Played played, ObjectNode job) {
        JobNeeds needs = played.actor.needs();
        if (played.actor.keys() > 0) {
            played.fairKey = (played.fairKey + 1) % played.actor.keys();
            job.put("fair_key", "key-" + played.fairKey);
        }
        if (!needs.demand().isNone()) {
            job.putObject("demand")
                    .put("cpu_millis", needs.demand().cpuMillis())
                    .put("memory_mib", needs.demand().memoryMib())
                    .put("gpus", needs.demand().gpus());
        }
    }

    private static String tenant(Actor actor, int weight) {
        TenantRules rules = actor.rules();
        ObjectNode body = JSON.createObjectNode();
        body.put("tier", rules.tier().name().toLowerCase(Locale.ROOT));
        body.put("weight", weight);
        body.put("submit_rate", NO_BOUND);
        ObjectNode inFlight = body.putObject("in_flight");
        rules.inFlight().forEach(inFlight::put);
        ObjectNode reserved = body.putObject("reserved");
        rules.reserved().forEach(reserved::put);
        return JSON.writeValueAsString(body);
    }

    private void happen(Scenario.Event event) throws IOException, InterruptedException {
        for (Played played : all) {
            if (played.actor.name().equals(event.actor())) {
                String paused = "{\"kind\":\"tenant\",\"name\":\"" + event.actor() + "\"}";
                switch (event.what()) {
                    case PAUSE -> admin.send("POST", "/v1/pauses", paused);
                    case RESUME -> admin.send("POST", "/v1/pauses:end", paused);
                    case WEIGH ->
                        admin.send("PUT", "/v1/tenants/" + event.actor(), tenant(played.actor, event.amount()));
                }
            }
        }
    }

    // ---- jobs

    private @Nullable Object work(JobContext context, byte[] payload) throws InterruptedException {
        JsonNode order = JSON.readTree(payload);
        int place = order.path("actor").asInt();
        if (place == NO_ACTOR) {
            return null;
        }
        Played played = all.get(place);
        if (context.firstAttempt()) {
            played.waiting.decrementAndGet();
            long at = order.path("at").asLong();
            if (begin != 0 && (at - begin) / 1e9 * pace > Scenario.WAITS_FROM) {
                used.waited(played.actor.name(), (System.nanoTime() - at) / 1_000);
            }
        }
        ThreadLocalRandom chance = ThreadLocalRandom.current();
        Thread.sleep(Math.max(LEAST_MILLIS, (long) (millis(played.actor) * (0.5 + chance.nextDouble()))));
        if (chance.nextInt(100) < played.actor.failing()) {
            throw new IllegalStateException("planned");
        }
        return null;
    }

    /** What every tenant used since the last look, by the server's own book. */
    private void book() throws IOException, InterruptedException {
        long now = System.nanoTime();
        Map<String, Double> slotSeconds = new HashMap<>();
        for (JsonNode tenant : admin.send("GET", "/v1/status", "").path("tenants")) {
            slotSeconds.put(
                    tenant.path("tenant").asString(),
                    tenant.path("slot_seconds").asDouble());
        }
        for (Played played : all) {
            double total =
                    Math.max(played.slotSeconds, slotSeconds.getOrDefault(played.actor.name(), played.slotSeconds));
            if (bookedAt != 0 && now > bookedAt) {
                double slots = (total - played.slotSeconds) / ((now - bookedAt) / 1e9);
                used.ran(played.actor.name(), slots, (bookedAt - begin) / 1_000, (now - begin) / 1_000);
            }
            played.slotSeconds = total;
        }
        bookedAt = now;
    }
}
