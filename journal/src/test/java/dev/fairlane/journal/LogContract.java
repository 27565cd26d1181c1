package dev.fairlane.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Logs: batches in order, one writer, nothing lost between two starts. First part of {@link JournalContract}. */
abstract class LogContract {
    /** Small, so that a few flushes fill a segment. */
    static final int SEGMENT_ROWS = 4;

    private final List<Journal> connections = new ArrayList<>();
    private ContractStore store;
    SampleJobs jobs;

    /**
     * A store with nothing in it.
     *
     * @param segmentRows a segment with at least so many rows takes no more: the next flush that writes open rows begins another
     */
    protected abstract ContractStore newStore(int segmentRows);

    @BeforeEach
    void makeStore() {
        store = newStore(SEGMENT_ROWS);
        jobs = new SampleJobs(Outcome.of(connect("clock").now()), 1);
    }

    @AfterEach
    void closeStore() {
        connections.forEach(Journal::close);
        store.close();
    }

    Journal connect(String node) {
        Journal journal = store.connect(node);
        connections.add(journal);
        return journal;
    }

    void damage(LogId log, long sequence) {
        store.damage(log, sequence);
    }

    void falsifyAudit(TenantId chain, long sequence, ContractStore.Forgery how) {
        store.falsifyAudit(chain, sequence, how);
    }

    /** A start of a node: a connection of its own, its log opened. */
    ContractNode start(String node) {
        return new ContractNode(connect(node), node);
    }

    Fact.JobAdded added(JobSpec spec) {
        return new Fact.JobAdded(spec, jobs.queued());
    }

    Fact.JobAdded added() {
        return added(jobs.spec());
    }

    @Test
    void a_fresh_store_has_nothing_to_recover() {
        ContractNode node = start("a");

        assertThat(node.recovered.order).containsExactly("begin");
        assertThat(node.recovered.log).isEqualTo(node.log());
        assertThat(node.opened.highWaterAt()).isLessThanOrEqualTo(node.opened.nowAt());
        assertThat(node.opened.genesis()).hasSize(HashChain.BYTES);
    }

    @Test
    void what_was_appended_is_recovered_by_the_next_start_in_order() {
        ContractNode first = start("a");
        Fact one = added();
        Fact two = added();
        Fact three = new Fact.TenantSet(new Tenant(SampleJobs.ACME, "acme", 10, first.opened.nowAt()));
        first.append(one, two);
        first.append();
        first.append(three);

        assertThat(start("b").recovered.tail).containsExactly(one, two, three);
    }

    @Test
    void a_large_batch_comes_back_whole() {
        ContractNode first = start("a");
        JobSpec spec = jobs.spec();
        byte[] bytes = new byte[5_000_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31 >> 3);
        }
        Fact small = added(spec);
        Fact large = new Fact.JobEnded(
                spec.id(), jobs.leased(1), new Payload(bytes, "application/octet-stream"), null, null);
        first.append(small);
        first.append(large);
        Fact last = added();
        first.append(last);

