package dev.fairlane.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Cron;
import dev.fairlane.core.model.CronTicks;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Failure;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.GroupProgress;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.KeyProbe;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Schedule;
import dev.fairlane.core.model.ScheduleName;
import dev.fairlane.core.model.ScheduleProgress;
import dev.fairlane.core.model.ScheduleRules;
import dev.fairlane.core.model.StoredKey;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.TimeRule;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Flushes: rows and position together, recovery = open rows + tail. Second part of {@link JournalContract}. */
abstract class ProjectionContract extends LogContract {
    private static final Payload RESULT = new Payload(new byte[] {1, 2, 3}, "application/octet-stream");

    private Recovered.Open open(JobSpec spec, JobStatus status, int segment) {
        return new Recovered.Open(SampleJobs.withoutPayload(spec), status, segment);
    }

    @Test
    void recovery_is_the_open_rows_and_the_tail_behind_the_flush() {
        ContractNode node = start("a");
        JobSpec stored = jobs.spec();
        Fact later = added();
        node.append(added(stored));
        int segment = node.flush(new FlushDraft().added(stored, jobs.queued()));
        node.append(later);

        Recovered recovered = start("b").recovered;
        assertThat(recovered.open).isEqualTo(Map.of(stored.id(), open(stored, jobs.queued(), segment)));
        assertThat(recovered.tail).containsExactly(later);
    }

    @Test
    void recovery_tells_log_tenants_types_keys_open_jobs_and_tail_in_this_order() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec(SampleJobs.ACME, "t", "key");
        node.append(added(spec));
        node.flush(new FlushDraft()
                .added(spec, jobs.queued())
                .tenant(new Tenant(SampleJobs.ACME, "acme", 10, 1))
                .type(new JobType(SampleJobs.ACME, "t", "short", 0, 0, 1))
                .gate(gate(Gate.Kind.TYPE, SampleJobs.ACME, "t", true)));
        node.append(added());

