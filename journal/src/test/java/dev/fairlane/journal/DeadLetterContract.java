package dev.fairlane.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.TenantId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Dead letters: found by what is asked of them, brought back, removed. Fourth part of {@link JournalContract}. */
abstract class DeadLetterContract extends LeftOutContract {
    private static final long SECOND = 1_000_000;

    private JobStatus died(long at) {
        JobStatus is = jobs.ended(JobState.DEAD);
        return new JobStatus(
                is.state(),
                is.attempt(),
                is.execution(),
                is.crashes(),
                is.token(),
                is.worker(),
                is.leasedAt(),
                is.startedAt(),
                is.dueAt(),
                is.queuedAt(),
                is.cancelRequested(),
                at,
                is.attempts());
    }

    private JobId dead(ContractNode node, TenantId tenant, String type, FailureClass how, String message, long at) {
        JobSpec spec = jobs.spec(tenant, type, "");
        node.append();
        node.flush(new FlushDraft().endedUnstored(spec, died(at), null, new Failure(how, message, "at X", 0)));
        return spec.id();
    }

    private static List<JobId> ids(Journal journal, DeadFilter filter) {
        List<JobId> all = new ArrayList<>();
        DeadQuery.Place after = null;
        do {
            DeadIds page = Outcome.of(journal.pageDead(new DeadQuery(filter, after, 2, true)));
            assertThat(page.ids()).hasSizeLessThanOrEqualTo(2);
            all.addAll(page.ids());
            after = page.next();
        } while (after != null);
        return all;
    }

    private static DeadFilter filter(
            @Nullable TenantId scope, String type, @Nullable FailureClass how, String text, long from, long to) {
        return new DeadFilter(scope, type, how, text, from, to);
    }

    @Test
    void dead_letters_are_found_by_tenant_type_class_text_and_time() {
        ContractNode node = start("a");
        long now = node.opened.nowAt();
        JobId first = dead(node, SampleJobs.ACME, "mail", FailureClass.APP_ERROR, "No route to HOST", now - 9);
        JobId second = dead(node, SampleJobs.ACME, "mail", FailureClass.TIMEOUT, "100 %_done", now - 8);
        JobId third = dead(node, SampleJobs.ACME, "report", FailureClass.APP_ERROR, "host gone", now - 7);
        JobId theirs = dead(node, SampleJobs.GLOBEX, "mail", FailureClass.APP_ERROR, "no host", now - 6);
        node.append();
        node.flush(new FlushDraft().endedUnstored(jobs.spec(), jobs.ended(JobState.SUCCEEDED), null, null));
        Journal journal = node.journal;

        assertThat(ids(journal, DeadFilter.all(null))).containsExactly(theirs, third, second, first);
        assertThat(ids(journal, DeadFilter.all(SampleJobs.ACME))).containsExactly(third, second, first);
        assertThat(ids(journal, filter(SampleJobs.ACME, "mail", null, "", 0, 0)))
                .containsExactly(second, first);
        assertThat(ids(journal, filter(null, "", FailureClass.APP_ERROR, "", 0, 0)))
                .containsExactly(theirs, third, first);
        assertThat(ids(journal, filter(SampleJobs.ACME, "", null, "host", 0, 0)))
                .containsExactly(third, first);
        assertThat(ids(journal, filter(null, "", null, "%_d", 0, 0))).containsExactly(second);
        assertThat(ids(journal, filter(null, "", null, "0%d", 0, 0))).isEmpty();
        assertThat(ids(journal, filter(null, "", null, "", now - 8, now - 6))).containsExactly(third, second);
        assertThat(ids(journal, filter(SampleJobs.GLOBEX, "mail", FailureClass.TIMEOUT, "", 0, 0)))
                .isEmpty();
    }

