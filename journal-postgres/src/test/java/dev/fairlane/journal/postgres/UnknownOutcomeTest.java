package dev.fairlane.journal.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.journal.Batch;
import dev.fairlane.journal.ContractNode;
import dev.fairlane.journal.FlushDraft;
import dev.fairlane.journal.FlushReceipt;
import dev.fairlane.journal.JournalFault;
import dev.fairlane.journal.Outcome;
import dev.fairlane.journal.postgres.embedded.EmbeddedPostgres;
import dev.fairlane.journal.postgres.embedded.testing.TestPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What became of an append whose answer was lost. Standbys that do not exist stand for those that are slow. */
class UnknownOutcomeTest extends JournalOnPostgres {
    @TempDir
    private static Path home;

    private static EmbeddedPostgres server;

    private final Connection watch;
    private final Relay relay;

    @BeforeAll
    static void startServer() {
        server = EmbeddedPostgres.start(TestPostgres.config(home));
    }

    @AfterAll
    static void stopServer() {
        server.stop();
    }

    UnknownOutcomeTest() throws SQLException {
        super(server);
        watch = connection();
        run(watch, "SET synchronous_commit = local");
        run(watch, "DROP SCHEMA IF EXISTS fairlane CASCADE");
        run(watch, "CREATE TABLE IF NOT EXISTS probe (n int)");
        relay = closing(Relay.before(jdbcUrl));
    }

    @AfterEach
    void releaseStandby() throws SQLException {
        standbys("");
    }

    private ContractNode startThroughRelay() {
        return new ContractNode(connect(PostgresConfig.of(relay.through(jdbcUrl), user, password)), "a");
    }

    private void standbys(String names) throws SQLException {
        run(watch, "ALTER SYSTEM SET synchronous_standby_names = '" + names + "'");
        run(watch, "SELECT pg_reload_conf()");
    }

