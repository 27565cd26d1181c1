package dev.fairlane.bench.peers;

import dev.fairlane.bench.peers.Fetching.Access;
import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.rig.Child;
import dev.fairlane.bench.rig.RigException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

/** A peer, with a client and a worker process as Fairlane has them. */
final class LibraryContender implements Contender {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration RAMP = Duration.ofSeconds(2);
    private static final int CLIENTS = 8;
    /** What a slow one has not finished by then is taken from it; not timed. */
    private static final int FINISH_SECONDS = 15;

    private static final int DRAIN_SECONDS = 20;
    /** A slow one has run few jobs when a fast one's code is long compiled. */
    private static final int JAVA_WARM_UP = 2;

    private final Peer peer;
    private final String version;
    private final Access access;
    private final Child client;
    private final Child worker;
    /** What the worker will have finished when everything submitted is done. */
    private long accepted;

    private LibraryContender(Peer peer, String version, Access access, Child client, Child worker) {
        this.peer = peer;
        this.version = version;
        this.access = access;
        this.client = client;
        this.worker = worker;
    }

    /** @param folder for logs and the tally */
    static LibraryContender start(Peer peer, Fetching fetching, Access access, Path folder) {
        Path tally = folder.resolve(peer.identifier() + "-tally");
        String version = fetching.version(peer);
        Child client = Child.launch(peer.identifier() + "-client", fetching.command(peer, access, tally), folder);
        boolean done = false;
        try {
            client.ask("prepare", PATIENCE);
            Child worker = Child.launch(peer.identifier() + "-worker", fetching.command(peer, access, tally), folder);
            done = true;
            return new LibraryContender(peer, version, access, client, worker);
        } finally {
            if (!done) {
                client.close();
            }
        }
    }

    @Override
    public String name() {
        return peer.name();
    }

    @Override
    public boolean java() {
        return peer.java();
    }

    @Override
    public Figures described() {
        return peer.described(version);
    }

    @Override
    public void warmUp(int seconds) throws InterruptedException {
        worker.ask("start", PATIENCE);
        flood(Duration.ofSeconds(peer.java() ? JAVA_WARM_UP * (long) seconds : seconds));
        submitSingly(seconds);
        worker.ask("stop", PATIENCE);
    }

    @Override
    public double throughput(Duration window) throws InterruptedException {
        worker.ask("start", PATIENCE);
        double rate = flood(window);
        worker.ask("stop", PATIENCE);
        return rate;
    }

    private double flood(Duration window) throws InterruptedException {
        client.ask("flood bound=" + peer.load().bound() + peer.load().bulk(), PATIENCE);
        Progress.pause(RAMP);
        JsonNode begin = worker.ask("counts", PATIENCE);
        Progress.pause(window);
        JsonNode end = worker.ask("counts", PATIENCE);
        accepted += client.ask("pause", PATIENCE).get("submitted").longValue();
        finish();
        long finished = end.get("acked").longValue() - begin.get("acked").longValue();
        return finished * 1e9 / (end.get("at").longValue() - begin.get("at").longValue());
    }

    @Override
    public Drained drain() {
        long jobs = peer.load().drainJobs();
        client.ask("fill jobs=" + jobs + peer.load().bulk(), PATIENCE);
        // A table that was just filled has no statistics yet, and old rows may lie in front of it: not what is
        // measured.
        execute("vacuum analyze");
        long before = worker.ask("counts", PATIENCE).get("acked").longValue();
        accepted += jobs;
        long begin = System.nanoTime();
        worker.ask("start", PATIENCE);
        JsonNode end = worker.ask("await acked=" + accepted + " seconds=" + DRAIN_SECONDS, PATIENCE);
        double seconds = (end.get("at").longValue() - begin) / 1e9;
        double rate = (end.get("acked").longValue() - before) / seconds;
        worker.ask("stop", PATIENCE);
        if (end.get("acked").longValue() < accepted) {
            Progress.say("%s did not finish in %d s", peer.name(), DRAIN_SECONDS);
            clear();
        }
        return Drained.of(rate);
    }

    @Override
    public double single(int seconds) {
        worker.ask("start", PATIENCE);
        double rate = submitSingly(seconds);
        worker.ask("stop", PATIENCE);
        return rate;
    }

    private double submitSingly(int seconds) {
        JsonNode answer = client.ask("single clients=" + CLIENTS + " seconds=" + seconds, PATIENCE);
        accepted += answer.get("submit_count").longValue();
        finish();
        return answer.get("jobs_per_s").doubleValue();
    }

    @Override
    public Pickups pickupP99(int rate, int seconds) {
        worker.ask("start", PATIENCE);
        double apart = pickup(client, rate, seconds);
        OptionalDouble together =
                peer.load().embeddable() ? OptionalDouble.of(pickup(worker, rate, seconds)) : OptionalDouble.empty();
        worker.ask("stop", PATIENCE);
        return new Pickups(apart, together);
    }

    private double pickup(Child offering, int rate, int seconds) {
        offer(offering, rate, RUN_UP_SECONDS);
        worker.ask("time pickup=1", PATIENCE);
        offer(offering, rate, seconds);
        return worker.ask("time pickup=0", PATIENCE).get("pickup_p99_ms").doubleValue();
    }

    private void offer(Child offering, int rate, int seconds) {
        accepted += offering.ask("offer rate=" + rate + " seconds=" + seconds, PATIENCE)
                .get("offered")
                .longValue();
        finish();
    }

    @Override
    public void settle() {
        execute("vacuum analyze");
        execute("checkpoint");
    }

    /** Waits until nothing is open; what a slow one has not done by then is taken from it. */
    private void finish() {
        long acked = worker.ask("await acked=" + accepted + " seconds=" + FINISH_SECONDS, PATIENCE)
                .get("acked")
                .longValue();
        if (acked < accepted) {
            Progress.say("%s has %,d jobs left after %d s", peer.name(), accepted - acked, FINISH_SECONDS);
            worker.ask("stop", PATIENCE);
            clear();
            worker.ask("start", PATIENCE);
        }
    }

    private void clear() {
        execute(peer.clear());
        accepted = worker.ask("counts", PATIENCE).get("acked").longValue();
    }

    private void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(access.jdbcUrl(), access.user(), access.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new RigException("'" + sql + "' of " + peer.name() + " failed: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        worker.stop(Duration.ofSeconds(10));
        client.stop(Duration.ofSeconds(10));
    }
}
