package dev.fairlane.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.KeyProbe;
import dev.fairlane.core.model.Usage;
import dev.fairlane.core.model.UsageAccount;
import dev.fairlane.core.model.UsageRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Jobs that flushes leave out, and the batches that are kept for them. Part of {@link JournalContract}. */
abstract class LeftOutContract extends FarContract {
    private Map<JobId, Fact.JobAdded> asAdded(JobSpec... specs) {
        Map<JobId, Fact.JobAdded> jobs = new HashMap<>();
        for (JobSpec spec : specs) {
            jobs.put(spec.id(), added(spec));
        }
        return jobs;
    }

    private Fact ended(JobSpec spec) {
        return new Fact.JobEnded(spec.id(), jobs.ended(JobState.SUCCEEDED), null, null, null);
    }

    private static void upkeep(ContractNode node) {
        Outcome.of(node.journal.maintain(node.log(), Retention.DEFAULT));
    }

    private UsageRow used(ContractNode node) {
        long hour = node.opened.nowAt() / UsageRow.HOUR_MICROS * UsageRow.HOUR_MICROS;
        return new UsageRow(
                hour, new UsageAccount(SampleJobs.ACME, "short", "default", "t"), new Usage(1, 1, 1, 1, 1, 1));
    }

    @Test
    void a_left_out_job_is_told_whole_behind_the_stored_ones_and_before_the_tail() {
        ContractNode node = start("a");
        JobSpec stored = jobs.spec();
        JobSpec left = jobs.spec();
        Fact later = added();
        node.append(added(stored));
        node.append(added(left));
        node.flush(new FlushDraft().added(stored, jobs.queued()).keptFrom(2));
        node.append(later);

        Recovered recovered = start("b").recovered;

        assertThat(recovered.open).containsOnlyKeys(stored.id());
        assertThat(recovered.leftOut).isEqualTo(asAdded(left));
        assertThat(recovered.tail).containsExactly(later);
        assertThat(recovered.order).containsExactly("begin", "open", "left out", "tail");
    }

    @Test
    void a_left_out_job_with_a_key_is_told_and_its_key_is_found_once_it_is_stored() {
        ContractNode node = start("a");
        JobSpec left = jobs.spec(SampleJobs.ACME, "t", "order-17");
        KeyProbe probe = new KeyProbe(SampleJobs.ACME, "order-17", left.submittedAt(), left.submittedAt() + 1, false);
        node.append(added(left));
        node.flush(new FlushDraft().keptFrom(1));
        assertThat(Outcome.of(node.journal.findKeys(List.of(probe)))).containsExactly(Optional.empty());

        ContractNode next = start("b");
        assertThat(next.recovered.leftOut).isEqualTo(asAdded(left));
        next.flush(new FlushDraft().added(left, jobs.queued()));

        assertThat(Outcome.of(next.journal.findKeys(List.of(probe))).getFirst())
                .hasValueSatisfying(found -> assertThat(found.id()).isEqualTo(left.id()));
    }

    @Test
    void a_left_out_job_is_told_when_nothing_came_behind_the_position() {
        ContractNode node = start("a");
        JobSpec left = jobs.spec();
        node.append(added(left));
        node.append();
        node.flush(new FlushDraft().keptFrom(1));
        Outcome.of(node.journal.close(node.log()));

        Recovered recovered = start("b").recovered;

        assertThat(recovered.leftOut).isEqualTo(asAdded(left));
        assertThat(recovered.tail).isEmpty();
    }

    @Test
    void a_left_out_job_that_a_later_flush_ended_is_over() {
        ContractNode node = start("a");
        JobSpec left = jobs.spec();
        JobSpec over = jobs.spec();
        node.append(added(left), added(over));
        node.flush(new FlushDraft().keptFrom(1));
        node.append(ended(over));
        node.flush(new FlushDraft()
                .endedUnstored(over, jobs.ended(JobState.SUCCEEDED), null, null)
                .keptFrom(1));

        Recovered recovered = start("b").recovered;

        assertThat(recovered.leftOut).isEqualTo(asAdded(left));
        assertThat(recovered.open).isEmpty();
        assertThat(recovered.tail).isEmpty();
        assertThat(Outcome.of(node.journal.find(null, over.id()))).isPresent();
    }

    @Test
    void a_job_left_out_first_and_stored_later_is_told_once_as_open() {
        ContractNode node = start("a");
        JobSpec left = jobs.spec();
        JobSpec old = jobs.spec();
        JobSpec leased = jobs.spec();
        node.append(added(left), added(old), added(leased));
        node.flush(new FlushDraft().keptFrom(1));
        node.append(new Fact.JobChanged(leased.id(), jobs.leased(1)));
        node.flush(new FlushDraft()
                .added(old, jobs.queued())
                .added(leased, jobs.leased(1))
                .keptFrom(1));

        Recovered recovered = start("b").recovered;

        assertThat(recovered.open).containsOnlyKeys(old.id(), leased.id());
        assertThat(recovered.open.get(leased.id()).status()).isEqualTo(jobs.leased(1));
        assertThat(recovered.leftOut).isEqualTo(asAdded(left));
    }

