package dev.fairlane.bench.run;

import dev.fairlane.bench.floor.RawWriting;
import dev.fairlane.bench.floor.RawWriting.Cut;
import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.rig.PostgresProbe;
import dev.fairlane.bench.rig.Rig;
import dev.fairlane.journal.postgres.PostgresConfig;
import dev.fairlane.journal.postgres.PostgresJournal;
import dev.fairlane.journal.postgres.embedded.EmbeddedPostgres;
import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;

/** The raw limit, alone or beside something else that is measured on the same PostgreSQL. */
final class Floor implements AutoCloseable {
    private static final String DATABASE = "floor";
    private static final Duration RAMP = Duration.ofSeconds(2);

    private static final Cut CUT = new Cut(1_000, 1);

    private final PostgresConfig config;
    private final PostgresJournal journal;
    private final RawWriting writing;

    private Floor(PostgresConfig config) {
        this.config = config;
        this.journal = PostgresJournal.connect(config);
        this.writing = RawWriting.on(journal);
    }

    /** In a database of its own of the server that the probe looks into. */
    static Floor beside(PostgresProbe probe) {
        probe.execute("create database " + DATABASE);
        PostgresProbe.Access access = probe.access();
        return new Floor(PostgresConfig.of(access.url(DATABASE), access.user(), access.password()));
    }

    /** @return jobs a second */
    double run(Duration ramp, Duration window) throws InterruptedException, ExecutionException {
        return writing.run(CUT, ramp, window);
    }

    /** Written in all. */
    long jobs() {
        return writing.jobs();
    }

    /**
     * Counts what is there against what was claimed: a floor that writes nothing would be fast.
     *
     * @throws IllegalStateException if the history does not hold exactly that
     */
    void verify() {
        try (Connection connection = DriverManager.getConnection(config.jdbcUrl(), config.user(), config.password());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from fairlane.job_done")) {
            rows.next();
            if (rows.getLong(1) != writing.jobs()) {
                throw new IllegalStateException(
                        "expected " + writing.jobs() + " rows of the floor, but there are " + rows.getLong(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException("cannot count the rows of the floor", e);
        }
    }

    @Override
    public void close() {
        journal.close();
    }

    /**
     * {@code bench floor}: on an embedded PostgreSQL as the server would start it.
     *
     * @param arguments cuts to try in turns, the first of which is the figure
     */
    static Figures alone(Options options, List<String> arguments) throws Exception {
        int rounds = options.rounds(3);
        Duration window = Duration.ofSeconds(Math.max(3, options.seconds(30) / rounds));
        Path parent = Files.createDirectories(options.programs().root().resolve("bench/target/rig"));
        Path home = Files.createTempDirectory(parent, "floor-");
        List<Cut> cuts = arguments.isEmpty()
                ? List.of(CUT)
                : arguments.stream().map(Cut::parse).toList();
        Map<Cut, List<Double>> rates = new LinkedHashMap<>();
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(EmbeddedPostgresConfig.at(home));
                Floor floor = new Floor(PostgresConfig.of(postgres.jdbcUrl(), postgres.user(), postgres.password()))) {
            floor.run(RAMP, Duration.ofSeconds(options.warmUp(5)));
            for (int round = 0; round < rounds; round++) {
                for (Cut cut : cuts) {
                    double rate = floor.writing.run(cut, RAMP, window);
                    rates.computeIfAbsent(cut, c -> new ArrayList<>()).add(rate);
                    Progress.say("round %d, %s: %,.0f jobs/s", round + 1, cut, rate);
                }
            }
            floor.verify();
        } finally {
            Rig.delete(home);
        }
        Figures byCut = new Figures();
        rates.forEach((cut, values) -> byCut.putMedian(cut.toString(), values));
        return new Figures()
                .putMedian("jobs_per_s", Objects.requireNonNull(rates.get(cuts.getFirst())))
                .put("jobs_per_s_by_cut", byCut);
    }
}
