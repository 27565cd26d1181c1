package dev.fairlane.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.AuditDeed;
import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.AuditHead;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.TenantId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The audit: chains that grow, lose their begin with age, and show what was done to them. Part of {@link JournalContract}. */
abstract class AuditContract extends UsageContract {
    private static final long DAY = Duration.ofDays(1).toNanos() / 1000;
    private static final String ACME = "acme";

    private final Author author = new Author(
            "0011aabbccdd", "Ann's laptop", "admin", "req-1", "4bf92f3577b34da6", AuditHash.digest("what was asked"));

    private AuditEntry after(AuditHead head, String name, long at, String target) {
        AuditDeed deed =
                new AuditDeed("tenant.put", target, "weight 10 → 20", "ticket 5", "", AuditHash.digest(target));
        String reason = AuditHash.ofReason(deed.reason());
        AuditEntry bare = new AuditEntry(head.chain(), head.sequence() + 1, at, author, deed, reason, "");
        return new AuditEntry(
                head.chain(), bare.sequence(), at, author, deed, reason, AuditHash.of(head.hash(), name, bare));
    }

    private List<AuditEntry> chain(TenantId tenant, String name, int length, long from, long step) {
        List<AuditEntry> entries = new ArrayList<>();
        AuditHead head = AuditHead.begin(tenant);
        for (int i = 0; i < length; i++) {
            AuditEntry entry = after(head, name, from + i * step, "tenant/" + i);
            entries.add(entry);
            head = head.with(entry);
        }
        return entries;
    }

    private static void store(ContractNode node, List<AuditEntry> entries) {
        node.append(entries.stream().map(Fact.Audited::new).toArray(Fact[]::new));
        node.flush(new FlushDraft().audited(entries.toArray(AuditEntry[]::new)));
    }

    private static AuditHead head(Journal journal, TenantId chain) {
        return Outcome.of(journal.auditHeads(chain, -1, 10)).getFirst();
    }

    private static List<AuditEntry> kept(Journal journal, TenantId chain) {
        return Outcome.of(journal.audit(AuditQuery.whole(chain)));
    }

    @Test
    void entries_come_back_as_they_were_written_and_the_chain_holds() {
        ContractNode node = start("a");
        List<AuditEntry> entries = chain(SampleJobs.ACME, ACME, 5, node.opened.nowAt(), 10);
        store(node, entries.subList(0, 2));
        store(node, entries.subList(2, 5));

        assertThat(kept(node.journal, SampleJobs.ACME)).isEqualTo(entries);
        AuditHead head = head(node.journal, SampleJobs.ACME);
        assertThat(head)
                .isEqualTo(new AuditHead(
                        SampleJobs.ACME,
                        0,
                        AuditHead.NONE,
                        5,
                        entries.get(4).hash(),
                        entries.get(4).at()));
        assertThat(AuditCheck.firstBreak(head, ACME, entries)).isEmpty();
        assertThat(AuditCheck.firstBreak(head, "another", entries))
                .as("a chain is of its tenant")
                .isPresent();
        assertThat(Outcome.of(node.journal.auditHeads(SampleJobs.GLOBEX, -1, 10)))
                .isEmpty();
    }

    @Test
    void recovery_tells_the_ends_and_then_what_is_behind_the_flush() {
        ContractNode node = start("a");
        List<AuditEntry> entries = chain(SampleJobs.ACME, ACME, 3, node.opened.nowAt(), 10);
        store(node, entries.subList(0, 2));
        node.append(new Fact.Audited(entries.get(2)));

        ContractNode next = start("b");
        assertThat(next.recovered.audit)
                .isEqualTo(Map.of(
                        SampleJobs.ACME,
                        AuditHead.begin(SampleJobs.ACME).with(entries.get(0)).with(entries.get(1))));
        assertThat(next.recovered.tail).containsExactly(new Fact.Audited(entries.get(2)));
    }