    @Test
    void a_job_stored_later_and_over_since_is_not_told_again() {
        ContractNode node = start("a");
        JobSpec left = jobs.spec();
        JobSpec stored = jobs.spec();
        node.append(added(left), added(stored));
        node.flush(new FlushDraft().keptFrom(1));
        node.append();
        int segment = node.flush(new FlushDraft().added(stored, jobs.queued()).keptFrom(1));
        node.append(ended(stored));
        node.flush(new FlushDraft()
                .ended(stored.id(), jobs.ended(JobState.SUCCEEDED), null, null, segment)
                .keptFrom(1));

        Recovered recovered = start("b").recovered;

        assertThat(recovered.open).isEmpty();
        assertThat(recovered.leftOut).isEqualTo(asAdded(left));
    }

    @Test
    void facts_behind_the_position_follow_the_left_out_job_they_are_about() {
        ContractNode node = start("a");
        JobSpec leased = jobs.spec();
        JobSpec over = jobs.spec();
        JobSpec waiting = jobs.spec();
        node.append(added(leased), added(over), added(waiting));
        node.flush(new FlushDraft().keptFrom(1));
        Fact change = new Fact.JobChanged(leased.id(), jobs.leased(1));
        node.append(change, ended(over));

        Recovered recovered = start("b").recovered;

        assertThat(recovered.leftOut).isEqualTo(asAdded(leased, over, waiting));
        assertThat(recovered.tail).containsExactly(change, ended(over));
        assertThat(recovered.open).isEmpty();
    }

    @Test
    void a_flush_may_only_say_that_fewer_batches_are_needed() {
        ContractNode node = start("a");
        JobSpec over = jobs.spec();
        JobSpec left = jobs.spec();
        node.append(added(over));
        node.append(added(left), ended(over));
        node.flush(new FlushDraft()
                .endedUnstored(over, jobs.ended(JobState.SUCCEEDED), null, null)
                .keptFrom(1));
        node.flush(new FlushDraft().keptFrom(2));
        upkeep(node);

        Recovered recovered = start("b").recovered;

        assertThat(recovered.leftOut).isEqualTo(asAdded(left));
        assertThat(recovered.tail).isEmpty();
    }

    @Test
    void a_flush_that_says_so_and_more_counts_once() {
        ContractNode node = start("a");
        JobSpec first = jobs.spec();
        JobSpec second = jobs.spec();
        node.append(added(first));
        node.append(added(second));
        Flush before = new FlushDraft().used(used(node)).keptFrom(1).upTo(2);
        Outcome.of(node.journal.flush(node.log(), before));
        Flush moving = new FlushDraft()
                .added(first, jobs.queued())
                .used(used(node))
                .keptFrom(2)
                .upTo(2);
        FlushReceipt receipt = Outcome.of(node.journal.flush(node.log(), moving));

        assertThat(Outcome.of(node.journal.flush(node.log(), moving))).isEqualTo(receipt);
        // A late twin of the one before.
        Outcome.of(node.journal.flush(node.log(), before));

        Recovered recovered = start("b").recovered;
        assertThat(recovered.open).containsOnlyKeys(first.id());
        assertThat(recovered.leftOut).isEqualTo(asAdded(second));
        assertThat(recovered.usage.get(SampleJobs.ACME).executions())
                .isEqualTo(2 * used(node).used().executions());
    }

    @Test
    void a_flush_that_needs_more_batches_than_the_last_is_refused() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec();
        node.append(added(spec));
        node.append();
        node.flush(new FlushDraft().added(spec, jobs.queued()).keptFrom(2));
        JobSpec refused = jobs.spec();
        node.append(added(refused));

        FlushDraft draft = new FlushDraft().added(refused, jobs.queued());
        Outcome.failure(
                IllegalStateException.class,
                node.journal.flush(node.log(), draft.keptFrom(1).upTo(3)));

