package dev.fairlane.journal.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobView;
import dev.fairlane.journal.ContractNode;
import dev.fairlane.journal.FlushDraft;
import dev.fairlane.journal.Outcome;
import dev.fairlane.journal.Retention;
import dev.fairlane.journal.SampleJobs;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Upkeep on a real server: nothing piles up, nobody waits. */
class UpkeepTest extends JournalOnPostgres {
    private static final long DAY = Duration.ofDays(1).toNanos() / 1000;
    private static final Retention TEN_DAYS =
            new Retention(Duration.ofDays(10), Duration.ofDays(10), Duration.ofDays(10), 0);

    private static long days(Connection connection) throws SQLException {
        return number(connection, "SELECT count(*) FROM pg_inherits WHERE inhparent = 'fairlane.job_done'::regclass");
    }

    private static void finishOne(ContractNode node, SampleJobs jobs) {
        node.append();
        node.flush(new FlushDraft().endedUnstored(jobs.spec(), jobs.ended(JobState.SUCCEEDED), null, null));
    }

    @Test
    void days_come_and_go_under_an_open_reader_and_no_writer_waits() throws SQLException {
        ContractNode node = start("a");
        Connection watch = connection();
        long made = days(watch);
        SampleJobs old = new SampleJobs(node.opened.nowAt() - 20 * DAY, 1);
        finishOne(node, old);
        Connection reader = connection();
        reader.setAutoCommit(false);
        assertThat(number(reader, "SELECT count(*) FROM fairlane.job_done")).isEqualTo(1);

        var upkeep = node.journal.maintain(node.log(), TEN_DAYS);
        await().until(() -> number(watch, "SELECT count(*) FROM pg_inherits WHERE inhdetachpending") == 1);
        for (int i = 0; i < 50; i++) {
            finishOne(node, jobs);
        }
        SampleJobs another = new SampleJobs(node.opened.nowAt() - 3 * DAY, 1);
        finishOne(node, another);
        // Submitted long ago, ended now, and its day is going.
        node.append();
        node.flush(new FlushDraft().endedUnstored(old.spec(), jobs.ended(JobState.SUCCEEDED), null, null));
        Outcome.of(upkeep);

        assertThat(number(reader, "SELECT count(*) FROM fairlane.job_done")).isGreaterThanOrEqualTo(1);
        assertThat(number(watch, "SELECT count(*) FROM fairlane.job_done_late")).isEqualTo(1);
        reader.rollback();
        Outcome.of(node.journal.maintain(node.log(), TEN_DAYS));
        // One for the jobs of three days ago; one more if midnight passes meanwhile.
        assertThat(days(watch)).isBetween(made + 1, made + 2);
        assertThat(
                        number(
                                watch,
                                "SELECT count(*) FROM pg_tables WHERE schemaname = 'fairlane' AND tablename ~ '^job_done_[0-9]+$'"))
                .isEqualTo(days(watch));
    }

    @Test
    void history_is_bounded_in_bytes_too() {
        ContractNode node = start("a");
        SampleJobs old = new SampleJobs(node.opened.nowAt() - 5 * DAY, 1);
        JobSpec dropped = old.spec();
        JobSpec kept = jobs.spec();
        node.append();
        node.flush(new FlushDraft()
                .endedUnstored(dropped, old.ended(JobState.SUCCEEDED), null, null)
                .endedUnstored(kept, jobs.ended(JobState.SUCCEEDED), null, null));
        Outcome.of(node.journal.maintain(
                node.log(), new Retention(Duration.ofDays(90), Duration.ofDays(90), Duration.ofDays(1), 1)));

        assertThat(Outcome.of(node.journal.find(null, dropped.id()))).isEmpty();
        assertThat(Outcome.of(node.journal.find(null, kept.id()))).isPresent();
    }

    @Test
    void many_flushes_leave_no_dead_rows_and_bounded_tables() throws SQLException {
        ContractNode node =
                new ContractNode(connect(config().withSegmentRows(200).withRingBytes(100_000)), "a");
        Connection watch = connection();
        List<JobId> kept = new ArrayList<>();
        int segment = 0;
        for (int turn = 0; turn < 150; turn++) {
            List<JobSpec> added = new ArrayList<>();
            FlushDraft first = new FlushDraft();
            for (int i = 0; i < 20; i++) {
                added.add(jobs.spec());
                first.added(added.getLast(), jobs.queued());
            }
            node.appendAt(
                    node.opened.nowAt(),
                    added.stream()
                            .map(spec -> new Fact.JobAdded(spec, jobs.queued()))
                            .toArray(Fact[]::new));
            int into = node.flush(first);
            FlushDraft second = new FlushDraft();
            added.subList(1, 20)
                    .forEach(spec -> second.ended(spec.id(), jobs.ended(JobState.SUCCEEDED), null, null, into));
            second.changed(added.getFirst().id(), jobs.leased(turn + 1));
            kept.add(added.getFirst().id());
            node.append();
            int now = node.flush(second);
            for (int old = segment; old > 0 && old < now; old++) {
                node.compact(old);
            }
            segment = now;
        }

        run(watch, "SELECT pg_stat_force_next_flush()");
        await().untilAsserted(() -> assertThat(number(
                        watch,
                        "SELECT coalesce(sum(n_dead_tup), 0) FROM pg_stat_user_tables WHERE schemaname = 'fairlane'"
                                + " AND relname ~ '^(journal|flush|job_open|job_done|job_dead|job_key)'"))
                .isZero());
        assertThat(number(watch, "SELECT count(*) FROM fairlane.open_slot")).isLessThan(8);
        assertThat(number(watch, "SELECT count(DISTINCT ring) FROM fairlane.journal"))
                .isLessThanOrEqualTo(2);
        assertThat(start("b").recovered.open.keySet()).containsExactlyInAnyOrderElementsOf(kept);
    }

    @Test
    void a_segment_in_use_by_a_reader_is_emptied_later() throws SQLException {
        ContractNode node = new ContractNode(connect(config().withSegmentRows(2)), "a");
        JobSpec spec = jobs.spec();
        node.append();
        int first = node.flush(new FlushDraft().added(spec, jobs.queued()).added(jobs.spec(), jobs.queued()));
        node.append();
        node.flush(new FlushDraft().added(jobs.spec(), jobs.queued()));
        Connection reader = connection();
        reader.setAutoCommit(false);
        run(reader, "LOCK TABLE fairlane.open_reading IN ACCESS SHARE MODE");
        assertThat(number(reader, "SELECT count(*) FROM fairlane.job_open_0")).isEqualTo(2);

        node.compact(first);
        finishOne(node, jobs);

        assertThat(number(reader, "SELECT count(*) FROM fairlane.job_open_0")).isEqualTo(2);
        assertThat(Outcome.of(node.journal.find(null, spec.id())))
                .contains(new JobView(spec, jobs.queued(), null, null));
        reader.rollback();
        Connection watch = connection();
        await().untilAsserted(() -> {
            finishOne(node, jobs);
            assertThat(number(watch, "SELECT count(*) FROM fairlane.open_slot WHERE dirty"))
                    .isZero();
        });
    }
}
