package dev.fairlane.bench.run;

import dev.fairlane.bench.peers.Contender;
import dev.fairlane.bench.peers.Promises;
import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.rig.Child;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

/** Fairlane among its peers: everything as it is when it is measured alone. */
final class OwnContender implements Contender {
    private static final int CLIENTS = 8;
    private static final int FILL_BATCH = 1_000;

    private static final Promises PROMISES = new Promises(
            "every finished job kept for 90 days with its payload, attempts and result (the default)",
            "after 10 seconds (its lease)",
            "at least once, ends are fenced by the lease's token",
            "shares by weight between tenants, limits, audit",
            "a server process, whose time and memory are on the same machine");

    private final Stage stage;
    private final String version;
    private final long drainJobs;

    /** @param version the commit */
    OwnContender(Stage stage, String version, long drainJobs) {
        this.stage = stage;
        this.version = version;
        this.drainJobs = drainJobs;
    }

    @Override
    public String name() {
        return "fairlane";
    }

    @Override
    public boolean java() {
        return true;
    }

    @Override
    public Figures described() {
        return new Figures()
                .put("version", version)
                .put(
                        "tuned",
                        "defaults; worker with 4000 slots, bulk stream of 100 a message, single submits by 8 virtual threads of one client, one carrier")
                .putAll(PROMISES.figures())
                .put("drain_jobs", drainJobs)
                .put("language", "Java");
    }

    @Override
    public void warmUp(int seconds) throws InterruptedException {
        stage.startWorker();
        stage.warmUp(seconds);
        submitSingly(seconds);
        stage.stopWorker();
    }

    @Override
    public double throughput(Duration window) throws InterruptedException {
        stage.startWorker();
        double rate = Stretch.of(stage, "", window).jobsPerSecond();
        stage.stopWorker();
        return rate;
    }

    @Override
    public Drained drain() throws IOException, InterruptedException {
        stage.fill(drainJobs, " batch=" + FILL_BATCH);
        stage.acceptLater(drainJobs);
        long begin = System.nanoTime();
        stage.startWorker();
        double seconds = (stage.awaitFinished() - begin) / 1e9;
        stage.settle();
        double settled = (System.nanoTime() - begin) / 1e9;
        stage.stopWorker();
        return new Drained(drainJobs / seconds, drainJobs / settled);
    }

    @Override
    public void settle() throws IOException, InterruptedException {
        stage.rest();
    }

    @Override
    public double single(int seconds) {
        stage.startWorker();
        double rate = submitSingly(seconds);
        stage.stopWorker();
        return rate;
    }

    /** Threads with one client, as the others' threads share one library and its connections. */
    private double submitSingly(int seconds) {
        JsonNode answer = stage.ask(stage.client(), "single shared=1 clients=" + CLIENTS + " seconds=" + seconds);
        stage.accept(answer.get("submit_count").longValue());
        return answer.get("jobs_per_s").doubleValue();
    }

    @Override
    public Pickups pickupP99(int rate, int seconds) {
        stage.startWorker();
        double apart = pickup(stage.client(), "", rate, seconds);
        double together = pickup(stage.worker(), " key=" + stage.clientKey(), rate, seconds);
        stage.stopWorker();
        return new Pickups(apart, OptionalDouble.of(together));
    }

    private double pickup(Child offering, String key, int rate, int seconds) {
        offer(offering, key, rate, RUN_UP_SECONDS);
        stage.ask(stage.worker(), "time pickup=on");
        offer(offering, key, rate, seconds);
        return stage.ask(stage.worker(), "time pickup=off").get("pickup_p99_ms").doubleValue();
    }

    private void offer(Child offering, String key, int rate, int seconds) {
        JsonNode offered = stage.ask(offering, "offer rate=" + rate + " seconds=" + seconds + key);
        stage.accept(offered.get("offered").longValue());
        stage.awaitFinished();
    }

    @Override
    public void close() {
        stage.close();
    }
}