        assertThat(Outcome.of(node.journal.find(null, refused.id()))).isEmpty();
        assertThat(start("b").recovered.tail).containsExactly(added(refused));
    }

    @Test
    void a_flush_that_covers_less_than_the_last_is_refused_if_it_is_no_repetition() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec();
        node.append();
        node.append(added(spec));
        node.flush(new FlushDraft().keptFrom(1));

        Outcome.failure(
                IllegalStateException.class,
                node.journal.flush(node.log(), new FlushDraft().keptFrom(2).upTo(1)));

        assertThat(start("b").recovered.leftOut).isEqualTo(asAdded(spec));
    }

    @Test
    void kept_batches_outlast_upkeep_and_flushes_without_end() {
        ContractNode node = start("a");
        JobSpec left = jobs.spec();
        node.append(added());
        node.append(added());
        node.append(added(left));
        List<JobSpec> others = new ArrayList<>();
        for (int i = 0; i < 3 * SEGMENT_ROWS; i++) {
            JobSpec other = jobs.spec();
            others.add(other);
            node.append(added(other), ended(other));
            node.flush(new FlushDraft()
                    .endedUnstored(other, jobs.ended(JobState.SUCCEEDED), null, null)
                    .keptFrom(3));
            upkeep(node);
        }

        Recovered recovered = start("b").recovered;

        assertThat(recovered.leftOut).isEqualTo(asAdded(left));
        assertThat(recovered.tail).isEmpty();
        assertThat(others)
                .allSatisfy(other -> assertThat(Outcome.of(node.journal.find(null, other.id())))
                        .isPresent());
    }

    @Test
    void what_is_kept_moves_on_with_the_flushes() {
        ContractNode node = start("a");
        JobSpec before = jobs.spec();
        for (int i = 1; i <= 3 * SEGMENT_ROWS; i++) {
            JobSpec next = jobs.spec();
            node.append(added(next));
            FlushDraft draft = new FlushDraft().keptFrom(i);
            if (i > 1) {
                draft.added(before, jobs.queued());
            }
            node.flush(draft);
            upkeep(node);
            before = next;
        }

        Recovered recovered = start("b").recovered;

        assertThat(recovered.leftOut).isEqualTo(asAdded(before));
        assertThat(recovered.open).hasSize(3 * SEGMENT_ROWS - 1);
    }

    @Test
    void an_altered_batch_that_is_kept_is_corrupt_and_named() {
        ContractNode node = start("a");
        node.append();
        node.append(added());
        node.append();
        node.flush(new FlushDraft().keptFrom(2));
        damage(node.log(), 2);

        assertThat(Outcome.failure(JournalFault.Corrupt.class, connect("b").open("b", new Recovered())))
                .hasMessageContaining("log " + node.log().epoch())
                .hasMessageContaining("batch 2");
    }

    @Test
    void an_altered_batch_that_is_not_needed_does_no_harm() {
        ContractNode node = start("a");
        JobSpec left = jobs.spec();
        node.append(added());
        node.append(added(left));
        damage(node.log(), 1);
        node.flush(new FlushDraft().keptFrom(2));

        assertThat(start("b").recovered.leftOut).isEqualTo(asAdded(left));
    }

    @Test
    void left_out_jobs_are_told_again_until_the_next_log_stores_them() {
        ContractNode first = start("a");
        JobSpec left = jobs.spec();
        JobSpec over = jobs.spec();
        first.append(added(left), added(over));
        first.flush(new FlushDraft().keptFrom(1));
        ContractNode second = start("b");
        second.append(ended(over));
        upkeep(second);

        ContractNode third = start("c");
        assertThat(third.recovered.leftOut).isEqualTo(asAdded(left, over));
        assertThat(third.recovered.tail).containsExactly(ended(over));
        Outcome.of(third.journal.flush(
                third.log(),
                new FlushDraft()
                        .added(left, jobs.queued())
                        .endedUnstored(over, jobs.ended(JobState.SUCCEEDED), null, null)
                        .upTo(0)));
        upkeep(third);

        Recovered recovered = start("d").recovered;
        assertThat(recovered.leftOut).isEmpty();
        assertThat(recovered.tail).isEmpty();
        assertThat(recovered.open).containsOnlyKeys(left.id());
    }

    @Test
    void the_next_log_leaves_out_jobs_of_its_own() {
        ContractNode first = start("a");
        JobSpec old = jobs.spec();
        first.append(added(old));
        first.flush(new FlushDraft().keptFrom(1));
        ContractNode second = start("b");
        JobSpec left = jobs.spec();
        second.append();
        second.append(added(left));
        second.flush(new FlushDraft().added(old, jobs.queued()).keptFrom(2));
        upkeep(second);

        Recovered recovered = start("c").recovered;
        assertThat(recovered.leftOut).isEqualTo(asAdded(left));
        assertThat(recovered.open).containsOnlyKeys(old.id());
    }

    @Test
    void whether_a_kept_batch_is_durable_is_known() {
        ContractNode node = start("a");
        node.append(added());
        node.append();
        node.flush(new FlushDraft().keptFrom(1));
        upkeep(node);

        assertThat(Outcome.of(node.journal.resolve(node.log(), 1))).isTrue();
        assertThat(Outcome.of(node.journal.resolve(node.log(), 2))).isTrue();
        assertThat(Outcome.of(node.journal.resolve(node.log(), 3))).isFalse();
    }
}
