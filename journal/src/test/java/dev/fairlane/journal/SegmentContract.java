package dev.fairlane.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Segments of open jobs: sealed when full, emptied when few live in them. Third part of {@link JournalContract}. */
abstract class SegmentContract extends AuditContract {

    /** Adds so many new jobs in one flush. */
    private List<JobSpec> fill(ContractNode node, int count) {
        List<JobSpec> specs = new ArrayList<>();
        FlushDraft draft = new FlushDraft();
        for (int i = 0; i < count; i++) {
            specs.add(jobs.spec());
            draft.added(specs.getLast(), jobs.queued());
        }
        node.append();
        node.flush(draft);
        return specs;
    }

    private int add(ContractNode node, JobSpec spec) {
        node.append();
        return node.flush(new FlushDraft().added(spec, jobs.queued()));
    }

    private int revise(ContractNode node, JobSpec spec, int home) {
        node.append();
        return node.flush(new FlushDraft().revised(spec, jobs.queued(), home));
    }

    /** The job with another payload, tag and revision. */
    private static JobSpec revised(JobSpec was) {
        byte[] payload = {(byte) (was.terms().revision() + 1)};
        return JobChange.NOTHING
                .withPayload(new Payload(payload, Payload.JSON))
                .withTags(Map.of("revision", "" + was.terms().revision()))
                .of(was, 0);
    }

    private int change(ContractNode node, JobSpec spec, int lease) {
        node.append();
        return node.flush(new FlushDraft().changed(spec.id(), jobs.leased(lease)));
    }

    @Test
    void a_full_segment_is_sealed_by_the_next_flush_that_writes_open_rows() {
        ContractNode node = start("a");
        int first = add(node, jobs.spec());
        fill(node, SEGMENT_ROWS);
        int second = add(node, jobs.spec());

        assertThat(second).isNotEqualTo(first);
        Recovered recovered = start("b").recovered;
        assertThat(recovered.segments.get(first)).isEqualTo(new Recovered.Segment(SEGMENT_ROWS + 1, true));
        assertThat(recovered.segments.get(second)).isEqualTo(new Recovered.Segment(1, false));
    }

    @Test
    void recovery_counts_images_of_any_age() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec();
        int segment = add(node, spec);
        change(node, spec, 1);
        change(node, spec, 2);

