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
import dev.fairlane.journal.JobPage;
import dev.fairlane.journal.JobQuery;
import dev.fairlane.journal.Outcome;
import dev.fairlane.journal.SampleJobs;
import dev.fairlane.journal.StoredJob;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Jobs of a tenant that are stored together. What every journal does is in {@link BundledJournalContract}. */
class BundleTest extends JournalOnPostgres {
    private final FactCodec codec = new FactCodec();

    private JobSpec spec(TenantId tenant, int payload) {
        byte[] bytes = new byte[payload];
        new Random(payload).nextBytes(bytes);
        return jobs.spec(tenant, "t", "").withPayload(new Payload(bytes, "application/octet-stream"));
    }

    private int store(ContractNode node, List<JobSpec> specs) {
        FlushDraft draft = new FlushDraft();
        specs.forEach(spec -> draft.added(spec, jobs.queued()));
        node.append();
        return node.flush(draft);
    }

    @Test
    void jobs_are_packed_into_rows_that_fit_a_page_and_too_large_ones_are_left_over() {
        Random random = new Random(7);
        List<JobAdded> all = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            int size = random.nextInt(20) == 0 ? random.nextInt(20_000) : random.nextInt(300);
            all.add(new JobAdded(spec(SampleJobs.ACME, size), jobs.queued()));
        }
        List<Bundle> bundles = new ArrayList<>();
        List<JobAdded> alone = new ArrayList<>();

        Bundle.pack(all, codec, bundles::add, alone::add);