    @Test
    void the_oldest_come_first_for_those_who_treat_them() {
        ContractNode node = start("a");
        long now = node.opened.nowAt();
        List<JobId> made = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            // two at the same moment are told apart by their ids
            made.add(dead(node, SampleJobs.ACME, "mail", FailureClass.APP_ERROR, "x", now - 10 + i / 2));
        }
        List<JobId> seen = new ArrayList<>();
        DeadQuery.Place after = null;
        do {
            DeadIds page =
                    Outcome.of(node.journal.pageDead(new DeadQuery(DeadFilter.all(SampleJobs.ACME), after, 2, false)));
            seen.addAll(page.ids());
            after = page.next();
        } while (after != null);
        assertThat(seen).containsExactlyElementsOf(made);
    }

    @Test
    void dead_letters_are_counted_by_type_and_class() {
        ContractNode node = start("a");
        long now = node.opened.nowAt();
        dead(node, SampleJobs.ACME, "mail", FailureClass.APP_ERROR, "x", now - 7_200 * SECOND);
        dead(node, SampleJobs.ACME, "mail", FailureClass.APP_ERROR, "x", now - 60 * SECOND);
        dead(node, SampleJobs.ACME, "mail", FailureClass.TIMEOUT, "x", now - 60 * SECOND);
        dead(node, SampleJobs.GLOBEX, "mail", FailureClass.APP_ERROR, "y", now - 60 * SECOND);

        assertThat(Outcome.of(node.journal.countDead(DeadFilter.all(SampleJobs.ACME))))
                .containsExactly(
                        new DeadCount(
                                SampleJobs.ACME,
                                "mail",
                                FailureClass.APP_ERROR,
                                2,
                                1,
                                now - 7_200 * SECOND,
                                now - 60 * SECOND),
                        new DeadCount(
                                SampleJobs.ACME,
                                "mail",
                                FailureClass.TIMEOUT,
                                1,
                                1,
                                now - 60 * SECOND,
                                now - 60 * SECOND));
        assertThat(Outcome.of(node.journal.countDead(DeadFilter.all(null)))).hasSize(3);
        assertThat(Outcome.of(node.journal.countDead(filter(null, "", null, "Y", 0, 0))))
                .hasSize(1);
    }

    @Test
    void a_replayed_job_is_open_and_no_dead_letter_any_more() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec(SampleJobs.ACME, "mail", "key");
        node.append(added(spec));
        int first = node.flush(new FlushDraft().added(spec, jobs.queued()));
        node.append();
        node.flush(new FlushDraft().ended(spec.id(), jobs.ended(JobState.DEAD), null, null, first));
        node.append(new Fact.JobReplayed(spec, jobs.leased(3)));
        int home = node.flush(new FlushDraft().replayed(spec).added(spec, jobs.leased(3)));

        assertThat(Outcome.of(node.journal.findDead(null, List.of(spec.id())))).isEmpty();
        assertThat(Outcome.of(node.journal.find(null, spec.id())))
                .contains(new JobView(spec, jobs.leased(3), null, null));
        assertThat(Outcome.of(node.journal.specs(StoredJob.anywhere(List.of(spec.id())))))
                .isEqualTo(Map.of(spec.id(), spec));
        Recovered recovered = start("b").recovered;
        assertThat(recovered.open)
                .isEqualTo(
                        Map.of(spec.id(), new Recovered.Open(SampleJobs.withoutPayload(spec), jobs.leased(3), home)));
        assertThat(recovered.keys).containsOnlyKeys("1/key");
    }

    @Test
    void a_job_that_was_replayed_and_ended_again_before_the_flush_is_where_it_belongs() {
        ContractNode node = start("a");
        JobSpec good = jobs.spec();
        JobSpec bad = jobs.spec();
        Failure failure = new Failure(FailureClass.APP_ERROR, "again", "", 0);
        node.append();
        node.flush(new FlushDraft()
                .endedUnstored(good, jobs.ended(JobState.DEAD), null, failure)
                .endedUnstored(bad, jobs.ended(JobState.DEAD), null, null));
        node.append();
        Flush flush = new FlushDraft()
                .replayed(good)
                .replayed(bad)
                .endedUnstored(good, jobs.ended(JobState.SUCCEEDED), null, null)
                .endedUnstored(bad, jobs.ended(JobState.DEAD), null, failure)
                .upTo(node.sequence());
        Outcome.of(node.journal.flush(node.log(), flush));
        Outcome.of(node.journal.flush(node.log(), flush));

        assertThat(Outcome.of(node.journal.findDead(null, List.of(good.id(), bad.id()))))
                .isEqualTo(Map.of(bad.id(), new JobView(bad, jobs.ended(JobState.DEAD), null, failure)));
        assertThat(Outcome.of(node.journal.find(null, good.id())))
                .contains(new JobView(good, jobs.ended(JobState.SUCCEEDED), null, null));
        assertThat(start("b").recovered.open).isEmpty();
    }

    @Test
    void a_second_life_beside_the_first_survives_compaction() {
        survivesCompaction(false);
    }

    @Test
    void a_second_life_in_other_segments_survives_compaction() {
        survivesCompaction(true);
    }

    /** Rows, ends and images of the first life lie about in the segments while those of the second are moved. */
    private void survivesCompaction(boolean apart) {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec();
        node.append(added(spec));
        int first = node.flush(new FlushDraft().added(spec, jobs.queued()));
        fillIf(apart, node);
        node.append();
        node.flush(new FlushDraft().changed(spec.id(), jobs.leased(1)));
        node.append();
        node.flush(new FlushDraft().ended(spec.id(), jobs.ended(JobState.DEAD), null, null, first));
        fillIf(apart, node);
        node.append();
        node.flush(new FlushDraft().replayed(spec).added(spec, jobs.leased(2)));
        fillIf(apart, node);
        node.append();
        node.flush(new FlushDraft().changed(spec.id(), jobs.leased(3)));
        fillIf(true, node);
        fillIf(true, node);

        ContractNode owner = start("b");
        int home = owner.recovered.open.get(spec.id()).segment();
        for (int segment : List.copyOf(owner.recovered.segments.keySet())) {
            if (owner.recovered.segments.get(segment).sealed()) {
                int into = owner.compact(segment);
                home = home == segment ? into : home;
            }
        }
        assertThat(Outcome.of(owner.journal.find(null, spec.id())))
                .contains(new JobView(spec, jobs.leased(3), null, null));
        assertThat(Outcome.of(owner.journal.specs(StoredJob.anywhere(List.of(spec.id())))))
                .containsOnlyKeys(spec.id());
        Recovered recovered = start("c").recovered;
        assertThat(recovered.open.get(spec.id()))
                .isEqualTo(new Recovered.Open(SampleJobs.withoutPayload(spec), jobs.leased(3), home));
        assertThat(recovered.open).hasSameSizeAs(owner.recovered.open);
    }

    /** Jobs enough to seal the segment. */
    private void fillIf(boolean wanted, ContractNode node) {
        if (wanted) {
            FlushDraft draft = new FlushDraft();
            for (int i = 0; i < SEGMENT_ROWS; i++) {
                draft.added(jobs.spec(), jobs.queued());
            }
            node.append();
            node.flush(draft);
        }
    }

    @Test
    void purged_letters_are_gone_and_only_those() {
        ContractNode node = start("a");
        long now = node.opened.nowAt();
        JobId one = dead(node, SampleJobs.ACME, "mail", FailureClass.APP_ERROR, "x", now);
        JobId two = dead(node, SampleJobs.ACME, "mail", FailureClass.APP_ERROR, "x", now);
        JobId theirs = dead(node, SampleJobs.GLOBEX, "mail", FailureClass.APP_ERROR, "x", now);

        assertThat(Outcome.of(node.journal.purgeDead(node.log(), SampleJobs.ACME, List.of(one, theirs))))
                .isEqualTo(1);
        assertThat(ids(node.journal, DeadFilter.all(null))).containsExactlyInAnyOrder(two, theirs);
        assertThat(Outcome.of(node.journal.find(null, one))).isEmpty();
        assertThat(Outcome.of(node.journal.purgeDead(node.log(), null, List.of(one, theirs))))
                .isEqualTo(1);
    }

    @Test
    void who_lost_its_log_purges_nothing() {
        ContractNode node = start("a");
        JobId id = dead(node, SampleJobs.ACME, "mail", FailureClass.APP_ERROR, "x", node.opened.nowAt());
        ContractNode owner = start("b");

        Outcome.failure(JournalFault.Fenced.class, node.journal.purgeDead(node.log(), null, List.of(id)));
        assertThat(Outcome.of(owner.journal.find(null, id))).isPresent();
    }

    @Test
    void a_tenant_keeps_so_many_of_its_newest() {
        ContractNode node = start("a");
        long now = node.opened.nowAt();
        List<JobId> made = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            made.add(dead(node, SampleJobs.ACME, "mail", FailureClass.APP_ERROR, "x", now - 10 + i));
        }
        JobId theirs = dead(node, SampleJobs.GLOBEX, "mail", FailureClass.APP_ERROR, "x", now - 20);
        Outcome.of(node.journal.maintain(
                node.log(), new Retention(Duration.ofDays(90), Duration.ofDays(7), Duration.ofHours(25), 0, 2)));

        assertThat(ids(node.journal, DeadFilter.all(null))).containsExactly(made.get(4), made.get(3), theirs);
    }
}