    @Test
    void a_repeated_flush_adds_no_entry() {
        ContractNode node = start("a");
        List<AuditEntry> entries = chain(SampleJobs.ACME, ACME, 2, node.opened.nowAt(), 10);
        node.append();
        Flush flush =
                new FlushDraft().audited(entries.toArray(AuditEntry[]::new)).upTo(1);
        Outcome.of(node.journal.flush(node.log(), flush));
        Outcome.of(node.journal.flush(node.log(), flush));
        assertThat(kept(node.journal, SampleJobs.ACME)).isEqualTo(entries);
    }

    @Test
    void entries_are_asked_for_by_chain_and_time_page_by_page_in_both_directions() {
        ContractNode node = start("a");
        long from = node.opened.nowAt();
        List<AuditEntry> acme = chain(SampleJobs.ACME, ACME, 4, from, 10);
        List<AuditEntry> system = chain(AuditEntry.SYSTEM, "", 3, from, 10);
        store(node, acme);
        store(node, system);
        List<AuditEntry> byTime = new ArrayList<>(acme);
        byTime.addAll(system);
        byTime.sort(AuditQuery.BY_TIME);

        for (int size = 1; size <= 8; size++) {
            assertThat(pages(node.journal, null, true, size)).isEqualTo(byTime);
            assertThat(pages(node.journal, null, false, size)).isEqualTo(byTime.reversed());
            assertThat(pages(node.journal, SampleJobs.ACME, true, size)).isEqualTo(acme);
            assertThat(pages(node.journal, AuditEntry.SYSTEM, false, size)).isEqualTo(system.reversed());
        }
        assertThat(Outcome.of(node.journal.audit(new AuditQuery(null, from + 10, from + 20, null, true, 10))))
                .containsExactly(system.get(1), acme.get(1));
        assertThat(Outcome.of(node.journal.audit(new AuditQuery(SampleJobs.ACME, from + 11, 0, null, false, 10))))
                .containsExactly(acme.get(3), acme.get(2));
    }

    @Test
    void ends_of_chains_come_in_the_order_of_their_tenants() {
        ContractNode node = start("a");
        store(node, chain(SampleJobs.GLOBEX, "globex", 1, node.opened.nowAt(), 0));
        store(node, chain(AuditEntry.SYSTEM, "", 1, node.opened.nowAt(), 0));
        store(node, chain(SampleJobs.ACME, ACME, 1, node.opened.nowAt(), 0));

        assertThat(Outcome.of(node.journal.auditHeads(null, -1, 2)))
                .extracting(AuditHead::chain)
                .containsExactly(AuditEntry.SYSTEM, SampleJobs.ACME);
        assertThat(Outcome.of(node.journal.auditHeads(null, SampleJobs.ACME.number(), 2)))
                .extracting(AuditHead::chain)
                .containsExactly(SampleJobs.GLOBEX);
    }

    private static List<AuditEntry> pages(Journal journal, @Nullable TenantId chain, boolean oldestFirst, int size) {
        List<AuditEntry> all = new ArrayList<>();
        AuditQuery.Place after = null;
        while (true) {
            List<AuditEntry> page = Outcome.of(journal.audit(new AuditQuery(chain, 0, 0, after, oldestFirst, size)));
            all.addAll(page);
            if (page.size() < size) {
                return all;
            }
            after = AuditQuery.Place.of(page.getLast());
        }
    }

