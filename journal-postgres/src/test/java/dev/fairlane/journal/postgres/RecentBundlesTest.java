package dev.fairlane.journal.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Fact.JobAdded;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.ContractNode;
import dev.fairlane.journal.FactCodec;
import dev.fairlane.journal.Fetched;
import dev.fairlane.journal.FlushDraft;
import dev.fairlane.journal.Outcome;
import dev.fairlane.journal.SampleJobs;
import dev.fairlane.journal.StoredJob;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs that were stored lately. What every journal does is in {@link RecentJournalContract}. */
class RecentBundlesTest extends JournalOnPostgres {
    private static final TenantId ACME = SampleJobs.ACME;

    private long nanos = 1;
    private final RecentBundles recent = new RecentBundles(30_000, () -> nanos);

    private List<JobSpec> specs(TenantId tenant, int count) {
        List<JobSpec> specs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            specs.add(jobs.spec(tenant, "t", "").withPayload(payload("p".repeat(80) + i)));
        }
        return specs;
    }

    private static Payload payload(String text) {
        return new Payload(text.getBytes(StandardCharsets.UTF_8), "application/octet-stream");
    }

    private List<Bundle> bundles(List<JobSpec> specs) {
        List<Bundle> bundles = new ArrayList<>();
        List<JobAdded> added = specs.stream()
                .map(spec -> new JobAdded(spec, jobs.queued()))
                .sorted(Comparator.comparing(JobAdded::id))
                .toList();
        Bundle.pack(added, new FactCodec(), bundles::add, alone -> {});
        return bundles;
    }

    /** @return the segment they are in */
    private int store(ContractNode node, List<JobSpec> specs) {
        FlushDraft draft = new FlushDraft();
        specs.forEach(spec -> draft.added(spec, jobs.queued()));
        node.append();
        return node.flush(draft);
    }

    private static StoredJob stored(JobSpec spec) {
        return new StoredJob(spec.id(), spec.tenant().number(), 1);
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    /** Those of them that are here. */
    private Map<JobId, JobSpec> found(List<JobSpec> asked) {
        Map<JobId, JobSpec> found = new HashMap<>();
        List<JobSpec> beside = new ArrayList<>();
        List<StoredJob> left =
                recent.find(asked.stream().map(RecentBundlesTest::stored).toList(), found, beside);
        assertThat(found.size() + left.size()).isEqualTo(asked.size());
        return found;
    }

    @Test
    void what_was_stored_lately_is_found_without_the_database() throws SQLException {
        ContractNode node = new ContractNode(connect(config().withRecentBytes(1 << 20)), "a");
        List<JobSpec> specs = specs(ACME, 8);
        int segment = store(node, specs);
        JobSpec one = specs.get(3);
        run(connection(), "TRUNCATE fairlane.job_open_0");

        Fetched fetched = Outcome.of(node.journal.fetch(List.of(new StoredJob(one.id(), ACME.number(), segment))));

        assertThat(fetched.asked()).containsOnlyKeys(one.id()).containsValue(one);
        assertThat(fetched.beside()).hasSize(7).doesNotContain(one);
    }

    @Test
    void a_job_that_was_changed_is_read_as_it_is_now_and_others_beside_it_are_still_here() throws SQLException {
        ContractNode node = new ContractNode(connect(config().withRecentBytes(1 << 20)), "a");
        List<JobSpec> specs = specs(ACME, 8);
        int segment = store(node, specs);
        JobSpec changed = specs.get(3).withPayload(payload("other"));
        node.append();
        int home = node.flush(new FlushDraft().revised(changed, jobs.queued(), segment));

        StoredJob job = new StoredJob(changed.id(), ACME.number(), home);
        assertThat(Outcome.of(node.journal.specs(List.of(job)))).containsEntry(changed.id(), changed);
        run(connection(), "TRUNCATE fairlane.job_open_0");
        StoredJob other = new StoredJob(specs.get(4).id(), ACME.number(), segment);
        assertThat(Outcome.of(node.journal.specs(List.of(job, other)))).containsOnlyKeys(other.id());
    }

    @Test
    void who_opens_a_log_again_finds_nothing_from_before_since_another_may_have_changed_it() {
        PostgresJournal journal = connect(config().withRecentBytes(1 << 20));
        ContractNode before = new ContractNode(journal, "a");
        List<JobSpec> specs = specs(ACME, 8);
        int segment = store(before, specs);
        ContractNode other = start("b");
        JobSpec changed = specs.get(3).withPayload(payload("other"));
        other.append();
        int home = other.flush(new FlushDraft().revised(changed, jobs.queued(), segment));

        ContractNode again = new ContractNode(journal, "a");

        StoredJob job = new StoredJob(changed.id(), ACME.number(), home);
        assertThat(Outcome.of(again.journal.specs(List.of(job)))).containsEntry(changed.id(), changed);
    }

    @Test
    void jobs_of_several_flushes_and_tenants_are_told_apart() {
        List<JobSpec> ours = specs(ACME, 60);
        List<JobSpec> theirs = specs(SampleJobs.GLOBEX, 60);
        List<JobSpec> later = specs(ACME, 5);
        recent.flushed(new FlushDraft().upTo(1), bundles(ours));
        recent.flushed(new FlushDraft().upTo(2), bundles(theirs));
        recent.flushed(new FlushDraft().upTo(3), bundles(later));

        for (List<JobSpec> specs : List.of(ours, theirs, later)) {
            assertThat(found(specs).values()).containsExactlyInAnyOrderElementsOf(specs);
        }
        assertThat(found(specs(ACME, 3))).isEmpty();
    }

    @Test
    void what_does_not_fit_is_not_taken_and_there_is_room_when_jobs_have_ended() {
        List<JobSpec> first = specs(ACME, 120);
        List<JobSpec> second = specs(ACME, 120);
        recent.flushed(new FlushDraft().upTo(1), bundles(first));
        recent.flushed(new FlushDraft().upTo(2), bundles(second));
        assertThat(recent.bytes()).isBetween(20_000L, 30_000L);
        assertThat(found(first)).hasSize(120);
        assertThat(found(second)).hasSizeLessThan(120);

        FlushDraft draft = new FlushDraft();
        first.forEach(spec -> draft.endedKnown(spec, jobs.ended(JobState.SUCCEEDED), null, 1));
        recent.flushed(draft.upTo(3), bundles(second));

        assertThat(found(first)).isEmpty();
        assertThat(found(second)).hasSize(120);
    }

    @Test
    void a_server_at_rest_keeps_nothing_and_one_that_moves_keeps_nothing_that_is_old() {
        List<JobSpec> specs = specs(ACME, 50);
        recent.flushed(new FlushDraft().upTo(1), bundles(specs));
        pass(Duration.ofMillis(1_900));
        recent.tend();
        assertThat(found(specs)).hasSize(50);
        pass(Duration.ofMillis(2_100));
        recent.tend();
        assertThat(recent.bytes()).isZero();
        assertThat(found(specs)).isEmpty();

        recent.flushed(new FlushDraft().upTo(2), bundles(specs));
        for (int second = 0; second < 60; second++) {
            pass(Duration.ofSeconds(1));
            assertThat(found(specs)).hasSize(50);
            recent.tend();
        }
        pass(Duration.ofSeconds(1));
        recent.tend();
        assertThat(found(specs)).isEmpty();
        assertThat(recent.bytes()).isZero();
    }

    @Test
    void very_many_changed_jobs_empty_it() {
        List<JobSpec> specs = specs(ACME, 50);
        recent.flushed(new FlushDraft().upTo(1), bundles(specs));
        FlushDraft draft = new FlushDraft();
        specs(SampleJobs.GLOBEX, 10_001).forEach(spec -> draft.revised(spec, jobs.queued(), 1));
        recent.flushed(draft.upTo(2), List.of());

        assertThat(found(specs)).isEmpty();
        assertThat(recent.bytes()).isZero();
    }
}
