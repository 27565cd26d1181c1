package dev.fairlane.bench.run;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.report.Statistics;
import dev.fairlane.bench.rig.PostgresProbe;
import dev.fairlane.bench.rig.PostgresProbe.Access;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Throughput while somebody holds a transaction open: its snapshot keeps vacuum from removing anything, and a queue that updates and deletes
 * its rows gets slower from minute to minute. Two servers, each with a PostgreSQL of its own, work in turns of seconds, so that what
 * the machine does meanwhile hits both, and who begins a pair of turns changes; on one of them the snapshot is held from the first turn to
 * the last.
 */
public final class HeldSnapshot implements Benchmark {
    private static final int SLICE_SECONDS = 20;
    private static final int LAST_SECONDS = 60;
    private static final Duration SETTLE = Duration.ofMillis(2_500);

    @Override
    public Figures run(Options options, List<String> arguments) throws Exception {
        int seconds = options.secondsOrMinutes(5);
        int slice = Math.clamp(seconds / 3, 3, SLICE_SECONDS);
        int slices = Math.max(1, seconds / slice);
        Duration window = Duration.ofSeconds(slice).minus(Stretch.RAMP);
        List<Double> clean = new ArrayList<>();
        List<Double> held = new ArrayList<>();
        try (Stage other = Stage.set(options);
                Stage stage = Stage.set(options);
                PostgresProbe database = stage.server().database()) {
            for (Stage each : List.of(other, stage)) {
                each.startWorker();
                each.warmUp(options.warmUp(15));
            }
            try (Snapshot snapshot = Snapshot.hold(database.access())) {
                for (int i = 0; i < slices; i++) {
                    boolean cleanFirst = i % 2 == 0;
                    double first =
                            Stretch.of(cleanFirst ? other : stage, "", window).jobsPerSecond();
                    double second =
                            Stretch.of(cleanFirst ? stage : other, "", window).jobsPerSecond();
                    clean.add(cleanFirst ? first : second);
                    held.add(cleanFirst ? second : first);
                    Progress.say(
                            "%d of %d: without %,.0f, with the snapshot %,.0f jobs/s",
                            i + 1, slices, clean.getLast(), held.getLast());
                }
                Progress.pause(SETTLE);
                PostgresProbe.Tuples tuples = database.tuples();
                Figures figures = figures(clean, held, slice)
                        .put("dead_tuples", tuples.dead())
                        .put("updated_tuples", tuples.updated())
                        .put("snapshot_held_s", snapshot.seconds())
                        .put("transactions_since_snapshot", snapshot.age(database))
                        .put("settings", stage.settings());
                other.succeeded();
                stage.succeeded();
                return figures;
            }
        }
    }

    /** The two turns of a pair lie seconds apart, so their ratio is steadier than either: what counts is the median of those. */
    static Figures figures(List<Double> clean, List<Double> held, int sliceSeconds) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < held.size(); i++) {
            ratios.add(held.get(i) / clean.get(i));
        }
        return new Figures()
                .put("ratio_to_clean", Statistics.median(lastOf(ratios, sliceSeconds)))
                .put("ratio_to_clean_all", Statistics.median(ratios))
                .put("jobs_per_s", Statistics.median(lastOf(held, sliceSeconds)))
                .put("clean_jobs_per_s", Statistics.median(lastOf(clean, sliceSeconds)))
                .putRounds("ratio_to_clean_by_slice", ratios)
                .putRounds("held_jobs_per_s_by_slice", held)
                .putRounds("clean_jobs_per_s_by_slice", clean)
                .put("slice_s", sliceSeconds);
    }

    /** The slices of the last minute. */
    static List<Double> lastOf(List<Double> slices, int sliceSeconds) {
        int count = Math.clamp(LAST_SECONDS / sliceSeconds, 1, slices.size());
        return slices.subList(slices.size() - count, slices.size());
    }

    /** A transaction that reads nothing of Fairlane's, holds no lock on its tables and does not end. */
    private static final class Snapshot implements AutoCloseable {
        private final Connection connection;
        private final long pid;
        private final long begin = System.nanoTime();

        private Snapshot(Connection connection, long pid) {
            this.connection = connection;
            this.pid = pid;
        }

        static Snapshot hold(Access access) throws SQLException {
            Connection connection =
                    DriverManager.getConnection(access.url("fairlane"), access.user(), access.password());
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("select pg_backend_pid(), pg_current_xact_id()")) {
                rows.next();
                return new Snapshot(connection, rows.getLong(1));
            }
        }

        double seconds() {
            return (System.nanoTime() - begin) / 1e9;
        }

        /**
         * Transactions that began since, which vacuum may not clean up after.
         *
         * @throws IllegalStateException if nothing is held any more, and the run proves nothing
         */
        long age(PostgresProbe database) {
            long age = database.number(
                    "select coalesce(max(age(backend_xmin)), -1) from pg_stat_activity where pid = " + pid);
            if (age < 0) {
                throw new IllegalStateException("expected the snapshot to be held to the end, but it is gone");
            }
            return age;
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}
