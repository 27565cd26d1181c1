package dev.fairlane.journal.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.journal.ContractNode;
import dev.fairlane.journal.FlushDraft;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.Outcome;
import dev.fairlane.journal.Recovered;
import dev.fairlane.journal.Retention;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tables of the journal while flushes leave jobs out. */
class KeptBatchesTest extends JournalOnPostgres {
    private static final int JOBS_PER_BATCH = 20;

    private List<JobId> append(ContractNode node) {
        List<JobSpec> specs = new ArrayList<>();
        for (int i = 0; i < JOBS_PER_BATCH; i++) {
            specs.add(jobs.spec());
        }
        node.append(specs.stream()
                .map(spec -> new Fact.JobAdded(spec, jobs.queued()))
                .toArray(Fact[]::new));
        return specs.stream().map(JobSpec::id).toList();
    }

    private long first(Connection watch) throws SQLException {
        return number(watch, "SELECT coalesce(min(seq), 0) FROM fairlane.journal");
    }

    @Test
    void tables_with_kept_batches_stay_and_those_before_them_go() throws SQLException {
        ContractNode node = new ContractNode(connect(config().withRingBytes(20_000)), "a");
        Connection watch = connection();
        for (int i = 1; i <= 60; i++) {
            append(node);
            node.flush(new FlushDraft().keptFrom(i));
        }
        await().untilAsserted(() -> assertThat(first(watch)).isGreaterThan(1));

        List<JobId> left = new ArrayList<>(append(node));
        long keptFrom = node.sequence();
        for (int i = 0; i < 120; i++) {
            left.addAll(append(node));
            node.flush(new FlushDraft().keptFrom(keptFrom));
        }
        assertThat(number(watch, "SELECT count(DISTINCT seq) FROM fairlane.journal WHERE seq >= " + keptFrom))
                .isEqualTo(121);
        assertThat(number(watch, "SELECT count(DISTINCT ring) FROM fairlane.journal"))
                .as("the ring is full, and goes on")
                .isEqualTo(Ring.TABLES);

        ContractNode next = start("b");
        assertThat(next.recovered.leftOut.keySet()).containsExactlyInAnyOrderElementsOf(left);
        next.append();
        next.flush(new FlushDraft());
        await().untilAsserted(() -> {
            next.append();
            next.flush(new FlushDraft());
            assertThat(number(
                            watch,
                            "SELECT count(*) FROM fairlane.journal WHERE log = "
                                    + node.log().epoch()))
                    .isZero();
        });
    }

    @Test
    void tables_are_emptied_once_a_flush_says_that_they_are_not_needed() throws SQLException {
        ContractNode node = new ContractNode(connect(config().withRingBytes(20_000)), "a");
        Connection watch = connection();
        for (int i = 1; i <= 60; i++) {
            append(node);
            node.flush(new FlushDraft().keptFrom(1));
        }
        assertThat(first(watch)).isEqualTo(1);

        node.flush(new FlushDraft().keptFrom(60));

        await().untilAsserted(() -> {
            Outcome.of(node.journal.maintain(node.log(), Retention.DEFAULT));
            assertThat(number(watch, "SELECT count(DISTINCT ring) FROM fairlane.journal"))
                    .isEqualTo(1);
        });
        assertThat(start("b").recovered.leftOut).hasSize(JOBS_PER_BATCH);
    }

    @Test
    void the_chain_is_checked_from_a_batch_that_is_gone() throws SQLException {
        ContractNode node = start("a");
        append(node);
        List<JobId> left = append(node);
        node.flush(new FlushDraft().keptFrom(2));
        run(connection(), "DELETE FROM fairlane.journal_0 WHERE seq = 1");
        JobSpec over = jobs.spec();
        node.append(
                new Fact.JobAdded(over, jobs.queued()),
                new Fact.JobEnded(over.id(), jobs.ended(JobState.SUCCEEDED), null, null, null));
        node.flush(new FlushDraft()
                .endedUnstored(over, jobs.ended(JobState.SUCCEEDED), null, null)
                .keptFrom(2));

        assertThat(start("b").recovered.leftOut.keySet()).containsExactlyInAnyOrderElementsOf(left);
    }

    @ParameterizedTest
    @CsvSource({"2, expected batch 2", "3, expected batch 3", "4, up to 4"})
    void a_kept_batch_that_is_missing_is_noticed(int missing, String said) throws SQLException {
        ContractNode node = start("a");
        for (int i = 1; i <= 4; i++) {
            append(node);
        }
        node.flush(new FlushDraft().keptFrom(2));
        run(connection(), "DELETE FROM fairlane.journal_0 WHERE seq = " + missing);

        assertThat(Outcome.failure(JournalFault.Corrupt.class, connect(config()).open("b", new Recovered())))
                .hasMessageContaining("log " + node.log().epoch())
                .hasMessageContaining(said);
    }
}