        assertThat(start("b").recovered.tail).containsExactly(small, large, last);
    }

    @Test
    void a_batch_that_does_not_follow_the_last_is_refused() {
        ContractNode node = start("a");
        Fact one = added();
        Batch first = node.batch(node.opened.nowAt(), one);
        Batch second = node.batch(node.opened.nowAt(), added());

        Outcome.failure(IllegalStateException.class, node.journal.append(node.log(), second));
        Outcome.of(node.journal.append(node.log(), first));
        Outcome.failure(IllegalStateException.class, node.journal.append(node.log(), first));

        assertThat(start("b").recovered.tail).containsExactly(one);
    }

    @Test
    void every_start_gets_a_greater_epoch_and_another_genesis() {
        ContractNode first = start("a");
        ContractNode second = start("a");
        ContractNode third = start("b");

        assertThat(List.of(first.log(), second.log(), third.log())).isSorted().doesNotHaveDuplicates();
        assertThat(second.opened.genesis()).isNotEqualTo(first.opened.genesis());
        assertThat(third.opened.genesis()).isNotEqualTo(second.opened.genesis());
    }

    @Test
    void nobody_appends_to_a_log_that_was_taken_over() {
        ContractNode old = start("a");
        old.append(added());
        ContractNode successor = start("b");

        Outcome.failure(
                JournalFault.Fenced.class, old.journal.append(old.log(), old.batch(old.opened.nowAt(), added())));

        successor.append();
        assertThat(start("c").recovered.tail).hasSize(1);
    }

    @Test
    void nobody_flushes_a_log_that_was_taken_over() {
        ContractNode old = start("a");
        JobSpec spec = jobs.spec();
        old.append(added(spec));
        start("b");

        Outcome.failure(
                JournalFault.Fenced.class,
                old.journal.flush(
                        old.log(), new FlushDraft().added(spec, jobs.queued()).upTo(1)));

        assertThat(Outcome.of(old.journal.find(null, spec.id()))).isEmpty();
        ContractNode next = start("c");
        assertThat(next.recovered.open).isEmpty();
        assertThat(next.recovered.tail).containsExactly(added(spec));
    }

    @Test
    void nothing_else_works_on_a_log_that_was_taken_over() {
        ContractNode old = start("a");
        old.append();
        start("b");

        Outcome.failure(JournalFault.Fenced.class, old.journal.compact(old.log(), 1));
        Outcome.failure(JournalFault.Fenced.class, old.journal.maintain(old.log(), Retention.DEFAULT));
        Outcome.failure(JournalFault.Fenced.class, old.journal.resolve(old.log(), 1));
        Outcome.failure(JournalFault.Fenced.class, old.journal.close(old.log()));
    }

    @Test
    void an_old_owner_still_reads() {
        ContractNode old = start("a");
        JobSpec spec = jobs.spec();
        old.append(added(spec));
        old.flush(new FlushDraft().added(spec, jobs.queued()));
        start("b");

        assertThat(Outcome.of(old.journal.find(null, spec.id()))).isPresent();
        assertThat(Outcome.of(old.journal.specs(StoredJob.anywhere(List.of(spec.id())))))
                .isEqualTo(Map.of(spec.id(), spec));
    }

    @Test
    void resolve_says_whether_a_batch_is_durable_and_its_no_is_final() {
        ContractNode node = start("a");
        node.append();
        Batch second = node.batch(node.opened.nowAt(), added());

        assertThat(Outcome.of(node.journal.resolve(node.log(), 1))).isTrue();
        assertThat(Outcome.of(node.journal.resolve(node.log(), 2))).isFalse();
        assertThat(Outcome.of(node.journal.resolve(node.log(), 2))).isFalse();

        Outcome.of(node.journal.append(node.log(), second));
        assertThat(Outcome.of(node.journal.resolve(node.log(), 2))).isTrue();
    }

    @Test
    void resolve_knows_batches_that_were_flushed_and_dropped() {
        ContractNode node = start("a");
        node.append();
        node.append();
        node.flush(new FlushDraft());
        Outcome.of(node.journal.maintain(node.log(), Retention.DEFAULT));

        assertThat(Outcome.of(node.journal.resolve(node.log(), 1))).isTrue();
        assertThat(Outcome.of(node.journal.resolve(node.log(), 2))).isTrue();
        assertThat(Outcome.of(node.journal.resolve(node.log(), 3))).isFalse();
    }

    @Test
    void resolve_leaves_nothing_behind_for_recovery() {
        ContractNode node = start("a");
        Fact one = added();
        Fact two = added();
        node.append(one);
        Outcome.of(node.journal.resolve(node.log(), 2));
        node.append(two);
        Outcome.of(node.journal.resolve(node.log(), 3));

        assertThat(start("b").recovered.tail).containsExactly(one, two);
    }

    @Test
    void two_starts_without_a_flush_replay_both_tails_in_order() {
        Fact one = added();
        Fact two = added();
        Fact three = added();
        start("a").append(one);
        ContractNode second = start("b");
        second.append(two);
        second.append(three);

        assertThat(second.recovered.tail).containsExactly(one);
        assertThat(start("c").recovered.tail).containsExactly(one, two, three);
        assertThat(start("d").recovered.tail).containsExactly(one, two, three);
    }

    @Test
    void a_log_closed_after_its_last_flush_leaves_nothing_to_replay() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec();
        node.append(added(spec));
        node.flush(new FlushDraft().added(spec, jobs.queued()));
        Outcome.of(node.journal.close(node.log()));

        Outcome.failure(
                JournalFault.Fenced.class, node.journal.append(node.log(), node.batch(node.opened.nowAt(), added())));
        Recovered recovered = start("b").recovered;
        assertThat(recovered.tail).isEmpty();
        assertThat(recovered.open).containsOnlyKeys(spec.id());
    }

    @Test
    void a_log_closed_with_a_tail_keeps_it() {
        ContractNode node = start("a");
        Fact one = added();
        node.append(one);
        Outcome.of(node.journal.close(node.log()));

        assertThat(start("b").recovered.tail).containsExactly(one);
    }

    @Test
    void time_never_goes_below_what_any_log_has_seen() {
        ContractNode first = start("a");
        long later = first.opened.nowAt() + 3_600_000_000L;
        first.appendAt(later);
        ContractNode second = start("b");
        assertThat(second.opened.highWaterAt()).isEqualTo(later);

        second.append();
        second.flush(new FlushDraft().highWaterAt(later + 7));
        Outcome.of(second.journal.maintain(second.log(), Retention.DEFAULT));

        assertThat(start("c").opened.highWaterAt()).isEqualTo(later + 7);
    }

    @Test
    void the_clock_of_the_store_does_not_go_back() {
        Journal journal = connect("a");
        long before = 0;
        for (int i = 0; i < 20; i++) {
            long now = Outcome.of(journal.now());
            assertThat(now).isGreaterThanOrEqualTo(before);
            before = now;
        }
        assertThat(new ContractNode(journal, "a").opened.nowAt()).isGreaterThanOrEqualTo(before);
    }

    @Test
    void an_altered_batch_is_corrupt_and_named() {
        ContractNode node = start("a");
        node.append(added());
        node.append(added());
        node.append(added());
        damage(node.log(), 2);

        assertThat(Outcome.failure(JournalFault.Corrupt.class, connect("b").open("b", new Recovered())))
                .hasMessageContaining("log " + node.log().epoch())
                .hasMessageContaining("batch 2");
    }

    @Test
    void a_batch_with_a_wrong_hash_is_corrupt_and_named() {
        ContractNode node = start("a");
        node.append();
        Batch batch = node.batch(node.opened.nowAt(), added());
        Outcome.of(
                node.journal.append(node.log(), new Batch(batch.sequence(), batch.bytes(), new byte[HashChain.BYTES])));

        assertThat(Outcome.failure(JournalFault.Corrupt.class, connect("b").open("b", new Recovered())))
                .hasMessageContaining("log " + node.log().epoch())
                .hasMessageContaining("batch 2");
    }
}
