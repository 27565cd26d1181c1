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
import dev.fairlane.journal.ApiKeyStore.ApiKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What every journal does: extend it and give it a store. Its earlier parts are {@link LogContract} (who writes), {@link ProjectionContract}
 * (flushes), {@link SegmentContract} (open rows) and {@link DeadLetterContract}; this one is about what people ask, upkeep, and credentials.
 */
public abstract class JournalContract extends DeadLetterContract {
    private static final long DAY = Duration.ofDays(1).toNanos() / 1000;

    private static JobQuery all(@Nullable TenantId scope, int limit) {
        return new JobQuery(scope, Set.of(), "", null, limit);
    }

    private static List<JobId> ids(Journal journal, JobQuery query) {
        return Outcome.of(journal.list(query)).jobs().stream()
                .map(job -> job.spec().id())
                .toList();
    }

    @Test
    void a_job_is_found_by_its_tenant_and_by_those_who_see_all() {
        ContractNode node = start("a");
        JobSpec open = jobs.spec(SampleJobs.ACME, "t", "");
        JobSpec ended = jobs.spec(SampleJobs.GLOBEX, "t", "");
        node.append();
        node.flush(new FlushDraft()
                .added(open, jobs.queued())
                .endedUnstored(ended, jobs.ended(JobState.SUCCEEDED), null, null));
        Journal reader = connect("reader");

        assertThat(Outcome.of(reader.find(SampleJobs.ACME, open.id())))
                .contains(new JobView(open, jobs.queued(), null, null));
        assertThat(Outcome.of(reader.find(SampleJobs.GLOBEX, open.id()))).isEmpty();
        assertThat(Outcome.of(reader.find(SampleJobs.GLOBEX, ended.id())))
                .contains(new JobView(ended, jobs.ended(JobState.SUCCEEDED), null, null));
        assertThat(Outcome.of(reader.find(SampleJobs.ACME, ended.id()))).isEmpty();
        assertThat(Outcome.of(reader.find(null, ended.id()))).isPresent();
        assertThat(Outcome.of(reader.find(null, jobs.spec().id()))).isEmpty();
    }

    @Test
    void what_is_only_appended_is_not_found() {
        ContractNode node = start("a");
        JobSpec spec = jobs.spec();
        node.append(added(spec));

        assertThat(Outcome.of(node.journal.find(null, spec.id()))).isEmpty();
        assertThat(ids(node.journal, all(null, 10))).isEmpty();
    }

    @Test
    void lists_are_newest_first_and_filtered() {
        ContractNode node = start("a");
        JobSpec mail = jobs.spec(SampleJobs.ACME, "mail", "");
        JobSpec report = jobs.spec(SampleJobs.ACME, "report", "");
        JobSpec theirs = jobs.spec(SampleJobs.GLOBEX, "mail", "");
        JobSpec leased = jobs.spec(SampleJobs.ACME, "mail", "");
        JobSpec dead = jobs.spec(SampleJobs.ACME, "mail", "");
        node.append();
        int segment = node.flush(new FlushDraft()
                .added(mail, jobs.queued())
                .added(theirs, jobs.queued())
                .added(leased, jobs.queued())
                .endedUnstored(report, jobs.ended(JobState.SUCCEEDED), null, null));
        node.append();
        node.flush(new FlushDraft()
                .changed(leased.id(), jobs.leased(1))
                .endedUnstored(dead, jobs.ended(JobState.DEAD), null, Failure.of(FailureClass.NON_RETRYABLE, "no")));
        assertThat(segment).isNotNegative();
        Journal reader = connect("reader");

        assertThat(ids(reader, all(null, 10)))
                .containsExactlyElementsOf(newestFirst(mail, report, theirs, leased, dead));
        assertThat(ids(reader, all(SampleJobs.ACME, 10)))
                .containsExactlyElementsOf(newestFirst(mail, report, leased, dead));
        assertThat(ids(reader, new JobQuery(null, Set.of(), "mail", null, 10)))
                .containsExactlyElementsOf(newestFirst(mail, theirs, leased, dead));
        assertThat(ids(reader, new JobQuery(null, Set.of(JobState.QUEUED), "", null, 10)))
                .containsExactlyElementsOf(newestFirst(mail, theirs));
        assertThat(ids(reader, new JobQuery(null, Set.of(JobState.LEASED), "", null, 10)))
                .containsExactly(leased.id());
        assertThat(ids(reader, new JobQuery(SampleJobs.ACME, Set.of(JobState.DEAD, JobState.LEASED), "mail", null, 10)))
                .containsExactlyElementsOf(newestFirst(leased, dead));
        assertThat(ids(reader, new JobQuery(SampleJobs.GLOBEX, Set.of(JobState.DEAD), "", null, 10)))
                .isEmpty();
    }