    /** From here on a commit waits. */
    private void loseStandby() throws SQLException {
        standbys("nobody");
        Connection probe = connection();
        int pid = (int) number(probe, "SELECT pg_backend_pid()");
        await().until(() -> {
            CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> insert(probe));
            await().until(() -> commit.isDone() || waits(pid));
            run(watch, "SELECT pg_cancel_backend(" + pid + ") WHERE " + !commit.isDone());
            boolean inForce = !commit.isDone();
            commit.join();
            return inForce;
        });
    }

    private boolean waits(int pid) throws SQLException {
        return number(watch, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND pid = " + pid) > 0;
    }

    private static void insert(Connection probe) {
        try {
            run(probe, "INSERT INTO probe VALUES (1)");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private CompletableFuture<Void> appendThatWaits(ContractNode node, Batch batch) throws SQLException {
        loseStandby();
        CompletableFuture<Void> append = node.journal.append(node.log(), batch);
        await().until(() -> !waiting(watch, "append", "SyncRep").isEmpty());
        return append;
    }

    private Fact added() {
        return new Fact.JobAdded(jobs.spec(), jobs.queued());
    }

    @Test
    void a_client_cut_off_while_it_waits_for_a_standby_learns_that_it_happened_when_the_standby_has_it()
            throws SQLException {
        ContractNode node = startThroughRelay();
        Fact fact = added();
        CompletableFuture<Void> append = appendThatWaits(node, node.batch(node.opened.nowAt(), fact));
        relay.cut();
        Outcome.failure(JournalFault.UnknownOutcome.class, append);

        CompletableFuture<Boolean> resolved = node.journal.resolve(node.log(), 1);
        await().until(() -> !waiting(watch, "append", "SyncRep").isEmpty());
        await().during(Duration.ofMillis(300)).until(() -> !resolved.isDone());
        standbys("");

        assertThat(Outcome.of(resolved)).isTrue();
        node.append();
        assertThat(start("b").recovered.tail).containsExactly(fact);
    }

    @Test
    void what_never_reached_the_server_did_not_happen_and_can_be_sent_again() {
        ContractNode node = startThroughRelay();
        Fact fact = added();
        node.append();
        Batch batch = node.batch(node.opened.nowAt(), fact);
        relay.swallow();
        CompletableFuture<Void> append = node.journal.append(node.log(), batch);
        await().until(relay::hasSwallowed);
        relay.cut();
        Outcome.failure(JournalFault.UnknownOutcome.class, append);

        assertThat(Outcome.of(node.journal.resolve(node.log(), 2))).isFalse();
        Outcome.of(node.journal.append(node.log(), batch));
        assertThat(start("b").recovered.tail).containsExactly(fact);
    }

    @Test
    void a_cancelled_wait_for_a_standby_is_an_unknown_outcome() throws SQLException {
        ContractNode node = start("a");
        CompletableFuture<Void> append = appendThatWaits(node, node.batch(node.opened.nowAt(), added()));
        for (int pid : waiting(watch, "append", "SyncRep")) {
            run(watch, "SELECT pg_cancel_backend(" + pid + ")");
        }
        Outcome.failure(JournalFault.UnknownOutcome.class, append);
        standbys("");

        assertThat(Outcome.of(node.journal.resolve(node.log(), 1))).isTrue();
    }

    @Test
    void a_cancelled_wait_leaves_a_flush_unknown_too_and_repeating_it_is_safe() throws SQLException {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec();
        node.append(new Fact.JobAdded(spec, jobs.queued()));
        loseStandby();
        var draft = new FlushDraft().added(spec, jobs.queued()).upTo(1);
        CompletableFuture<FlushReceipt> flush = node.journal.flush(node.log(), draft);
        await().until(() -> !waiting(watch, "flush", "SyncRep").isEmpty());
        for (int pid : waiting(watch, "flush", "SyncRep")) {
            run(watch, "SELECT pg_cancel_backend(" + pid + ")");
        }
        Outcome.failure(JournalFault.UnknownOutcome.class, flush);
        standbys("");

        Outcome.of(node.journal.flush(node.log(), draft));
        assertThat(number(watch, "SELECT count(*) FROM fairlane.job_open_0")).isEqualTo(1);
    }

    @Test
    void a_server_process_killed_in_the_middle_of_an_append_leaves_it_undone() throws SQLException {
        ContractNode node = start("a");
        node.append();
        Connection blocker = connection();
        blocker.setAutoCommit(false);
        run(blocker, "SELECT pg_advisory_xact_lock(" + FENCE + ", " + node.log().epoch() + ")");
        Fact fact = added();
        Batch batch = node.batch(node.opened.nowAt(), fact);
        CompletableFuture<Void> append = node.journal.append(node.log(), batch);
        await().until(() -> !waiting(watch, "append", "advisory").isEmpty());
        for (int pid : waiting(watch, "append", "advisory")) {
            run(watch, "SELECT pg_terminate_backend(" + pid + ")");
        }
        Outcome.failure(JournalFault.UnknownOutcome.class, append);
        blocker.rollback();

        assertThat(Outcome.of(node.journal.resolve(node.log(), 2))).isFalse();
        Outcome.of(node.journal.append(node.log(), batch));
        assertThat(start("b").recovered.tail).containsExactly(fact);
    }

    @Test
    void a_lost_append_sent_again_without_asking_counts_once() throws SQLException {
        ContractNode node = startThroughRelay();
        Fact fact = added();
        Batch batch = node.batch(node.opened.nowAt(), fact);
        CompletableFuture<Void> append = appendThatWaits(node, batch);
        relay.cut();
        Outcome.failure(JournalFault.UnknownOutcome.class, append);
        standbys("");

        Outcome.of(node.journal.append(node.log(), batch));
        assertThat(start("b").recovered.tail).containsExactly(fact);
    }

    @Test
    void a_server_that_cannot_be_reached_leaves_nothing_unknown() {
        ContractNode node = startThroughRelay();
        node.append();
        Batch batch = node.batch(node.opened.nowAt(), added());
        relay.close();
        Outcome.failure(JournalFault.UnknownOutcome.class, node.journal.append(node.log(), batch));

        Outcome.failure(JournalFault.Unavailable.class, node.journal.resolve(node.log(), 2));
        Outcome.failure(JournalFault.Unavailable.class, node.journal.append(node.log(), batch));
    }
}
