package dev.fairlane.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.outcome.Images;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Jobs far from due: found by time, by id and in lists, told only as a number. Fourth part of {@link JournalContract}. */
abstract class FarContract extends SegmentContract {
    private static final int NO_PAYLOADS = -1;
    private static final long HOUR = 3_600_000_000L;
    private static final long T = 2_000_000_000_000_000L;

    private void store(ContractNode node, FlushDraft draft) {
        node.append();
        node.flush(draft);
    }

    private static FarJob row(JobSpec spec, JobStatus status, long wakeAt) {
        return new FarJob(SampleJobs.withoutPayload(spec), status, wakeAt, false);
    }

    private static List<JobId> ids(List<FarJob> jobs) {
        return jobs.stream().map(job -> job.spec().id()).toList();
    }

    private FarPortion due(ContractNode node, FarPortion.Place after, long until, int limit) {
        return Outcome.of(node.journal.dueFar(after, until, Set.of(), limit, NO_PAYLOADS));
    }

    @Test
    void far_jobs_come_in_portions_in_the_order_of_their_time() {
        ContractNode node = start("a");
        JobSpec late = jobs.spec();
        JobSpec early = jobs.spec();
        JobSpec alike = jobs.spec();
        JobSpec last = jobs.spec();
        store(
                node,
                new FlushDraft()
                        .addedFar(late, jobs.scheduled(T + 2), T + 2)
                        .addedFar(early, jobs.scheduled(T), T)
                        .addedFar(alike, jobs.scheduled(T), T)
                        .addedFar(last, jobs.scheduled(T + HOUR), T + HOUR));

        FarPortion first = due(node, FarPortion.Place.BEGIN, T + HOUR - 1, 1);
        assertThat(first).isEqualTo(new FarPortion(List.of(row(early, jobs.scheduled(T), T)), T));
        FarPortion second = due(node, new FarPortion.Place(T, early.id()), T + HOUR - 1, 5);
        assertThat(ids(second.jobs())).containsExactly(alike.id(), late.id());
        assertThat(second.nextAt()).isEqualTo(T + HOUR);
        FarPortion none = due(node, new FarPortion.Place(T + HOUR - 1, null), T + HOUR - 1, 5);
        assertThat(none).isEqualTo(new FarPortion(List.of(), T + HOUR));
        assertThat(due(node, new FarPortion.Place(T + HOUR, null), T + 2 * HOUR, 5)
                        .nextAt())
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void far_jobs_of_others_are_found_behind_a_crowd() {
        ContractNode node = start("a");
        FlushDraft draft = new FlushDraft();
        for (int i = 0; i < 20; i++) {
            draft.addedFar(jobs.spec(SampleJobs.ACME, "t", ""), jobs.scheduled(T), T);
        }
        JobSpec other = jobs.spec(SampleJobs.GLOBEX, "t", "");
        JobSpec later = jobs.spec(SampleJobs.GLOBEX, "t", "");
        store(node, draft.addedFar(other, jobs.scheduled(T + 1), T + 1).addedFar(later, jobs.scheduled(T + 9), T + 9));

        FarPortion portion =
                Outcome.of(node.journal.dueFar(FarPortion.Place.BEGIN, T + 5, Set.of(SampleJobs.ACME), 5, NO_PAYLOADS));
        assertThat(ids(portion.jobs())).containsExactly(other.id());
        assertThat(Outcome.of(node.journal.dueFar(
                                FarPortion.Place.BEGIN,
                                T + 5,
                                Set.of(SampleJobs.ACME, SampleJobs.GLOBEX),
                                5,
                                NO_PAYLOADS))
                        .jobs())
                .isEmpty();
    }

    @Test
    void far_jobs_with_small_payloads_come_whole() {
        ContractNode node = start("a");
        JobSpec small = jobs.spec();
        JobSpec large = jobs.spec().withPayload(new Payload(new byte[100], Payload.JSON));
        store(
                node,
                new FlushDraft().addedFar(small, jobs.scheduled(T), T).addedFar(large, jobs.scheduled(T + 1), T + 1));

        int bytes = small.payload().bytes().length;
        assertThat(Outcome.of(node.journal.dueFar(FarPortion.Place.BEGIN, T + 5, Set.of(), 5, bytes))
                        .jobs())
                .containsExactly(
                        new FarJob(small, jobs.scheduled(T), T, true), row(large, jobs.scheduled(T + 1), T + 1));
        assertThat(Outcome.of(node.journal.dueFar(FarPortion.Place.BEGIN, T, Set.of(SampleJobs.GLOBEX), 5, bytes - 1))
                        .jobs())
                .containsExactly(row(small, jobs.scheduled(T), T));
    }

    @Test
    void a_far_job_is_found_and_listed_like_any_other() {
        ContractNode node = start("a");
        JobSpec near = jobs.spec();
        JobSpec far = jobs.spec();
        JobStatus image = jobs.scheduled(T);
        store(node, new FlushDraft().added(near, jobs.queued()).addedFar(far, image, T));

        JobView view = new JobView(far, image, null, null);
        assertThat(Outcome.of(node.journal.find(far.tenant(), far.id()))).contains(view);
        assertThat(Outcome.of(node.journal.specs(StoredJob.anywhere(List.of(far.id(), near.id())))))
                .isEqualTo(Map.of(far.id(), far, near.id(), near));
        assertThat(Outcome.of(node.journal.list(new JobQuery(far.tenant(), Set.of(), "", null, 1)))
                        .jobs())
                .containsExactly(view);
        assertThat(Outcome.of(node.journal.list(new JobQuery(null, Set.of(JobState.SCHEDULED), "", null, 10)))
                        .jobs())
                .containsExactly(view);
        assertThat(Outcome.of(node.journal.findFar(List.of(far.id(), near.id()))))
                .containsExactly(row(far, image, T));
        assertThat(ids(Outcome.of(node.journal.pageFar(null, null, 5)))).containsExactly(far.id());
        assertThat(Outcome.of(node.journal.pageFar(null, far.id(), 5))).isEmpty();
    }

    @Test
    void far_jobs_of_one_tenant_are_listed_without_those_of_others() {
        ContractNode node = start("a");
        List<JobSpec> own = List.of(jobs.spec(), jobs.spec(), jobs.spec());
        JobSpec others = jobs.spec(SampleJobs.GLOBEX, "t", "");
        FlushDraft draft = new FlushDraft().addedFar(others, jobs.scheduled(T), T);
        own.forEach(spec -> draft.addedFar(spec, jobs.scheduled(T), T));
        store(node, draft);

        List<FarJob> first = Outcome.of(node.journal.pageFar(SampleJobs.ACME, null, 2));
        assertThat(ids(first)).containsExactly(own.get(0).id(), own.get(1).id());
        assertThat(ids(Outcome.of(
                        node.journal.pageFar(SampleJobs.ACME, own.get(1).id(), 2))))
                .containsExactly(own.get(2).id());
        assertThat(ids(Outcome.of(node.journal.pageFar(others.tenant(), null, 2))))
                .containsExactly(others.id());
        assertThat(Outcome.of(node.journal.pageFar(null, null, 9))).hasSize(4);
    }

    @Test
    void recovery_tells_how_many_are_far_and_their_keys() {
        ContractNode node = start("a");
        JobSpec keyed = jobs.spec(SampleJobs.ACME, "t", "k1");
        JobSpec plain = jobs.spec(SampleJobs.ACME, "t", "");
        JobSpec other = jobs.spec(SampleJobs.GLOBEX, "t", "");
        store(
                node,
                new FlushDraft()
                        .addedFar(keyed, jobs.scheduled(T), T)
                        .addedFar(plain, jobs.scheduled(T), T)
                        .addedFar(other, jobs.scheduled(T), T));

        Recovered recovered = start("b").recovered;

        assertThat(recovered.open).isEmpty();
        assertThat(recovered.far).isEqualTo(Map.of(SampleJobs.ACME, 2L, SampleJobs.GLOBEX, 1L));
        assertThat(recovered.farKeys).isEqualTo(Map.of(SampleJobs.ACME.number() + "/k1", keyed.id()));
    }

    @Test
    void a_far_job_that_changes_is_an_open_job_of_the_segment() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec();
        store(node, new FlushDraft().addedFar(spec, jobs.scheduled(T), T));
        node.append();
        int segment = node.flush(new FlushDraft().changedFar(spec.id(), jobs.queued()));

        assertThat(Outcome.of(node.journal.find(null, spec.id())))
                .contains(new JobView(spec, jobs.queued(), null, null));
        assertThat(due(node, FarPortion.Place.BEGIN, Long.MAX_VALUE, 9).jobs()).isEmpty();
        Recovered recovered = start("b").recovered;
        assertThat(recovered.far).isEmpty();
        assertThat(recovered.open.get(spec.id()))
                .isEqualTo(new Recovered.Open(SampleJobs.withoutPayload(spec), jobs.queued(), segment));
    }