        assertThat(start("b").recovered.order)
                .containsExactly("begin", "tenant", "type", "gate", "key", "open", "tail");
    }

    private static Gate gate(Gate.Kind kind, TenantId tenant, String name, boolean closed) {
        return new Gate(kind, tenant, name, closed, "ops", "the partner is down", 17);
    }

    @Test
    void schedules_are_told_as_they_are_until_they_are_gone() {
        ContractNode node = start("a");
        ScheduleName nightly = new ScheduleName(SampleJobs.ACME, "nightly");
        Schedule schedule = schedule(nightly);
        Schedule other = schedule(new ScheduleName(SampleJobs.ACME, "other"));
        node.append();
        node.flush(new FlushDraft().schedules(new Flush.Schedules(List.of(schedule, other), List.of(), List.of())));
        assertThat(start("b").recovered.schedules).containsExactlyInAnyOrder(schedule, other);

        ContractNode next = start("c");
        JobId job = jobs.spec().id();
        ScheduleProgress moved = schedule.progress()
                .change()
                .cursor(90)
                .fired(90, job, 95)
                .opened(job)
                .build(95);
        Schedule revised =
                other.revised(ScheduleRules.at(new TimeRule.Once(1_000)).pausing(), NewJob.of("u", Payload.EMPTY), 70);
        next.append();
        next.flush(new FlushDraft()
                .schedules(new Flush.Schedules(
                        List.of(revised), List.of(new Flush.ScheduleMove(nightly, moved)), List.of())));
        assertThat(start("d").recovered.schedules).containsExactlyInAnyOrder(schedule.with(moved), revised);

        ContractNode last = start("e");
        last.append();
        last.flush(new FlushDraft().schedules(new Flush.Schedules(List.of(), List.of(), List.of(nightly))));
        assertThat(start("f").recovered.schedules).containsExactly(revised);
    }

    private static Schedule schedule(ScheduleName id) {
        Cron cron = new Cron(1, 1L << 59, 1 << 23, 1 << 31, 1 << 12, 1, 1, 1 << 31, 1L << 41);
        TimeRule rule = new TimeRule.InZone(
                cron, "59 23 31 12 0", "Europe/Berlin", CronTicks.Gap.SHIFT, CronTicks.Overlap.BOTH);
        NewJob job = new NewJob(
                "report",
                new Payload(new byte[] {1, 2}, "x/y"),
                3,
                -1,
                0,
                0,
                0,
                4,
                5,
                "",
                0,
                Map.of("a", "b"),
                Map.of("c", "d"),
                JobTerms.NONE.inLane("night"));
        return Schedule.made(id, ScheduleRules.at(rule).catching(ScheduleRules.Catchup.ALL, 7), job, 50);
    }

    @Test
    void groups_are_told_until_they_are_done_and_found_afterwards() {
        ContractNode node = start("a");
        JobSpec callback = jobs.spec();
        JobId id = callback.id();
        JobSpec one = jobs.spec();
        JobSpec two = jobs.spec();
        GroupProgress begun = GroupProgress.begun(5);
        JobGroup group = new JobGroup(
                id, callback.tenant(), "night", JobGroup.CallbackOn.ALL_SUCCEEDED, callback, 5, begun.joined(6));
        JobGroup plain =
                new JobGroup(one.id(), SampleJobs.ACME, "", JobGroup.CallbackOn.ALL_DONE, null, 5, begun.sealed(7));
        node.append();
        node.flush(new FlushDraft()
                .groups(new Flush.Groups(List.of(group, plain), List.of(), List.of(new Flush.Member(id, two.id())))));
        assertThat(start("b").recovered.groups).containsExactlyInAnyOrder(group, plain);
        assertThat(Outcome.of(node.journal.group(null, id))).contains(group);
        assertThat(Outcome.of(node.journal.group(new TenantId(99), id))).isEmpty();
        assertThat(Outcome.of(node.journal.group(null, two.id()))).isEmpty();

        ContractNode next = start("c");
        GroupProgress done = begun.joined(6).joined(7).sealed(8).done(two.id(), 9);
        next.append();
        next.flush(new FlushDraft()
                .groups(new Flush.Groups(
                        List.of(), List.of(new Flush.GroupChange(id, done)), List.of(new Flush.Member(id, one.id())))));
        assertThat(start("d").recovered.groups).containsExactly(plain);
        assertThat(Outcome.of(next.journal.group(group.tenant(), id))).contains(group.with(done));
        List<JobId> all = Outcome.of(next.journal.groupMembers(id, null, 10));
        assertThat(all).containsExactly(one.id(), two.id());
        assertThat(Outcome.of(next.journal.groupMembers(id, null, 1))).containsExactly(one.id());
        assertThat(Outcome.of(next.journal.groupMembers(id, one.id(), 10))).containsExactly(two.id());
        assertThat(Outcome.of(next.journal.groupMembers(one.id(), null, 10))).isEmpty();
    }

    @Test
    void closed_gates_are_told_until_they_are_opened() {
        ContractNode node = start("a");
        Gate type = gate(Gate.Kind.TYPE, SampleJobs.ACME, "t", true);
        Gate lane = gate(Gate.Kind.LANE, SampleJobs.ACME, "t", true);
        Gate tenant = gate(Gate.Kind.TENANT, SampleJobs.ACME, "", true);
        Gate pool = gate(Gate.Kind.POOL, Gate.EVERYBODY, "short", true);
        node.append();
        node.flush(new FlushDraft().gate(type).gate(lane).gate(tenant).gate(pool));
        assertThat(start("b").recovered.gates).containsExactlyInAnyOrder(type, lane, tenant, pool);

        ContractNode next = start("c");
        next.append();
        next.flush(new FlushDraft()
                .gate(gate(Gate.Kind.LANE, SampleJobs.ACME, "t", false))
                .gate(gate(Gate.Kind.POOL, Gate.EVERYBODY, "short", false))
                .gate(pool));
        assertThat(start("d").recovered.gates).containsExactlyInAnyOrder(type, tenant, pool);
    }

    @Test
    void a_flush_may_stop_before_the_last_batch() {
        ContractNode node = start("a");
        JobSpec one = jobs.spec();
        Fact two = added();
        node.append(added(one));
        node.append(two);
        Outcome.of(node.journal.flush(
                node.log(), new FlushDraft().added(one, jobs.queued()).upTo(1)));

        Recovered recovered = start("b").recovered;
        assertThat(recovered.open).containsOnlyKeys(one.id());
        assertThat(recovered.tail).containsExactly(two);
    }

    @Test
    void a_flush_beyond_the_last_batch_is_refused() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec();
        node.append();
        Outcome.failure(
                IllegalStateException.class,
                node.journal.flush(
                        node.log(), new FlushDraft().added(spec, jobs.queued()).upTo(2)));

        assertThat(Outcome.of(node.journal.find(null, spec.id()))).isEmpty();
    }

    @Test
    void a_job_that_ended_between_two_flushes_is_never_open() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec();
        node.append(added(spec));
        node.append(new Fact.JobEnded(spec.id(), jobs.ended(JobState.SUCCEEDED), RESULT, null, null));
        node.flush(new FlushDraft().endedUnstored(spec, jobs.ended(JobState.SUCCEEDED), RESULT, null));

        assertThat(Outcome.of(node.journal.find(null, spec.id())))
                .contains(new JobView(spec, jobs.ended(JobState.SUCCEEDED), RESULT, null));
        assertThat(Outcome.of(node.journal.specs(StoredJob.anywhere(List.of(spec.id())))))
                .isEmpty();
        assertThat(start("b").recovered.open).isEmpty();
    }

    @Test
    void the_newest_image_of_a_job_counts() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec();
        node.append(added(spec));
        int home = node.flush(new FlushDraft().added(spec, jobs.queued()));
        for (int i = 1; i <= 3 * SEGMENT_ROWS; i++) {
            node.append(new Fact.JobChanged(spec.id(), jobs.leased(i)));
            node.flush(new FlushDraft().changed(spec.id(), jobs.leased(i)));
        }

        JobStatus newest = jobs.leased(3 * SEGMENT_ROWS);
        assertThat(Outcome.of(node.journal.find(null, spec.id()))).contains(new JobView(spec, newest, null, null));
        assertThat(start("b").recovered.open).isEqualTo(Map.of(spec.id(), open(spec, newest, home)));
    }

    @Test
    void an_ended_job_without_spec_is_completed_from_its_stored_row() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec();
        Failure failure = new Failure(FailureClass.NON_RETRYABLE, "no such user", "at Mailer.send", 7);
        node.append(added(spec));
        int segment = node.flush(new FlushDraft().added(spec, jobs.queued()));
        node.append();
        node.flush(new FlushDraft().changed(spec.id(), jobs.leased(1)));
        node.append();
        node.flush(new FlushDraft().ended(spec.id(), jobs.ended(JobState.DEAD), null, failure, segment));

        assertThat(Outcome.of(node.journal.find(null, spec.id())))
                .contains(new JobView(spec, jobs.ended(JobState.DEAD), null, failure));
        assertThat(Outcome.of(node.journal.specs(StoredJob.anywhere(List.of(spec.id())))))
                .isEmpty();
        assertThat(start("b").recovered.open).isEmpty();
    }

    @Test
    void a_stored_job_may_also_end_with_its_spec_at_hand() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec();
        node.append(added(spec));
        int segment = node.flush(new FlushDraft().added(spec, jobs.queued()));
        node.append();
        node.flush(new FlushDraft().endedKnown(spec, jobs.ended(JobState.SUCCEEDED), RESULT, segment));

        assertThat(Outcome.of(node.journal.find(null, spec.id())))
                .contains(new JobView(spec, jobs.ended(JobState.SUCCEEDED), RESULT, null));
        assertThat(start("b").recovered.open).isEmpty();
    }

    @Test
    void an_empty_result_is_not_a_missing_one() {
        ContractNode node = start("a");
        JobSpec empty = jobs.spec();
        JobSpec missing = jobs.spec();
        node.append();
        node.flush(new FlushDraft()
                .endedUnstored(empty, jobs.ended(JobState.SUCCEEDED), Payload.EMPTY, null)
                .endedUnstored(missing, jobs.ended(JobState.CANCELLED), null, null));

        assertThat(Outcome.of(node.journal.find(null, empty.id())).orElseThrow().result())
                .isEqualTo(Payload.EMPTY);
        assertThat(Outcome.of(node.journal.find(null, missing.id()))
                        .orElseThrow()
                        .result())
                .isNull();
    }

    @Test
    void repeating_a_flush_is_harmless() {
        ContractNode node = start("a");
        JobSpec kept = jobs.spec();
        JobSpec ended = jobs.spec();
        node.append(added(kept));
        Flush first = new FlushDraft()
                .added(kept, jobs.queued())
                .endedUnstored(ended, jobs.ended(JobState.SUCCEEDED), RESULT, null)
                .upTo(1);
        FlushReceipt receipt = Outcome.of(node.journal.flush(node.log(), first));

        assertThat(Outcome.of(node.journal.flush(node.log(), first))).isEqualTo(receipt);

        node.append();
        Flush second = new FlushDraft()
                .ended(kept.id(), jobs.ended(JobState.SUCCEEDED), RESULT, null, receipt.segment())
                .upTo(2);
        FlushReceipt secondReceipt = Outcome.of(node.journal.flush(node.log(), second));
        assertThat(Outcome.of(node.journal.flush(node.log(), second))).isEqualTo(secondReceipt);
        // A late twin of the first, which would bring the ended job back.
        Outcome.of(node.journal.flush(node.log(), first));

        assertThat(Outcome.of(node.journal.list(new JobQuery(null, Set.of(), "", null, 10)))
                        .jobs())
                .extracting(job -> job.spec().id())
                .containsExactly(ended.id(), kept.id());
        assertThat(start("b").recovered.open).isEmpty();
    }

    @Test
    void the_first_flush_of_a_log_covers_the_tails_before_it() {
        JobSpec one = jobs.spec();
        JobSpec two = jobs.spec();
        start("a").append(added(one));
        ContractNode second = start("b");
        second.append(added(two));

        ContractNode third = start("c");
        assertThat(third.recovered.tail).as("before it").containsExactly(added(one), added(two));
        Fact own = added();
        third.append(own);
        Outcome.of(third.journal.flush(
                third.log(),
                new FlushDraft()
                        .added(one, jobs.queued())
                        .added(two, jobs.queued())
                        .upTo(0)));

        Recovered recovered = start("d").recovered;
        assertThat(recovered.open).as("after it").containsOnlyKeys(one.id(), two.id());
        assertThat(recovered.tail).as("after it").containsExactly(own);
    }

    @Test
    void a_first_flush_up_to_nothing_can_be_repeated() {
        JobSpec one = jobs.spec();
        start("a").append(added(one));
        ContractNode second = start("b");
        Flush flush = new FlushDraft().added(one, jobs.queued()).upTo(0);
        FlushReceipt receipt = Outcome.of(second.journal.flush(second.log(), flush));

        assertThat(Outcome.of(second.journal.flush(second.log(), flush))).isEqualTo(receipt);
        assertThat(start("c").recovered.open).containsOnlyKeys(one.id());
    }

    @Test
    void tenants_and_types_are_kept_as_last_set() {
        ContractNode node = start("a");
        Tenant acme = new Tenant(SampleJobs.ACME, "acme", 10, 1);
        Tenant globex = new Tenant(SampleJobs.GLOBEX, "globex", 20, 2);
        Tenant heavier = new Tenant(SampleJobs.ACME, "acme", 100, 3, new GeneratedFacts(7).tenantRules());
        JobType mail = new JobType(SampleJobs.ACME, "mail", "short", 3, 5_000_000, 1);
        JobType theirs = new JobType(SampleJobs.GLOBEX, "mail", "long", 0, 0, 2);
        JobType slower = new JobType(
                SampleJobs.ACME,
                "mail",
                "medium",
                4,
                6_000_000,
                3,
                new GeneratedFacts(8).rules(),
                5,
                new JobType.Moved("long", 9));
        node.append();
        node.flush(new FlushDraft().tenant(acme).tenant(globex).type(mail).type(theirs));
        node.append();
        node.flush(new FlushDraft().tenant(heavier).type(slower));

        Recovered recovered = start("b").recovered;
        assertThat(recovered.tenants).containsExactlyInAnyOrder(heavier, globex);
        assertThat(recovered.types).containsExactlyInAnyOrder(slower, theirs);
    }

    @Test
    void keys_of_stored_jobs_are_recovered() {
        ContractNode node = start("a");
        JobSpec open = jobs.spec(SampleJobs.ACME, "t", "order-1");
        JobSpec ended = jobs.spec(SampleJobs.GLOBEX, "t", "order-1");
        JobSpec later = jobs.spec(SampleJobs.ACME, "t", "schlüssel");
        node.append();
        int segment = node.flush(new FlushDraft()
                .added(open, jobs.queued())
                .added(later, jobs.queued())
                .added(jobs.spec(), jobs.queued())
                .endedUnstored(ended, jobs.ended(JobState.SUCCEEDED), null, null));
        node.append();
        node.flush(new FlushDraft().ended(later.id(), jobs.ended(JobState.SUCCEEDED), null, null, segment));

        assertThat(start("b").recovered.keys)
                .isEqualTo(Map.of(
                        "1/order-1", key(open),
                        "2/order-1", key(ended),
                        "1/schlüssel", key(later)));
    }

    @Test
    void older_keys_are_told_by_name_and_looked_up() {
        ContractNode node = start("a");
        long now = node.opened.nowAt();
        SampleJobs before = new SampleJobs(now - 5 * HOUR, 1);
        JobSpec open = before.spec(SampleJobs.ACME, "t", "order-1");
        JobSpec ended = before.spec(SampleJobs.ACME, "t", "order-2");
        JobSpec dead = before.spec(SampleJobs.GLOBEX, "t", "order-1");
        JobSpec recent = jobs.spec(SampleJobs.ACME, "t", "order-3");
        node.append();
        node.flush(new FlushDraft()
                .added(open, before.queued())
                .added(recent, jobs.queued())
                .endedUnstored(ended, before.ended(JobState.SUCCEEDED), null, null)
                .endedUnstored(dead, before.ended(JobState.DEAD), null, null));

        ContractNode next = start("b");
        Recovered recovered = next.recovered;
        assertThat(recovered.keys).isEqualTo(Map.of("1/order-3", key(recent)));
        assertThat(recovered.sealedKeys)
                .isEqualTo(Map.of(
                        "1/order-1",
                        open.submittedAt(),
                        "1/order-2",
                        ended.submittedAt(),
                        "2/order-1",
                        dead.submittedAt()));
        assertThat(recovered.deadKeys)
                .containsExactly(
                        Map.entry("2/order-1", before.ended(JobState.DEAD).changedAt()));

        long from = open.submittedAt();
        assertThat(Outcome.of(next.journal.findKeys(List.of(
                        new KeyProbe(SampleJobs.ACME, "order-2", from, from + 1, false),
                        new KeyProbe(SampleJobs.ACME, "order-2", from + 1, now + 1, false),
                        new KeyProbe(SampleJobs.ACME, "order-9", 0, now + 1, true),
                        new KeyProbe(SampleJobs.GLOBEX, "order-1", 0, 0, true),
                        new KeyProbe(SampleJobs.GLOBEX, "order-2", from, now + 1, true),
                        new KeyProbe(SampleJobs.ACME, "order-1", from - HOUR, now + 1, false)))))
                .containsExactly(
                        Optional.of(stored(ended, JobState.SUCCEEDED)),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(stored(dead, JobState.DEAD)),
                        Optional.empty(),
                        Optional.of(stored(open, null)));
        assertThat(Outcome.of(next.journal.findKeys(List.of()))).isEmpty();
    }

    @Test
    void of_a_key_submitted_twice_the_later_is_found() {
        ContractNode node = start("a");
        SampleJobs before = new SampleJobs(node.opened.nowAt() - 5 * HOUR, 1);
        JobSpec first = before.spec(SampleJobs.ACME, "t", "again");
        JobSpec second = jobs.spec(SampleJobs.ACME, "t", "again");
        node.append();
        node.flush(new FlushDraft()
                .endedUnstored(first, before.ended(JobState.DEAD), null, null)
                .added(second, jobs.queued()));

        KeyProbe everywhere = new KeyProbe(SampleJobs.ACME, "again", 0, Long.MAX_VALUE, true);
        assertThat(Outcome.of(node.journal.findKeys(List.of(everywhere))))
                .containsExactly(Optional.of(stored(second, null)));
    }

    private static StoredKey stored(JobSpec spec, @Nullable JobState end) {
        return new StoredKey(spec.id(), spec.bodyHash(), spec.submittedAt(), end);
    }

    private static final long HOUR = 3_600_000_000L;

    private static Recovered.Key key(JobSpec spec) {
        return new Recovered.Key(spec.tenant(), spec.id(), spec.bodyHash(), spec.submittedAt());
    }
}