    private static List<JobId> newestFirst(JobSpec... specs) {
        return List.of(specs).stream()
                .map(JobSpec::id)
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    @Test
    void listed_jobs_carry_where_they_are_and_how_they_ended() {
        ContractNode node = start("a");
        JobSpec dead = jobs.spec();
        JobSpec open = jobs.spec();
        JobStatus status = jobs.ended(JobState.DEAD);
        Failure failure = new Failure(FailureClass.APP_ERROR, "boom", "at X", 0);
        node.append();
        node.flush(new FlushDraft().added(open, jobs.leased(2)).endedUnstored(dead, status, null, failure));

        List<JobView> listed = Outcome.of(node.journal.list(all(null, 10))).jobs();

        assertThat(listed).extracting(JobView::status).containsExactlyInAnyOrder(status, jobs.leased(2));
        assertThat(listed).extracting(JobView::failure).containsExactlyInAnyOrder(failure, null);
        assertThat(listed).extracting(view -> view.spec().tags()).containsOnly(dead.tags());
    }

    @Test
    void pages_have_no_gap_and_no_double_while_flushes_go_on() {
        ContractNode node = start("a");
        List<JobSpec> first = new ArrayList<>();
        FlushDraft draft = new FlushDraft();
        for (int i = 0; i < 11; i++) {
            first.add(jobs.spec());
            draft.added(first.getLast(), jobs.queued());
        }
        node.append();
        int segment = node.flush(draft);

        List<JobId> seen = new ArrayList<>();
        JobId before = null;
        int turn = 0;
        do {
            JobPage page = Outcome.of(node.journal.list(new JobQuery(SampleJobs.ACME, Set.of(), "", before, 3)));
            page.jobs().forEach(job -> seen.add(job.spec().id()));
            assertThat(page.jobs()).hasSizeLessThanOrEqualTo(3);
            before = page.next();
            // Jobs end on pages that are past and on pages that are to come, and new ones arrive.
            node.append();
            node.flush(new FlushDraft()
                    .added(jobs.spec(), jobs.queued())
                    .ended(first.get(turn).id(), jobs.ended(JobState.SUCCEEDED), null, null, segment)
                    .ended(first.get(10 - turn).id(), jobs.ended(JobState.DEAD), null, null, segment));
            turn++;
        } while (before != null && turn < 10);

        assertThat(seen).containsExactlyElementsOf(newestFirst(first.toArray(JobSpec[]::new)));
    }

    @Test
    void the_last_page_says_so() {
        ContractNode node = start("a");
        JobSpec one = jobs.spec();
        JobSpec two = jobs.spec();
        node.append();
        node.flush(new FlushDraft()
                .added(one, jobs.queued())
                .endedUnstored(two, jobs.ended(JobState.SUCCEEDED), null, null));

        JobPage page = Outcome.of(node.journal.list(all(null, 1)));
        assertThat(page.next()).isEqualTo(page.jobs().getFirst().spec().id());
        JobPage last = Outcome.of(node.journal.list(new JobQuery(null, Set.of(), "", page.next(), 1)));
        assertThat(last.next()).isNull();
        assertThat(last.jobs()).hasSize(1);
        assertThat(Outcome.of(node.journal.list(all(null, 2))).next()).isNull();
    }

    @Test
    void upkeep_drops_what_is_older_than_its_retention_and_nothing_else() {
        ContractNode node = start("a");
        long now = node.opened.nowAt();
        SampleJobs old = new SampleJobs(now - 20 * DAY, 1);
        SampleJobs young = new SampleJobs(now - DAY, 1);
        JobSpec oldDone = old.spec(SampleJobs.ACME, "t", "old-done");
        JobSpec oldDead = old.spec(SampleJobs.ACME, "t", "old-dead");
        JobSpec oldOpen = old.spec(SampleJobs.ACME, "t", "old-open");
        JobSpec youngDone = young.spec(SampleJobs.ACME, "t", "young-done");
        Retention retention = new Retention(Duration.ofDays(10), Duration.ofDays(30), Duration.ofDays(5), 0);
        node.append();
        node.flush(new FlushDraft()
                .added(oldOpen, old.queued())
                .endedUnstored(oldDone, old.ended(JobState.SUCCEEDED), null, null)
                .endedUnstored(oldDead, old.ended(JobState.DEAD), null, null)
                .endedUnstored(youngDone, young.ended(JobState.SUCCEEDED), null, null));

        Outcome.of(node.journal.maintain(node.log(), retention));

        assertThat(Outcome.of(node.journal.find(null, oldDone.id()))).isEmpty();
        assertThat(Outcome.of(node.journal.find(null, oldDead.id()))).isPresent();
        assertThat(Outcome.of(node.journal.find(null, oldOpen.id()))).isPresent();
        assertThat(Outcome.of(node.journal.find(null, youngDone.id()))).isPresent();
        Recovered recovered = start("b").recovered;
        assertThat(recovered.keys).isEmpty();
        assertThat(recovered.sealedKeys).containsOnlyKeys("1/young-done");
        assertThat(recovered.deadKeys).containsOnlyKeys("1/old-dead");
        assertThat(recovered.open).containsOnlyKeys(oldOpen.id());
    }

    @Test
    void upkeep_never_touches_a_tail() {
        Fact one = added();
        Fact two = added();
        start("a").append(one);
        ContractNode node = start("b");
        node.append(two);
        Outcome.of(node.journal.maintain(node.log(), Retention.DEFAULT));
        node.append();

        assertThat(start("c").recovered.tail).containsExactly(one, two);
    }

    @Test
    void a_log_goes_on_after_its_projected_batches_were_dropped() {
        ContractNode node = start("a");
        node.append(added());
        node.flush(new FlushDraft());
        Outcome.of(node.journal.maintain(node.log(), Retention.DEFAULT));
        Fact two = added();
        node.append(two);
        Outcome.of(node.journal.maintain(node.log(), Retention.DEFAULT));

        assertThat(start("b").recovered.tail).containsExactly(two);
    }

    @Test
    void a_tenant_has_its_newest_webhook_secret_and_the_one_before() {
        WebhookSecretStore here = connect("a").webhookSecrets();
        WebhookSecretStore there = connect("b").webhookSecrets();
        WebhookSecretStore.Secret one = new WebhookSecretStore.Secret("one", 1);
        WebhookSecretStore.Secret two = new WebhookSecretStore.Secret("two", 2);
        WebhookSecretStore.Secret three = new WebhookSecretStore.Secret("three", 3);

        assertThat(Outcome.of(here.of(SampleJobs.ACME))).isEmpty();
        assertThat(Outcome.of(here.ensure(SampleJobs.ACME, one))).containsExactly(one);
        assertThat(Outcome.of(there.ensure(SampleJobs.ACME, two))).containsExactly(one);
        assertThat(Outcome.of(there.rotate(SampleJobs.ACME, two))).containsExactly(two, one);
        assertThat(Outcome.of(here.rotate(SampleJobs.ACME, three))).containsExactly(three, two);
        assertThat(Outcome.of(there.of(SampleJobs.ACME))).containsExactly(three, two);
        assertThat(Outcome.of(there.of(new TenantId(77)))).isEmpty();
        assertThat(three.toString()).doesNotContain("three");
    }

    @Test
    void credentials_are_kept_once_seen_everywhere_and_revoked() {
        ApiKeyStore here = connect("a").keys();
        ApiKeyStore there = connect("b").keys();
        ApiKey admin = new ApiKey("k1", new byte[] {1, 2}, "admin", "", "admin", 5, 0);
        ApiKey worker = new ApiKey("k2", new byte[] {3}, "worker of acme", "acme", "worker", 6, 0);

        assertThat(Outcome.of(here.all())).isEmpty();
        assertThat(Outcome.of(here.add(admin))).isTrue();
        assertThat(Outcome.of(there.add(worker))).isTrue();
        assertThat(Outcome.of(there.add(new ApiKey("k1", new byte[] {9}, "thief", "", "admin", 7, 0))))
                .isFalse();
        assertThat(Outcome.of(there.all()))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactlyInAnyOrder(admin, worker);

        assertThat(Outcome.of(here.revoke("k2", 99))).isTrue();
        assertThat(Outcome.of(here.revoke("k3", 99))).isFalse();
        assertThat(Outcome.of(there.all()))
                .filteredOn(key -> key.revokedAt() != 0)
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(new ApiKey("k2", new byte[] {3}, "worker of acme", "acme", "worker", 6, 99));
    }
}
