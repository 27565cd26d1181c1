package dev.fairlane.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Segments of open jobs: sealed when full, emptied when few live in them. Third part of {@link JournalContract}. */
abstract class SegmentContract extends ProjectionContract {

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

        int into = owner.compact(
                first,
                before.entrySet().stream()
                        .filter(entry -> entry.getValue().segment() == first)
                        .map(Map.Entry::getKey)
                        .toArray(JobId[]::new));

        assertThat(into).isNotEqualTo(first);
        assertThat(Outcome.of(owner.journal.specs(List.of(live.id(), ended.id()))))
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
        List<JobSpec> filling = fill(node, SEGMENT_ROWS);
        change(node, spec, 1);
        change(node, spec, 2);

        List<JobId> live = new ArrayList<>(List.of(spec.id()));
        filling.forEach(one -> live.add(one.id()));
        int into = node.compact(first, live.toArray(JobId[]::new));

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
        List<JobSpec> filling = fill(node, SEGMENT_ROWS);
        int third = add(node, jobs.spec());
        assertThat(List.of(first, second, third)).doesNotHaveDuplicates();

        node.compact(second, filling.stream().map(JobSpec::id).toArray(JobId[]::new));

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
        List<JobSpec> filling = fill(node, SEGMENT_ROWS);
        add(node, jobs.spec());
        node.append();
        node.flush(new FlushDraft().ended(spec.id(), jobs.ended(JobState.SUCCEEDED), null, null, first));

        node.compact(second, filling.stream().map(JobSpec::id).toArray(JobId[]::new));

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
        JobId[] live = specs.stream().map(JobSpec::id).toArray(JobId[]::new);

        int into = owner.compact(first, live);
        assertThat(owner.compact(first, live)).isEqualTo(into);
        owner.append();
        owner.flush(new FlushDraft().ended(specs.getFirst().id(), jobs.ended(JobState.SUCCEEDED), null, null, into));
        // A late twin, which would bring the ended job back.
        owner.compact(first, live);

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
        int into = owner.compact(first, specs.stream().map(JobSpec::id).toArray(JobId[]::new));
        owner.append();
        owner.flush(new FlushDraft().ended(spec.id(), jobs.ended(JobState.SUCCEEDED), null, null, into));

        assertThat(Outcome.of(owner.journal.find(null, spec.id())))
                .contains(new JobView(spec, jobs.ended(JobState.SUCCEEDED), null, null));
        assertThat(start("c").recovered.open).hasSize(SEGMENT_ROWS).doesNotContainKey(spec.id());
    }
}
