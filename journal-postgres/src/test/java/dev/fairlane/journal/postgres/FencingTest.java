package dev.fairlane.journal.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.journal.Batch;
import dev.fairlane.journal.ContractNode;
import dev.fairlane.journal.FlushDraft;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.Outcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** An owner paused in the middle of a commit while another takes over can neither append nor flush afterwards. */
class FencingTest extends JournalOnPostgres {
    private final ExecutorService other = closing(Executors.newSingleThreadExecutor());

    /** What the owner's append does, stopped before its commit. */
    private Connection appendWithoutCommit(ContractNode owner, Batch batch) throws SQLException {
        Connection paused = connection();
        paused.setAutoCommit(false);
        try (PreparedStatement append =
                paused.prepareStatement("SELECT fairlane.append(?, ?, 0, ?, ARRAY[?::bytea])")) {
            append.setInt(1, (int) owner.log().epoch());
            append.setLong(2, batch.sequence());
            append.setBytes(3, batch.hash());
            append.setBytes(4, batch.bytes());
            append.execute();
        }
        return paused;
    }

    @Test
    void an_append_that_stays_open_too_long_is_ended_and_never_happens() throws SQLException {
        ContractNode old = start("old");
        Fact kept = added();
        old.append(kept);
        Connection paused = appendWithoutCommit(old, old.batch(old.opened.nowAt(), added()));

        ContractNode successor = start("new");

        assertThat(successor.recovered.tail).containsExactly(kept);
        assertThatExceptionOfType(SQLException.class).isThrownBy(paused::commit);
        Outcome.failure(
                JournalFault.Fenced.class, old.journal.append(old.log(), new Batch(2, new byte[] {1}, new byte[32])));
        successor.append();
        assertThat(start("newer").recovered.tail).containsExactly(kept);
    }

    @Test
    void an_append_that_commits_while_a_takeover_waits_for_it_is_in_the_tail() throws SQLException {
        ContractNode old = start("old");
        Fact late = added();
        Connection paused = appendWithoutCommit(old, old.batch(old.opened.nowAt(), late));

        PostgresJournal patient = connect(waitingFor(Duration.ofMinutes(1)));
        CompletableFuture<ContractNode> successor =
                CompletableFuture.supplyAsync(() -> new ContractNode(patient, "new"), other);
        Connection watch = connection();
        await().until(() -> !waiting(watch, "open", "advisory").isEmpty());
        paused.commit();

        assertThat(successor.join().recovered.tail).containsExactly(late);
    }

    @Test
    void a_flush_that_stays_open_too_long_is_ended_and_never_happens() throws SQLException {
        ContractNode old = start("old");
        JobSpec spec = jobs.spec();
        Fact fact = new Fact.JobAdded(spec, jobs.queued());
        old.append(fact);
        // Its flush waits in its last statement, with all its rows written.
        Connection blocker = connection();
        blocker.setAutoCommit(false);
        run(blocker, "LOCK TABLE fairlane.flush_0 IN SHARE MODE");
        var flush = old.journal.flush(
                old.log(), new FlushDraft().added(spec, jobs.queued()).upTo(1));
        Connection watch = connection();
        await().until(() -> !waiting(watch, "flush", "relation").isEmpty());

        ContractNode successor = start("new");
        blocker.rollback();

        assertThat(successor.recovered.open).isEmpty();
        assertThat(successor.recovered.tail).containsExactly(fact);
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> Outcome.of(flush))
                .isInstanceOf(JournalFault.class);
        Outcome.failure(
                JournalFault.Fenced.class,
                old.journal.flush(
                        old.log(), new FlushDraft().added(spec, jobs.queued()).upTo(1)));
        assertThat(start("newer").recovered.open).isEmpty();
    }

    @Test
    void two_who_open_at_once_get_two_logs_and_one_stays_open() throws SQLException {
        PostgresJournal one = connect(config());
        PostgresJournal two = connect(config());
        CompletableFuture<ContractNode> first =
                CompletableFuture.supplyAsync(() -> new ContractNode(one, "one"), other);
        ContractNode second = new ContractNode(two, "two");

        assertThat(first.join().log()).isNotEqualTo(second.log());
        assertThat(number(connection(), "SELECT count(*) FROM fairlane.log WHERE closed_at IS NULL"))
                .isEqualTo(1);
    }

    private Fact added() {
        return new Fact.JobAdded(jobs.spec(), jobs.queued());
    }

    /** A takeover that ends nobody's commit because this machine is slow. */
    private PostgresConfig waitingFor(Duration patience) {
        PostgresConfig usual = config();
        return new PostgresConfig(
                usual.jdbcUrl(),
                usual.user(),
                usual.password(),
                usual.readConnections(),
                usual.segmentRows(),
                usual.segmentBytes(),
                usual.bundleFrom(),
                usual.recentBytes(),
                usual.ringBytes(),
                usual.writeTimeout(),
                patience);
    }
}
