package dev.fairlane.bench.run;

import dev.fairlane.bench.load.ClientMain;
import dev.fairlane.bench.load.WorkerMain;
import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.rig.Child;
import dev.fairlane.bench.rig.PostgresProbe;
import dev.fairlane.bench.rig.Rest;
import dev.fairlane.bench.rig.Rig;
import dev.fairlane.bench.rig.RunningServer;
import dev.fairlane.sdk.Admin;
import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.TenantRules;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/** A server with one tenant, one worker process and one client process, ready for the canonical workload. */
final class Stage implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofMinutes(15);
    static final String TENANT = "bench";
    private static final String LAG = "fairlane_projection_lag_batches";
    private static final Duration LOOK = Duration.ofMillis(100);

    /** Slower than this nothing is finished that is worth measuring; how long a backlog may take follows from it. */
    private static final long SLOWEST_JOBS_PER_S = 5_000;

    private static final long FINISH_SECONDS_MIN = 240;
    private static final Duration GRACE = Duration.ofSeconds(60);

    private final Options options;
    private final Rig rig;
    private RunningServer server;
    private final Fairlane fairlane;
    private final Admin admin;
    private final Child worker;
    private final String clientKey;
    private final Child client;
    private long accepted;

    private Stage(Options options, Rig rig, RunningServer server) {
        this.options = options;
        this.rig = rig;
        this.server = server;
        this.fairlane = Fairlane.connect(server.url(), server.adminKey());
        this.admin = fairlane.admin();
        String tally = rig.folder().resolve("tally").toString();
        this.worker = rig.start(
                "worker", options.load().workerJvm(), WorkerMain.class, List.of(server.url(), workerKey(), tally));
        this.clientKey = keyOf(TENANT);
        this.client = rig.start(
                "client", options.load().clientJvm(), ClientMain.class, List.of(server.url(), clientKey, tally));
    }

    static Stage set(Options options) {
        Rig rig = Rig.prepare(options.programs(), options.settings());
        boolean done = false;
        try {
            Progress.say("starting the server in %s", rig.folder());
            Stage stage = new Stage(options, rig, rig.startServer());
            done = true;
            return stage;
        } finally {
            if (!done) {
                rig.close();
            }
        }
    }

    /** What the client submits with. */
    String clientKey() {
        return clientKey;
    }

    /** Jobs of one message of the bulk stream. */
    int batch() {
        return options.load().batch();
    }

    Rig rig() {
        return rig;
    }

    RunningServer server() {
        return server;
    }

    Child worker() {
        return worker;
    }

    Child client() {
        return client;
    }

    /** Makes the tenant if need be, one that may submit as fast as it can; the key may submit for it. */
    String keyOf(String tenant) {
        return keyOf(tenant, rules -> rules);
    }

    /** @param more what else its rules say */
    String keyOf(String tenant, UnaryOperator<TenantRules.Builder> more) {
        TenantRules.Builder rules =
                TenantRules.builder().tier(TenantRules.Tier.ENTERPRISE).weight(10);
        admin.putTenant(tenant, more.apply(rules).build());
        return admin.createKey("bench", tenant, Admin.Role.SUBMITTER).secret();
    }

    /** A new key for a worker of all tenants. */
    String workerKey() {
        return admin.createKey("bench-worker", null, Admin.Role.WORKER).secret();
    }

    /** Starts the server again, after it was stopped or killed. */
    void startServerAgain() {
        server = rig.startServer();
    }

    void startWorker() {
        worker.ask("start slots=" + options.load().slots(), PATIENCE);
    }

    void stopWorker() {
        worker.ask("stop", PATIENCE);
    }

    JsonNode ask(Child child, String order) {
        return child.ask(order, PATIENCE);
    }

    void flood() {
        flood("");
    }

    /** @param more words of the order */
    void flood(String more) {
        client.ask(
                "flood bound=" + options.load().bound() + " batch="
                        + options.load().batch() + " window=" + options.load().window() + more,
                PATIENCE);
    }

    /** Ends the flood and waits until every accepted job is finished. */
    JsonNode calm() {
        JsonNode answer = pause();
        awaitFinished();
        return answer;
    }

    /** Ends the flood; what waits goes on waiting. */
    JsonNode pause() {
        JsonNode answer = client.ask("pause", PATIENCE);
        if (answer.get("accepted").longValue() != answer.get("submitted").longValue()) {
            throw new IllegalStateException("expected all " + answer.get("submitted") + " jobs to be accepted, but "
                    + answer.get("accepted") + " were; the first that was not: "
                    + answer.get("refusal").asString());
        }
        acceptLater(answer.get("fresh").longValue());
        return answer;
    }

    /** Jobs more that the worker has to finish; waits for it. */
    void accept(long jobs) {
        accepted += jobs;
        awaitFinished();
    }

    /** Jobs more, without waiting. */
    void acceptLater(long jobs) {
        accepted += jobs;
    }

    /** @return when the last was acked, nanoseconds of the machine's clock */
    long awaitFinished() {
        long seconds = secondsFor(accepted - acked());
        return worker.ask(
                        "await acked=" + accepted + " seconds=" + seconds,
                        Duration.ofSeconds(seconds).plus(GRACE))
                .get("at")
                .longValue();
    }

    /** How long so many jobs may take, submitted or finished: ten million are not done in the minutes that a flood takes. */
    static long secondsFor(long jobs) {
        return Math.max(FINISH_SECONDS_MIN, jobs / SLOWEST_JOBS_PER_S);
    }

    /** Submits so many of the client's tenant, or of those whose keys are in a file, and waits for no worker. */
    JsonNode fill(long jobs, String more) {
        return client.ask(
                "fill jobs=" + jobs + more, Duration.ofSeconds(secondsFor(jobs)).plus(GRACE));
    }

    /** Finished since the stage was set. */
    long acked() {
        return worker.ask("counts", PATIENCE).get("acked").longValue();
    }

    long accepted() {
        return accepted;
    }

    /** Waits until the tables have all that was accepted: what the server still has to write is no part of what comes next. */
    void settle() throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        try (Rest rest = new Rest(server.url(), server.adminKey())) {
            while (rest.text("/metrics")
                    .lines()
                    .filter(line -> line.startsWith(LAG))
                    .anyMatch(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))) > 0)) {
                if (System.nanoTime() - end > 0) {
                    throw new IllegalStateException("the tables did not catch up in " + PATIENCE);
                }
                Progress.pause(LOOK);
            }
        }
    }

    /** Nothing is left to do in the background that whoever is measured next would pay for: dead rows, dirty pages. */
    void rest() throws IOException, InterruptedException {
        settle();
        try (PostgresProbe database = server.database()) {
            database.execute("vacuum (analyze, skip_locked)");
            database.execute("checkpoint");
        }
    }

    void warmUp(int seconds) throws InterruptedException {
        Progress.say("warming up for %d s", seconds);
        flood();
        Progress.pause(Duration.ofSeconds(seconds));
        calm();
    }

    /** Of the whole stage, for the result. */
    Figures settings() {
        try (PostgresProbe database = server.database()) {
            return options.describe()
                    .put(
                            "postgres",
                            new Figures().put("version", database.version()).putAll(database.settings()));
        }
    }

    void succeeded() {
        rig.succeeded();
    }

    @Override
    public void close() {
        fairlane.close();
        rig.close();
    }
}
