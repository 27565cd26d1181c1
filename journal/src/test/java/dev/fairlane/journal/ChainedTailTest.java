package dev.fairlane.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChainedTailTest {
    private static final LogId LOG = new LogId(7);
    private static final byte[] GENESIS = HashChain.genesis(LOG, new byte[HashChain.BYTES]);

    private final HashChain chain = new HashChain(GENESIS);
    private final Recovered recovered = new Recovered();
    private final SampleJobs jobs = new SampleJobs(1_000_000, 7);
    private final ChainedTail tail = new ChainedTail(LOG, 1, 0, GENESIS, recovered);

    private Batch batch(int sequence) {
        return batch(sequence, fact(sequence));
    }

    private Batch batch(int sequence, Fact... facts) {
        byte[] bytes = new FactCodec().encode(List.of(facts), 1_000 - sequence);
        return new Batch(sequence, bytes, chain.extend(bytes));
    }

    private static Fact fact(int number) {
        return new Fact.TenantSet(new Tenant(new TenantId(number), "t" + number, 10, number));
    }

    @Test
    void sound_batches_are_handed_on_in_order() {
        tail.accept(batch(1));
        tail.accept(batch(2));
        tail.end();

        assertThat(recovered.tail).containsExactly(fact(1), fact(2));
        assertThat(tail.sequence()).isEqualTo(2);
        assertThat(tail.head()).isEqualTo(chain.head());
        assertThat(tail.highWaterAt()).isEqualTo(999);
    }

    @Test
    void reading_may_begin_behind_a_flush_position() {
        batch(1);
        byte[] head = chain.head();
        ChainedTail behind = new ChainedTail(LOG, 2, 1, head, recovered);
        behind.accept(batch(2));
        behind.end();

        assertThat(recovered.tail).containsExactly(fact(2));
    }

    /** Batches 1 to 3 are flushed, and kept. */
    private ChainedTail kept() {
        return new ChainedTail(LOG, 1, 3, GENESIS, recovered);
    }

    private Fact.JobAdded added(JobSpec spec) {
        return new Fact.JobAdded(spec, jobs.queued());
    }

    @Test
    void who_was_only_added_in_front_of_the_position_was_left_out_unless_it_is_known() {
        JobSpec left = jobs.spec();
        JobSpec stored = jobs.spec();
        JobSpec scheduled = jobs.spec();
        recovered.open(stored, jobs.queued(), 1);
        ChainedTail tail = kept();
        tail.accept(batch(1, fact(1), added(left), added(stored)));
        tail.accept(batch(2, new Fact.JobAdded(scheduled, jobs.scheduled(5))));
        tail.accept(batch(3));
        assertThat(recovered.leftOut).as("before all of them are read").isEmpty();
        tail.accept(batch(4, fact(4)));
        tail.end();

        assertThat(recovered.leftOut).containsOnly(Map.entry(left.id(), added(left)));
        assertThat(recovered.tail).containsExactly(fact(4));
    }

    @Test
    void of_whom_more_was_said_in_front_of_the_position_is_in_rows() {
        JobSpec leased = jobs.spec();
        JobSpec revised = jobs.spec();
        JobSpec over = jobs.spec();
        ChainedTail tail = kept();
        tail.accept(batch(1, added(leased), added(revised), added(over)));
        tail.accept(batch(2, new Fact.JobChanged(leased.id(), jobs.leased(1))));
        tail.accept(batch(
                3,
                new Fact.JobRevised(revised, jobs.queued()),
                new Fact.JobEnded(over.id(), jobs.ended(JobState.SUCCEEDED), null, null, null)));
        tail.end();

        assertThat(recovered.leftOut).isEmpty();
        assertThat(recovered.tail).isEmpty();
    }

    @Test
    void a_left_out_job_is_told_before_what_is_said_of_it_behind_the_position_and_is_not_looked_for() {
        JobSpec left = jobs.spec();
        Fact change = new Fact.JobChanged(left.id(), jobs.leased(1));
        List<JobId> lookedFor = new ArrayList<>();
        ChainedTail tail = new ChainedTail(LOG, 1, 1, GENESIS, recovered, lookedFor::addAll);
        tail.accept(batch(1, added(left)));
        tail.accept(batch(2, change));
        tail.end();

        assertThat(recovered.leftOut).containsOnlyKeys(left.id());
        assertThat(recovered.tail).containsExactly(change);
        assertThat(recovered.order).containsExactly("left out", "tail");
        assertThat(lookedFor).isEmpty();
    }

    @Test
    void batches_missing_in_front_of_the_position_are_noticed() {
        ChainedTail first = kept();
        Batch one = batch(1, added(jobs.spec()));
        Batch two = batch(2);
        assertThatThrownBy(() -> first.accept(two)).isInstanceOf(JournalFault.Corrupt.class);

        ChainedTail last = kept();
        last.accept(one);
        last.accept(two);
        assertThatThrownBy(last::end)
                .isInstanceOf(JournalFault.Corrupt.class)
                .hasMessageContaining("log 7 is broken at batch 3");
        assertThat(recovered.order).isEmpty();
    }

    @Test
    void nothing_is_missing_where_nothing_is_kept() {
        ChainedTail nothing = new ChainedTail(LOG, 4, 3, GENESIS, recovered);
        nothing.end();

        assertThat(recovered.order).isEmpty();
        assertThat(nothing.sequence()).isEqualTo(3);
    }

    @Test
    void a_missing_batch_is_noticed() {
        tail.accept(batch(1));
        batch(2);

        assertThatThrownBy(() -> tail.accept(batch(3)))
                .isInstanceOf(JournalFault.Corrupt.class)
                .hasMessage("log 7 is broken at batch 3: expected batch 2, but found 3");
    }

    @Test
    void a_batch_renumbered_to_hide_a_gap_is_noticed() {
        tail.accept(batch(1));
        batch(2);
        Batch third = batch(3);

        assertThatThrownBy(() -> tail.accept(new Batch(2, third.bytes(), third.hash())))
                .isInstanceOf(JournalFault.Corrupt.class)
                .hasMessageContaining("log 7 is broken at batch 2");
    }

    @Test
    void bytes_that_are_no_facts_are_named_with_their_batch_and_nothing_of_them_is_told() {
        byte[] bytes = {1, 2, 3};

        assertThatThrownBy(() -> tail.accept(new Batch(1, bytes, chain.extend(bytes))))
                .isInstanceOf(JournalFault.Corrupt.class)
                .hasMessageContaining("log 7 is broken at batch 1");
        assertThat(recovered.tail).isEmpty();
    }

    @Test
    void a_log_of_another_epoch_begins_elsewhere() {
        assertThat(HashChain.genesis(new LogId(8), new byte[HashChain.BYTES])).isNotEqualTo(GENESIS);
        assertThat(HashChain.genesis(LOG, GENESIS)).isNotEqualTo(GENESIS);
    }
}
