package dev.fairlane.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.Usage;
import dev.fairlane.core.model.UsageAccount;
import dev.fairlane.core.model.UsageRow;
import dev.fairlane.journal.UsageQuery.By;
import dev.fairlane.journal.UsageQuery.Span;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The ledger: what flushes add up to. Part of {@link JournalContract}. */
abstract class UsageContract extends ProjectionContract {
    private static final TenantId OTHER = new TenantId(77);
    private static final long HOUR = UsageRow.HOUR_MICROS;
    private static final long DAY = 24 * HOUR;
    /** 2026-11-01T00:00:00Z, the begin of a month. */
    private static final long NOVEMBER = 1_793_491_200_000_000L;

    private static UsageRow used(long hourAt, TenantId tenant, String lane, String type, String pool, long jobs) {
        return new UsageRow(
                hourAt,
                new UsageAccount(tenant, pool, lane, type),
                new Usage(jobs + 3, jobs * 1_000_000, jobs - 3, 1, 1, 1));
    }

    private static UsageRow sum(long fromAt, int tenant, String pool, String lane, String type, Usage... all) {
        Usage sum = Usage.NONE;
        for (Usage one : all) {
            sum = sum.plus(one);
        }
        return new UsageRow(fromAt, new UsageAccount(new TenantId(tenant), pool, lane, type), sum);
    }

    private static List<UsageRow> find(ContractNode node, Span span, By... by) {
        return Outcome.of(
                node.journal.usage(new UsageQuery(null, NOVEMBER - DAY, NOVEMBER + 2 * DAY, span, Set.of(by), 100)));
    }

    @Test
    void use_adds_up_by_hour_and_account_over_flushes_and_upkeep() {
        ContractNode node = start("a");
        UsageRow october = used(NOVEMBER - HOUR, SampleJobs.ACME, "default", "mail", "short", 5);
        UsageRow first = used(NOVEMBER, SampleJobs.ACME, "default", "mail", "short", 10);
        UsageRow second = used(NOVEMBER + HOUR, SampleJobs.ACME, "batch", "mail", "medium", 20);
        UsageRow third = used(NOVEMBER + DAY, OTHER, "default", "report", "long", 40);
        node.append();
        node.flush(new FlushDraft().used(october).used(first).used(third));
        node.append();
        node.flush(new FlushDraft().used(first).used(second));

        for (int upkeep = 0; upkeep < 3; upkeep++) {
            int acme = SampleJobs.ACME.number();
            assertThat(find(node, Span.ALL))
                    .containsExactly(sum(
                            0, 0, "", "", "", october.used(), first.used(), first.used(), second.used(), third.used()));
            assertThat(find(node, Span.MONTH, By.TENANT))
                    .containsExactlyInAnyOrder(
                            sum(NOVEMBER - 30 * DAY - DAY, acme, "", "", "", october.used()),
                            sum(NOVEMBER, acme, "", "", "", first.used(), first.used(), second.used()),
                            sum(NOVEMBER, OTHER.number(), "", "", "", third.used()));
            assertThat(find(node, Span.DAY, By.LANE, By.TYPE))
                    .containsExactlyInAnyOrder(
                            sum(NOVEMBER - DAY, 0, "", "default", "mail", october.used()),
                            sum(NOVEMBER, 0, "", "default", "mail", first.used(), first.used()),
                            sum(NOVEMBER, 0, "", "batch", "mail", second.used()),
                            sum(NOVEMBER + DAY, 0, "", "default", "report", third.used()));
            assertThat(find(node, Span.HOUR, By.POOL))
                    .containsExactly(
                            sum(NOVEMBER - HOUR, 0, "short", "", "", october.used()),
                            sum(NOVEMBER, 0, "short", "", "", first.used(), first.used()),
                            sum(NOVEMBER + HOUR, 0, "medium", "", "", second.used()),
                            sum(NOVEMBER + DAY, 0, "long", "", "", third.used()));
            Outcome.of(node.journal.maintain(node.log(), Retention.DEFAULT));
        }
    }

    @Test
    void use_is_asked_for_by_tenant_and_time_and_bounded() {
        ContractNode node = start("a");
        UsageRow first = used(NOVEMBER, SampleJobs.ACME, "default", "mail", "short", 10);
        UsageRow second = used(NOVEMBER + HOUR, SampleJobs.ACME, "default", "mail", "short", 20);
        node.append();
        node.flush(new FlushDraft().used(first).used(second).used(used(NOVEMBER, OTHER, "default", "x", "short", 9)));

        for (int upkeep = 0; upkeep < 2; upkeep++) {
            assertThat(Outcome.of(node.journal.usage(new UsageQuery(
                            SampleJobs.ACME, NOVEMBER, NOVEMBER + HOUR, Span.ALL, Set.of(By.TENANT), 100))))
                    .containsExactly(sum(0, SampleJobs.ACME.number(), "", "", "", first.used()));
            assertThat(Outcome.of(node.journal.usage(
                            new UsageQuery(SampleJobs.ACME, NOVEMBER, NOVEMBER + DAY, Span.HOUR, Set.of(), 1))))
                    .as("one more than the limit")
                    .hasSize(2);
            assertThat(Outcome.of(node.journal.usage(
                            new UsageQuery(new TenantId(5), NOVEMBER, NOVEMBER + DAY, Span.ALL, Set.of(), 1))))
                    .isEmpty();
            Outcome.of(node.journal.maintain(node.log(), Retention.DEFAULT));
        }
    }

    @Test
    void a_repeated_flush_adds_nothing() {
        ContractNode node = start("a");
        UsageRow row = used(NOVEMBER, SampleJobs.ACME, "default", "mail", "short", 10);
        node.append();
        Flush flush = new FlushDraft().used(row).upTo(1);
        Outcome.of(node.journal.flush(node.log(), flush));
        Outcome.of(node.journal.flush(node.log(), flush));
        assertThat(find(node, Span.ALL)).containsExactly(sum(0, 0, "", "", "", row.used()));
    }

    @Test
    void recovery_tells_what_tenants_used_in_the_present_month() {
        ContractNode node = start("a");
        long now = Outcome.of(node.journal.now());
        long hour = now - now % HOUR;
        UsageRow present = used(hour, SampleJobs.ACME, "default", "mail", "short", 10);
        UsageRow other = used(hour, SampleJobs.ACME, "batch", "mail", "medium", 10);
        UsageRow longAgo = used(hour - 60 * DAY, SampleJobs.ACME, "default", "mail", "short", 10);
        node.append();
        node.flush(new FlushDraft().used(present).used(longAgo));
        node.append();
        node.flush(new FlushDraft().used(other));

        assertThat(start("b").recovered.usage)
                .isEqualTo(Map.of(SampleJobs.ACME, present.used().plus(other.used())));
    }
}