    @Test
    void a_far_job_that_is_paused_stays_far() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec(SampleJobs.ACME, "t", "k1");
        JobSpec other = jobs.spec(SampleJobs.ACME, "t", "");
        store(
                node,
                new FlushDraft().addedFar(spec, jobs.scheduled(T), T).addedFar(other, jobs.scheduled(T + 1), T + 1));
        JobStatus scheduled = jobs.scheduled(T);
        JobStatus paused = Images.moved(
                scheduled, JobState.SCHEDULED, T, 0, scheduled.marks().pausing(true), scheduled.changedAt() + 5);
        store(node, new FlushDraft().changedFar(spec.id(), paused));

        assertThat(Outcome.of(node.journal.find(null, spec.id()))).contains(new JobView(spec, paused, null, null));
        assertThat(due(node, FarPortion.Place.BEGIN, Long.MAX_VALUE - 1, 9).jobs())
                .containsExactly(row(spec, paused, T), row(other, jobs.scheduled(T + 1), T + 1));
        assertThat(Outcome.of(node.journal.findFar(List.of(spec.id())))).containsExactly(row(spec, paused, T));
        Recovered recovered = start("b").recovered;
        assertThat(recovered.far).isEqualTo(Map.of(SampleJobs.ACME, 2L));
        assertThat(recovered.farKeys).isEqualTo(Map.of(SampleJobs.ACME.number() + "/k1", spec.id()));
        assertThat(recovered.open).isEmpty();
    }

    @Test
    void a_job_may_be_put_off_and_brought_near_again() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec();
        node.append();
        int home = node.flush(new FlushDraft().added(spec, jobs.queued()));
        JobSpec second = JobChange.NOTHING.withPriority(1).of(spec, 0);
        store(node, new FlushDraft().revisedFar(second, jobs.scheduled(T), home, T));
        assertThat(Outcome.of(node.journal.find(null, spec.id())))
                .contains(new JobView(second, jobs.scheduled(T), null, null));
        assertThat(Outcome.of(node.journal.specs(StoredJob.anywhere(List.of(spec.id())))))
                .isEqualTo(Map.of(spec.id(), second));

        JobSpec third = JobChange.NOTHING.withPriority(2).of(second, 0);
        store(node, new FlushDraft().revisedFar(third, jobs.scheduled(T + 1), Flush.FAR, T + 1));
        assertThat(due(node, FarPortion.Place.BEGIN, Long.MAX_VALUE - 1, 9).jobs())
                .containsExactly(row(third, jobs.scheduled(T + 1), T + 1));

        JobSpec fourth = JobChange.NOTHING.withPriority(4).of(third, 0);
        node.append();
        int segment = node.flush(new FlushDraft().revised(fourth, jobs.queued(), Flush.FAR));
        Recovered recovered = start("b").recovered;
        assertThat(recovered.far).isEmpty();
        assertThat(recovered.open.get(spec.id()))
                .isEqualTo(new Recovered.Open(SampleJobs.withoutPayload(fourth), jobs.queued(), segment));
    }

    @Test
    void a_far_job_that_ends_is_history_with_what_it_was() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec();
        store(node, new FlushDraft().addedFar(spec, jobs.scheduled(T), T));
        store(node, new FlushDraft().ended(spec.id(), jobs.ended(JobState.CANCELLED), null, null, Flush.FAR));

        assertThat(Outcome.of(node.journal.find(null, spec.id())))
                .contains(new JobView(spec, jobs.ended(JobState.CANCELLED), null, null));
        assertThat(Outcome.of(node.journal.findFar(List.of(spec.id())))).isEmpty();
        assertThat(start("b").recovered.far).isEmpty();
    }

    @Test
    void many_far_jobs_that_end_together_are_all_history() {
        ContractNode node = start("a");
        List<JobSpec> specs = new ArrayList<>();
        FlushDraft added = new FlushDraft();
        FlushDraft ended = new FlushDraft();
        for (int i = 0; i < 1_500; i++) {
            JobSpec spec = jobs.spec();
            specs.add(spec);
            added.addedFar(spec, jobs.scheduled(T), T);
            if (i % 5 > 0) {
                ended.ended(spec.id(), jobs.ended(JobState.SUCCEEDED), null, null, Flush.FAR);
            }
        }
        store(node, added);
        store(node, ended);

        assertThat(due(node, FarPortion.Place.BEGIN, T, 2_000).jobs()).hasSize(300);
        for (int i = 1_490; i < 1_500; i++) {
            JobState state = i % 5 > 0 ? JobState.SUCCEEDED : JobState.SCHEDULED;
            assertThat(Outcome.of(node.journal.find(null, specs.get(i).id())))
                    .hasValueSatisfying(
                            view -> assertThat(view.status().state()).isEqualTo(state));
        }
        assertThat(start("b").recovered.far.values()).containsExactly(300L);
    }

    @Test
    void a_far_job_that_a_fact_behind_the_position_is_about_is_told_before_it() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec();
        JobSpec other = jobs.spec();
        store(node, new FlushDraft().addedFar(spec, jobs.scheduled(T), T).addedFar(other, jobs.scheduled(T), T));
        node.append(new Fact.JobChanged(spec.id(), jobs.queued()));

        Recovered recovered = start("b").recovered;

        assertThat(recovered.far).isEqualTo(Map.of(spec.tenant(), 2L));
        assertThat(recovered.open)
                .isEqualTo(Map.of(
                        spec.id(), new Recovered.Open(SampleJobs.withoutPayload(spec), jobs.scheduled(T), Flush.FAR)));
        assertThat(recovered.tail).containsExactly(new Fact.JobChanged(spec.id(), jobs.queued()));
    }
}
