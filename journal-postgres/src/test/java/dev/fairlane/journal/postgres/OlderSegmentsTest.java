package dev.fairlane.journal.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.core.model.JobSpec;
import dev.fairlane.journal.ContractNode;
import dev.fairlane.journal.FlushDraft;
import dev.fairlane.journal.RowCodec;
import dev.fairlane.journal.SampleJobs;
import dev.fairlane.journal.postgres.embedded.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A segment that was filled before there were bundles goes on with them. */
class OlderSegmentsTest {
    private static final String BEFORE_BUNDLES = "16";

    private final SampleJobs jobs = new SampleJobs(System.currentTimeMillis() * 1000, 1);
    private final TestDatabase database = MigratedDatabase.older(BEFORE_BUNDLES);

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void jobs_of_an_older_segment_are_read_and_others_join_them() throws SQLException {
        JobSpec old = jobs.spec();
        store(old);

        try (PostgresJournal journal = connect()) {
            ContractNode node = new ContractNode(journal, "a");
            assertThat(node.recovered.open).containsOnlyKeys(old.id());
            FlushDraft draft = new FlushDraft();
            for (int i = 0; i < 10; i++) {
                draft.added(jobs.spec(), jobs.queued());
            }
            node.append();
            assertThat(node.flush(draft)).isEqualTo(1);
        }
        try (PostgresJournal journal = connect()) {
            assertThat(new ContractNode(journal, "b").recovered.open).hasSize(11);
        }
    }

    private PostgresJournal connect() {
        return PostgresJournal.connect(PostgresConfig.of(database.jdbcUrl(), database.user(), database.password()));
    }

    /** As the version before would have. */
    private void store(JobSpec spec) throws SQLException {
        RowCodec codec = new RowCodec();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(Sql.on("make_slot", "job_open_0"));
            statement.execute("CREATE INDEX job_open_0_id ON fairlane.job_open_0 (id) WHERE id IS NOT NULL");
            statement.execute(
                    "INSERT INTO fairlane.open_slot (slot, segment, indexed) VALUES (0, nextval('fairlane.open_segment'), true)");
            try (PreparedStatement insert = connection.prepareStatement(
                    "INSERT INTO fairlane.job_open_0 (number, id, tenant, type, spec, status, payload) VALUES (1, ?, ?, ?, ?, ?, ?)")) {
                insert.setObject(1, Ids.uuid(spec.id()));
                insert.setInt(2, spec.tenant().number());
                insert.setString(3, spec.type());
                insert.setBytes(4, codec.encodeSpecExtras(spec));
                insert.setBytes(5, codec.encodeStatus(jobs.queued()));
                insert.setBytes(6, spec.payload().bytes());
                insert.executeUpdate();
            }
        }
    }

    @Test
    void a_version_that_says_no_format_opens_no_log_and_closes_nobodys() throws SQLException {
        try (PostgresJournal journal = connect();
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            ContractNode node = new ContractNode(journal, "a");
            assertThatThrownBy(
                            () -> statement.execute(
                                    "INSERT INTO fairlane.log (epoch, node, genesis) VALUES (4000000, 'old', repeat('x', 32)::bytea)"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("format");
            node.append();
        }
    }
}