        assertThat(start("b").recovered.segments.get(segment)).isEqualTo(new Recovered.Segment(3, false));
    }

    @Test
    void a_revised_job_is_its_newest_spec_wherever_it_is_read() {
        ContractNode node = start("a");
        JobSpec first = jobs.spec();
        int home = add(node, first);
        change(node, first, 1);
        JobSpec second = revised(first);
        int same = revise(node, second, home);
        assertThat(same).isEqualTo(home);
        isNow(node, second);

        fill(node, SEGMENT_ROWS);
        JobSpec third = revised(second);
        int later = revise(node, third, same);

        assertThat(later).isNotEqualTo(home);
        isNow(node, third);
        Recovered recovered = start("b").recovered;
        assertThat(recovered.open.get(first.id()))
                .isEqualTo(new Recovered.Open(SampleJobs.withoutPayload(third), jobs.queued(), later));
        assertThat(recovered.open).hasSize(SEGMENT_ROWS + 1);
    }

    private void isNow(ContractNode node, JobSpec spec) {
        JobView view = new JobView(spec, jobs.queued(), null, null);
        assertThat(Outcome.of(node.journal.specs(StoredJob.anywhere(List.of(spec.id())))))
                .isEqualTo(Map.of(spec.id(), spec));
        assertThat(Outcome.of(node.journal.find(null, spec.id()))).contains(view);
        assertThat(Outcome.of(node.journal.list(new JobQuery(null, Set.of(), "", null, 1_000)))
                        .jobs())
                .filteredOn(job -> job.spec().id().equals(spec.id()))
                .containsExactly(view);
    }

    @Test
    void pages_of_one_show_every_revised_job_once() {
        ContractNode node = start("a");
        JobSpec one = jobs.spec();
        JobSpec two = jobs.spec();
        int home = add(node, one);
        add(node, two);
        JobSpec changed = revised(two);
        revise(node, changed, home);

        JobPage first = Outcome.of(node.journal.list(new JobQuery(null, Set.of(), "", null, 1)));
        JobPage second = Outcome.of(node.journal.list(new JobQuery(null, Set.of(), "", first.next(), 1)));

        assertThat(first.jobs()).extracting(JobView::spec).containsExactly(changed);
        assertThat(second.jobs()).extracting(JobView::spec).containsExactly(one);
    }

    @Test
    void a_revised_job_goes_on_with_newer_images_and_its_end() {
        ContractNode node = start("a");
        JobSpec first = jobs.spec();
        int home = add(node, first);
        fill(node, SEGMENT_ROWS);
        JobSpec second = revised(first);
        int later = revise(node, second, home);
        change(node, second, 7);

        assertThat(start("b").recovered.open.get(first.id()))
                .isEqualTo(new Recovered.Open(SampleJobs.withoutPayload(second), jobs.leased(7), later));
        ContractNode owner = start("c");
        owner.append();
        owner.flush(new FlushDraft().ended(first.id(), jobs.ended(JobState.SUCCEEDED), null, null, later));

        assertThat(Outcome.of(owner.journal.find(null, first.id())))
                .contains(new JobView(second, jobs.ended(JobState.SUCCEEDED), null, null));
        assertThat(start("d").recovered.open).doesNotContainKey(first.id());
    }

    @Test
    void a_job_revised_and_ended_between_two_flushes_ends_as_it_was_last() {
        ContractNode node = start("a");
        JobSpec first = jobs.spec();
        int home = add(node, first);
        JobSpec second = revised(first);
        node.append();
        node.flush(new FlushDraft().endedKnown(second, jobs.ended(JobState.CANCELLED), null, home));

        assertThat(Outcome.of(node.journal.find(null, first.id())))
                .contains(new JobView(second, jobs.ended(JobState.CANCELLED), null, null));
        assertThat(start("b").recovered.open).isEmpty();
    }

    @Test
    void compacting_knows_old_specs_and_images_from_new_ones() {
        ContractNode node = start("a");
        JobSpec here = jobs.spec();
        JobSpec moved = jobs.spec();
        int first = add(node, here);
        add(node, moved);
        JobSpec hereNow = revised(here);
        revise(node, hereNow, first);
        fill(node, SEGMENT_ROWS);
        // an image between the two specs of a job lies in a segment of its own
        int second = change(node, moved, 1);
        fill(node, SEGMENT_ROWS);
        JobSpec movedNow = revised(moved);
        int third = revise(node, movedNow, first);
        assertThat(List.of(first, second, third)).doesNotHaveDuplicates();

        int into = node.compact(first);
        node.compact(second);

        isNow(node, hereNow);
        isNow(node, movedNow);
        Recovered recovered = start("b").recovered;
        assertThat(recovered.open.get(here.id()))
                .isEqualTo(new Recovered.Open(SampleJobs.withoutPayload(hereNow), jobs.queued(), into));
        assertThat(recovered.open.get(moved.id()))
                .isEqualTo(new Recovered.Open(SampleJobs.withoutPayload(movedNow), jobs.queued(), third));
    }

    @Test
    void compacting_keeps_the_live_jobs_and_drops_the_rest() {
        ContractNode node = start("a");
        JobSpec live = jobs.spec();
        JobSpec ended = jobs.spec();
        int first = add(node, live);
        add(node, ended);
        fill(node, SEGMENT_ROWS);
        int second = add(node, jobs.spec());
        node.append();
        node.flush(new FlushDraft().ended(ended.id(), jobs.ended(JobState.SUCCEEDED), null, null, first));
        List<JobId> others = start("b").recovered.open.keySet().stream()
                .filter(id -> !id.equals(live.id()))
                .toList();
        ContractNode owner = start("c");
        Map<JobId, Recovered.Open> before = owner.recovered.open;

        int into = owner.compact(first);

        assertThat(into).isNotEqualTo(first);
        assertThat(Outcome.of(owner.journal.specs(StoredJob.anywhere(List.of(live.id(), ended.id())))))
                .isEqualTo(Map.of(live.id(), live));
        assertThat(Outcome.of(owner.journal.find(null, ended.id()))
                        .orElseThrow()
                        .spec())
                .isEqualTo(ended);
        Recovered after = start("d").recovered;
        assertThat(after.segments).doesNotContainKey(first).containsKey(second);
        assertThat(after.open.keySet()).isEqualTo(before.keySet()).containsAll(others);
        assertThat(after.open.get(live.id()))
                .isEqualTo(new Recovered.Open(SampleJobs.withoutPayload(live), jobs.queued(), into));
    }

    @Test
    void a_spec_is_found_where_it_is_said_to_be_and_where_it_went() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec();
        int first = add(node, spec);
        fill(node, SEGMENT_ROWS);
        JobSpec young = jobs.spec();
        int second = add(node, young);
        assertThat(second).isNotEqualTo(first);
        Map<JobId, JobSpec> both = Map.of(spec.id(), spec, young.id(), young);

        isFound(node, both, at(spec, first), at(young, second));
        isFound(node, both, at(spec, second), at(young, StoredJob.ANYWHERE));

        int into = node.compact(first);
        isFound(node, both, at(spec, first), at(young, second));
        isFound(node, both, at(spec, into), at(young, first));

        JobSpec now = revised(spec);
        int home = revise(node, now, into);
        isFound(node, Map.of(spec.id(), now), at(spec, home));
    }

    private static StoredJob at(JobSpec spec, int home) {
        return new StoredJob(spec.id(), spec.tenant().number(), home);
    }

    private void isFound(ContractNode node, Map<JobId, JobSpec> specs, StoredJob... where) {
        assertThat(Outcome.of(node.journal.specs(List.of(where)))).isEqualTo(specs);
    }

    @Test
    void compacting_a_segment_without_live_jobs_empties_it() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec();
        int first = add(node, spec);
        node.append();
        node.flush(new FlushDraft().ended(spec.id(), jobs.ended(JobState.SUCCEEDED), null, null, first));
        for (int i = 0; i < SEGMENT_ROWS; i++) {
            JobSpec shortLived = jobs.spec();
            int segment = add(node, shortLived);
            node.append();
            node.flush(new FlushDraft().ended(shortLived.id(), jobs.ended(JobState.SUCCEEDED), null, null, segment));
        }
        node.compact(first);

        Recovered recovered = start("b").recovered;
        assertThat(recovered.segments).doesNotContainKey(first);
        assertThat(recovered.open).isEmpty();
    }

    @Test
    void compacting_takes_the_newest_image_from_wherever_it_is() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec();
        int first = add(node, spec);
        fill(node, SEGMENT_ROWS);
        change(node, spec, 1);
        change(node, spec, 2);

        int into = node.compact(first);

        assertThat(Outcome.of(node.journal.find(null, spec.id())))
                .contains(new JobView(spec, jobs.leased(2), null, null));
        change(node, spec, 3);
        assertThat(start("b").recovered.open.get(spec.id()))
                .isEqualTo(new Recovered.Open(SampleJobs.withoutPayload(spec), jobs.leased(3), into));
    }

    @Test
    void compacting_carries_over_newer_images_of_jobs_at_home_elsewhere() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec();
        int first = add(node, spec);
        fill(node, SEGMENT_ROWS);
        int second = change(node, spec, 1);
        fill(node, SEGMENT_ROWS);
        int third = add(node, jobs.spec());
        assertThat(List.of(first, second, third)).doesNotHaveDuplicates();

        node.compact(second);

        Recovered recovered = start("b").recovered;
        assertThat(recovered.segments).doesNotContainKey(second);
        assertThat(recovered.open.get(spec.id()))
                .isEqualTo(new Recovered.Open(SampleJobs.withoutPayload(spec), jobs.leased(1), first));
    }

    @Test
    void compacting_does_not_bring_back_a_job_at_home_elsewhere_that_ended() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec();
        int first = add(node, spec);
        fill(node, SEGMENT_ROWS);
        int second = change(node, spec, 1);
        fill(node, SEGMENT_ROWS);
        add(node, jobs.spec());
        node.append();
        node.flush(new FlushDraft().ended(spec.id(), jobs.ended(JobState.SUCCEEDED), null, null, first));

        node.compact(second);

        assertThat(start("b").recovered.open).doesNotContainKey(spec.id());
    }

    @Test
    void repeating_a_compaction_is_harmless() {
        ContractNode node = start("a");
        List<JobSpec> specs = fill(node, SEGMENT_ROWS);
        int second = add(node, jobs.spec());
        int first = start("probe").recovered.open.get(specs.getFirst().id()).segment();
        ContractNode owner = start("b");
        assertThat(first).isNotEqualTo(second);

        int into = owner.compact(first);
        assertThat(owner.compact(first)).isEqualTo(into);
        owner.append();
        owner.flush(new FlushDraft().ended(specs.getFirst().id(), jobs.ended(JobState.SUCCEEDED), null, null, into));
        // A late twin, which would bring the ended job back.
        owner.compact(first);

        assertThat(start("c").recovered.open)
                .hasSize(SEGMENT_ROWS)
                .doesNotContainKey(specs.getFirst().id());
    }

    @Test
    void a_compacted_job_ends_in_its_new_home() {
        ContractNode node = start("a");
        List<JobSpec> specs = fill(node, SEGMENT_ROWS);
        add(node, jobs.spec());
        JobSpec spec = specs.getFirst();
        ContractNode owner = start("b");
        int first = owner.recovered.open.get(spec.id()).segment();
        int into = owner.compact(first);
        owner.append();
        owner.flush(new FlushDraft().ended(spec.id(), jobs.ended(JobState.SUCCEEDED), null, null, into));

        assertThat(Outcome.of(owner.journal.find(null, spec.id())))
                .contains(new JobView(spec, jobs.ended(JobState.SUCCEEDED), null, null));
        assertThat(start("c").recovered.open).hasSize(SEGMENT_ROWS).doesNotContainKey(spec.id());
    }
}