    @Test
    void what_is_too_old_leaves_from_the_begin_and_the_rest_still_verifies() {
        ContractNode node = start("a");
        List<AuditEntry> acme = chain(SampleJobs.ACME, ACME, 6, node.opened.nowAt() - 10 * DAY, 2 * DAY);
        List<AuditEntry> globex = chain(SampleJobs.GLOBEX, "globex", 2, node.opened.nowAt() - 30 * DAY, DAY);
        store(node, acme);
        store(node, globex);
        Outcome.of(node.journal.maintain(node.log(), kept(5)));

        AuditHead head = head(node.journal, SampleJobs.ACME);
        List<AuditEntry> left = kept(node.journal, SampleJobs.ACME);
        assertThat(left).isEqualTo(acme.subList(3, 6));
        assertThat(head.anchor()).isEqualTo(3);
        assertThat(head.anchorHash()).isEqualTo(acme.get(2).hash());
        assertThat(AuditCheck.firstBreak(head, ACME, left)).isEmpty();

        AuditHead gone = head(node.journal, SampleJobs.GLOBEX);
        assertThat(kept(node.journal, SampleJobs.GLOBEX)).isEmpty();
        assertThat(gone.anchor()).isEqualTo(2);
        assertThat(AuditCheck.firstBreak(gone, "globex", List.of())).isEmpty();

        AuditEntry next = after(gone, "globex", node.opened.nowAt(), "tenant/next");
        store(node, List.of(next));
        assertThat(AuditCheck.firstBreak(
                        head(node.journal, SampleJobs.GLOBEX), "globex", kept(node.journal, SampleJobs.GLOBEX)))
                .isEmpty();
    }

    @Test
    void a_reason_is_erased_and_the_chain_still_holds() {
        ContractNode node = start("a");
        List<AuditEntry> entries = chain(SampleJobs.ACME, ACME, 3, node.opened.nowAt(), 10);
        store(node, entries);
        assertThat(Outcome.of(node.journal.audit(AuditQuery.one(SampleJobs.ACME, 2))))
                .containsExactly(entries.get(1));

        assertThat(Outcome.of(node.journal.eraseReason(SampleJobs.ACME, 2))).isTrue();
        List<AuditEntry> left = kept(node.journal, SampleJobs.ACME);
        assertThat(left).containsExactly(entries.get(0), entries.get(1).withoutReason(), entries.get(2));
        assertThat(AuditCheck.firstBreak(head(node.journal, SampleJobs.ACME), ACME, left))
                .isEmpty();
        assertThat(Outcome.of(node.journal.eraseReason(SampleJobs.ACME, 2)))
                .as("there is none any more")
                .isFalse();
        assertThat(Outcome.of(node.journal.eraseReason(SampleJobs.ACME, 4))).isFalse();
        assertThat(Outcome.of(node.journal.eraseReason(SampleJobs.GLOBEX, 2))).isFalse();

        ContractNode next = start("b");
        assertThat(kept(next.journal, SampleJobs.ACME)).isEqualTo(left);
    }

    private static Retention kept(int days) {
        Duration others = Duration.ofDays(90);
        return new Retention(
                others, others, others, 0, Retention.DEAD_PER_TENANT, Retention.USAGE, Duration.ofDays(days));
    }

    @ParameterizedTest
    @CsvSource({
        "ALTER, 3, entry 3 is not what was written",
        "ALTER_REASON, 3, entry 3 is not what was written",
        "REMOVE, 3, entry 3 is missing; the next one is 4",
        "REMOVE, 1, entry 1 is missing; the next one is 2",
        "REMOVE, 5, entry 5 is missing; the chain ends with 5",
        "SWAP, 2, entry 2 is not what was written"
    })
    void a_forged_chain_is_found_at_its_place(ContractStore.Forgery how, long sequence, String found) {
        ContractNode node = start("a");
        store(node, chain(SampleJobs.ACME, ACME, 5, node.opened.nowAt(), 0));
        falsifyAudit(SampleJobs.ACME, sequence, how);

        assertThat(AuditCheck.firstBreak(
                        head(node.journal, SampleJobs.ACME), ACME, kept(node.journal, SampleJobs.ACME)))
                .hasValueSatisfying(place -> assertThat(place).startsWith(found));
    }

    @Test
    void a_reason_can_be_erased_and_the_chain_holds() {
        ContractNode node = start("a");
        store(node, chain(SampleJobs.ACME, ACME, 5, node.opened.nowAt(), 0));
        falsifyAudit(SampleJobs.ACME, 3, ContractStore.Forgery.ERASE_REASON);

        List<AuditEntry> left = kept(node.journal, SampleJobs.ACME);
        assertThat(left.get(2).deed().reason()).isEmpty();
        assertThat(AuditCheck.firstBreak(head(node.journal, SampleJobs.ACME), ACME, left))
                .isEmpty();
    }
}