        assertThat(bundles)
                .allSatisfy(bundle ->
                        assertThat(bundle.bytes().length + bundle.ids().length).isLessThanOrEqualTo(7_900));
        assertThat(bundles)
                .allSatisfy(bundle -> assertThat(Bundle.jobs(bundle.bytes())).isEqualTo(bundle.jobs()));
        List<JobAdded> packed = new ArrayList<>(alone);
        bundles.forEach(bundle -> packed.addAll(bundle.jobs()));
        assertThat(packed).containsExactlyInAnyOrderElementsOf(all);
        assertThat(alone)
                .allSatisfy(
                        job -> assertThat(job.spec().payload().bytes().length).isGreaterThan(7_000));
        assertThat(bundles.size()).isLessThan(150);
    }

    /** Sizes around the bound: one that did not fit its page would fail the flush. */
    @Test
    void whatever_its_size_a_job_is_stored_and_found() throws SQLException {
        ContractNode node = start("a");
        List<JobSpec> specs = new ArrayList<>();
        for (int size = 7_600; size < 8_300; size += 7) {
            specs.add(spec(SampleJobs.ACME, size));
        }
        int segment = store(node, specs);

        assertThat(number(connection(), "SELECT count(bundle) FROM fairlane.job_open_0"))
                .isBetween(10L, 80L);
        for (JobSpec spec : specs) {
            StoredJob job = new StoredJob(spec.id(), SampleJobs.ACME.number(), segment);
            assertThat(Outcome.of(node.journal.specs(List.of(job)))).containsEntry(spec.id(), spec);
        }
    }

    @Test
    void what_lies_beside_a_job_comes_with_it() {
        ContractNode node = start("a");
        List<JobSpec> ours = List.of(
                spec(SampleJobs.ACME, 10),
                spec(SampleJobs.ACME, 20),
                spec(SampleJobs.ACME, 30),
                spec(SampleJobs.ACME, 40));
        List<JobSpec> theirs = List.of(
                spec(SampleJobs.GLOBEX, 10),
                spec(SampleJobs.GLOBEX, 20),
                spec(SampleJobs.GLOBEX, 30),
                spec(SampleJobs.GLOBEX, 40));
        List<JobSpec> all = new ArrayList<>(ours);
        all.addAll(theirs);
        int segment = store(node, all);
        JobSpec one = ours.get(1);

        Fetched fetched =
                Outcome.of(node.journal.fetch(List.of(new StoredJob(one.id(), SampleJobs.ACME.number(), segment))));

        assertThat(fetched.asked()).containsOnlyKeys(one.id()).containsValue(one);
        assertThat(fetched.beside())
                .containsExactlyInAnyOrderElementsOf(
                        ours.stream().filter(spec -> spec != one).toList());
    }

    @Test
    void a_few_jobs_of_a_tenant_have_rows_of_their_own() throws SQLException {
        ContractNode node = start("a");
        store(node, List.of(spec(SampleJobs.ACME, 10), spec(SampleJobs.ACME, 20), spec(SampleJobs.GLOBEX, 30)));

        assertThat(number(connection(), "SELECT count(bundle) FROM fairlane.job_open_0"))
                .isZero();
        assertThat(number(connection(), "SELECT count(spec) FROM fairlane.job_open_0"))
                .isEqualTo(3);
    }

    @Test
    void pages_go_through_bundles_and_rows_in_the_order_of_ids() {
        ContractNode node = new ContractNode(connect(config().withSegmentRows(200)), "a");
        List<JobSpec> all = new ArrayList<>();
        List<Integer> homes = new ArrayList<>();
        for (int flush = 0; flush < 6; flush++) {
            List<JobSpec> specs = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                specs.add(spec(i % 3 == 0 ? SampleJobs.GLOBEX : SampleJobs.ACME, i * 3));
            }
            specs.add(spec(new TenantId(3), 5));
            int home = store(node, specs);
            specs.forEach(spec -> homes.add(home));
            all.addAll(specs);
        }
        FlushDraft draft = new FlushDraft();
        Set<JobId> ended = new HashSet<>();
        for (int i = 0; i < all.size(); i += 4) {
            ended.add(all.get(i).id());
            draft.ended(all.get(i).id(), jobs.ended(JobState.SUCCEEDED), null, null, homes.get(i));
        }
        node.append();
        node.flush(draft);

        for (TenantId scope : new TenantId[] {SampleJobs.ACME, SampleJobs.GLOBEX, new TenantId(3), null}) {
            List<JobId> expected = all.stream()
                    .filter(spec -> scope == null || spec.tenant().equals(scope))
                    .map(JobSpec::id)
                    .filter(id -> !ended.contains(id))
                    .sorted(Comparator.reverseOrder())
                    .toList();
            assertThat(listed(node, scope)).as("of %s", scope).isEqualTo(expected);
        }
    }

    private static List<JobId> listed(ContractNode node, @Nullable TenantId scope) {
        List<JobId> ids = new ArrayList<>();
        JobId after = null;
        do {
            JobPage page = Outcome.of(node.journal.list(new JobQuery(scope, Set.of(JobState.QUEUED), "", after, 37)));
            page.jobs().forEach(job -> ids.add(job.spec().id()));
            after = page.next();
        } while (after != null);
        return ids;
    }

    @Test
    void compacting_bundles_keeps_what_is_open_in_bundles_that_span_other_ids() throws SQLException {
        ContractNode node = new ContractNode(connect(config().withSegmentRows(250)), "a");
        List<JobSpec> specs = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            specs.add(spec(SampleJobs.ACME, 100 + i));
        }
        int first = store(node, specs);
        long before = number(connection(), "SELECT count(bundle) FROM fairlane.job_open_0");
        assertThat(before).isGreaterThan(8);
        store(node, List.of(spec(SampleJobs.GLOBEX, 1)));
        FlushDraft draft = new FlushDraft();
        List<JobSpec> open = new ArrayList<>(specs.subList(200, 300));
        for (int i = 0; i < 200; i += 2) {
            draft.ended(specs.get(i).id(), jobs.ended(JobState.SUCCEEDED), null, null, first);
            open.add(specs.get(i + 1));
        }
        draft.changed(specs.get(250).id(), jobs.leased(3));
        node.append();
        node.flush(draft);

        int into = node.compact(first);

        assertThat(number(connection(), "SELECT count(bundle) FROM fairlane.job_open_1"))
                .as("as few as before, or fewer")
                .isBetween(3L, before);
        assertThat(number(
                        connection(),
                        "SELECT count(*) FROM fairlane.job_open_1 a JOIN fairlane.job_open_1 b ON a.ctid < b.ctid AND a.id <= b.last AND b.id <= a.last"
                                + " WHERE a.bundle IS NOT NULL AND b.bundle IS NOT NULL"))
                .as("pairs that span the same ids")
                .isLessThanOrEqualTo(2);
        Map<JobId, JobSpec> found = Outcome.of(node.journal.specs(open.stream()
                .map(spec -> new StoredJob(spec.id(), SampleJobs.ACME.number(), into))
                .toList()));
        assertThat(found).hasSize(200);
        assertThat(open).allSatisfy(spec -> assertThat(found).containsEntry(spec.id(), spec));
        ContractNode next = start("b");
        assertThat(next.recovered.open).hasSize(201);
        assertThat(open).allSatisfy(spec -> {
            assertThat(next.recovered.open.get(spec.id()).segment()).isEqualTo(into);
            assertThat(next.recovered.open.get(spec.id()).status())
                    .isEqualTo(spec == specs.get(250) ? jobs.leased(3) : jobs.queued());
        });
    }

    @Test
    void jobs_that_end_unread_are_completed_from_their_bundles() {
        ContractNode node = start("a");
        List<JobSpec> specs = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            specs.add(spec(i % 2 == 0 ? SampleJobs.ACME : SampleJobs.GLOBEX, i));
        }
        int home = store(node, specs);
        FlushDraft draft = new FlushDraft();
        specs.subList(50, 150)
                .forEach(spec -> draft.ended(spec.id(), jobs.ended(JobState.CANCELLED), null, null, home));
        node.append();
        node.flush(draft);

        assertThat(specs.subList(50, 150))
                .allSatisfy(spec -> assertThat(Outcome.of(node.journal.find(null, spec.id()))
                                .orElseThrow()
                                .spec())
                        .isEqualTo(spec));
    }
}
