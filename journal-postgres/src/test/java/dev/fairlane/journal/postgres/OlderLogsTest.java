package dev.fairlane.journal.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.journal.ContractNode;
import dev.fairlane.journal.FactCodec;
import dev.fairlane.journal.FlushDraft;
import dev.fairlane.journal.HashChain;
import dev.fairlane.journal.LogId;
import dev.fairlane.journal.Recovered;
import dev.fairlane.journal.SampleJobs;
import dev.fairlane.journal.postgres.embedded.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A log that was written before flushes could leave jobs out is read as it was meant, and its writer may go on until it is closed. */
class OlderLogsTest {
    private static final String BEFORE_LEFT_OUT_JOBS = "17";
    private static final LogId LOG = new LogId(1);

    private final SampleJobs jobs = new SampleJobs(System.currentTimeMillis() * 1000, 1);
    private final TestDatabase database = MigratedDatabase.older(BEFORE_LEFT_OUT_JOBS);
    private final HashChain chain = new HashChain(HashChain.genesis(LOG, new byte[0]));
    private Connection connection;

    @BeforeEach
    void connectOlder() throws SQLException {
        connection = database.connect();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        database.close();
    }

    private PostgresJournal connect() {
        return PostgresJournal.connect(PostgresConfig.of(database.jdbcUrl(), database.user(), database.password()));
    }

    private void openAsOlder(LogId log, byte[] genesis) throws SQLException {
        openAs(2, log, genesis);
    }

    private void openAs(int format, LogId log, byte[] genesis) throws SQLException {
        try (PreparedStatement open = connection.prepareStatement(
                "INSERT INTO fairlane.log (epoch, node, genesis, format) VALUES (?, 'old', ?, ?)")) {
            open.setInt(1, (int) log.epoch());
            open.setBytes(2, genesis);
            open.setInt(3, format);
            open.executeUpdate();
        }
    }

    private void append(int sequence, Fact... facts) throws SQLException {
        byte[] bytes = new FactCodec().encode(List.of(facts), 1);
        try (PreparedStatement append =
                connection.prepareStatement("SELECT fairlane.append(1, ?, 0, ?, ARRAY[?::bytea])")) {
            append.setLong(1, sequence);
            append.setBytes(2, chain.extend(bytes));
            append.setBytes(3, bytes);
            append.execute();
        }
    }

    /** Its rows aside. */
    private void flushAsOlder(int upTo, int ring) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "SELECT fairlane.end_flush(1, " + upTo + ", nextval('fairlane.flush_number'), 0, 1, " + ring + ")");
        }
    }

    private Fact.JobAdded added(JobSpec spec) {
        return new Fact.JobAdded(spec, jobs.queued());
    }

    @Test
    void of_an_older_log_only_what_is_behind_its_position_is_told() throws SQLException {
        Fact.JobAdded tail = added(jobs.spec());
        openAsOlder(LOG, chain.head());
        flushAsOlder(0, 0);
        append(1, added(jobs.spec()));
        flushAsOlder(1, 0);
        append(2, added(jobs.spec()));
        flushAsOlder(2, 1);
        append(3, tail);

        try (PostgresJournal journal = connect()) {
            Recovered recovered = new ContractNode(journal, "a").recovered;
            assertThat(recovered.leftOut).isEmpty();
            assertThat(recovered.tail).containsExactly(tail);
        }
        assertThat(positions()).isEqualTo("{\"0 1\",\"1 2\",\"2 3\"}");
    }

    private String positions() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT array_agg(up_to || ' ' || kept_from ORDER BY up_to)::text FROM fairlane.flush")) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Test
    void an_older_log_that_was_never_flushed_is_told_whole() throws SQLException {
        Fact.JobAdded one = added(jobs.spec());
        openAsOlder(LOG, chain.head());
        append(1, one);

        try (PostgresJournal journal = connect()) {
            ContractNode node = new ContractNode(journal, "a");
            assertThat(node.recovered.tail).containsExactly(one);
            node.append();
            node.flush(new FlushDraft().added(one.spec(), one.status()));
        }
        try (PostgresJournal journal = connect()) {
            Recovered recovered = new ContractNode(journal, "b").recovered;
            assertThat(recovered.tail).isEmpty();
            assertThat(recovered.open).containsOnlyKeys(one.spec().id());
        }
    }

    @Test
    void an_older_version_opens_no_log_any_more_and_closes_nobodys() throws SQLException {
        openAsOlder(LOG, chain.head());
        try (PostgresJournal journal = connect()) {
            ContractNode node = new ContractNode(journal, "a");

            for (int format : List.of(2, 3)) {
                assertThatThrownBy(() -> openAs(format, new LogId(3), chain.head()))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("log_format_known");
            }
            node.append();
            node.flush(new FlushDraft());
        }
    }

    @Test
    void the_writer_of_an_older_log_goes_on_until_its_log_is_closed() throws SQLException {
        openAsOlder(LOG, chain.head());
        append(1);
        connect().close();

        flushAsOlder(1, 0);

        assertThat(positions()).isEqualTo("{\"1 2\"}");
    }
}
