package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.HOUR;
import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.model.TenantRules.Quota;
import dev.fairlane.core.model.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Semantics §3: quotas of a month, each with a soft bound that warns and a hard one that refuses. */
class QuotasTest {
    private final Bed bed = new Bed();

    @BeforeEach
    void aWorker() {
        bed.worker(1, 10, "mail");
    }

    private void quota(Quota... quotas) {
        TenantRules none = TenantRules.NONE;
        bed.apply(new Fact.TenantSet(new Tenant(
                bed.tenant,
                "acme",
                10,
                bed.now,
                new TenantRules(none.tier(), 0, 0, Map.of(), Map.of(), Map.of(), List.of(), List.of(quotas), false))));
    }

    private Refusal refused() {
        Answer answer = bed.send(new Command.Submit(bed.newId(), bed.tenant, Bed.job("mail")));
        assertThat(answer).isInstanceOf(Answer.Refused.class);
        return ((Answer.Refused) answer).refusal();
    }

    private void run(long micros) {
        bed.submit("mail");
        Picked picked = bed.mustPick();
        bed.pass(micros);
        bed.complete(picked);
    }

    private List<Notice.Kind> notices() {
        List<Notice.Kind> told = new ArrayList<>();
        bed.engine.drainNotices(notice -> told.add(notice.kind()));
        return told;
    }

    @Test
    void jobsThatRanAndOpenOnesCountAndTheHardBoundRefuses() {
        quota(new Quota(Quota.Kind.JOBS, 0, 3));
        run(SECOND);
        JobId open = bed.submit("mail");
        bed.submit("mail");
        Refusal refusal = refused();
        assertThat(refusal.code()).isEqualTo(RefusalCode.QUOTA_EXCEEDED);
        assertThat(refusal.limit()).isEqualTo(3);
        assertThat(refusal.present()).isEqualTo(3);
        assertThat(refusal.retryAfterMicros()).isEqualTo(MonthUse.endOf(bed.now) - bed.now);
        assertThat(refusal.message()).contains("the month is over at 2023-12-01T00:00:00Z");

        bed.send(new Command.Cancel(null, open));
        bed.submit("mail");
        assertThat(refused().code()).as("one that never ran made room").isEqualTo(RefusalCode.QUOTA_EXCEEDED);
    }

    @Test
    void slotSecondsCountWhenExecutionsEnd() {
        quota(new Quota(Quota.Kind.SLOT_SECONDS, 0, 10));
        run(4 * SECOND);
        run(5 * SECOND);
        run(SECOND);
        Refusal refusal = refused();
        assertThat(refusal.limit()).isEqualTo(10);
        assertThat(refusal.present()).isEqualTo(10);
    }

    @Test
    void theSoftBoundWarnsOnceAndRefusesNothing() {
        quota(new Quota(Quota.Kind.JOBS, 2, 0));
        run(SECOND);
        assertThat(notices()).isEmpty();
        run(SECOND);
        run(SECOND);
        assertThat(notices()).containsExactly(Notice.Kind.QUOTA_WARNING);
        assertThat(bed.engine.overQuota(bed.tenant, bed.now)).isTrue();
        quota(new Quota(Quota.Kind.JOBS, 100, 0));
        assertThat(bed.engine.overQuota(bed.tenant, bed.now)).isFalse();
    }

    @Test
    void overTheSoftBoundTheSubmitRateIsHalf() {
        TenantRules none = TenantRules.NONE;
        bed.apply(new Fact.TenantSet(new Tenant(
                bed.tenant,
                "acme",
                10,
                bed.now,
                new TenantRules(
                        none.tier(),
                        10,
                        0,
                        Map.of(),
                        Map.of(),
                        Map.of(),
                        List.of(),
                        List.of(new Quota(Quota.Kind.JOBS, 1, 0)),
                        false))));
        run(2 * SECOND);
        for (int i = 0; i < 5; i++) {
            bed.submit("mail");
        }
        Refusal refusal = refused();
        assertThat(refusal.code()).isEqualTo(RefusalCode.RATE_LIMIT);
        assertThat(refusal.limit()).isEqualTo(5);
    }

    @Test
    void aNewMonthBeginsAnew() {
        quota(new Quota(Quota.Kind.JOBS, 1, 1));
        run(SECOND);
        assertThat(refused().code()).isEqualTo(RefusalCode.QUOTA_EXCEEDED);
        bed.now = MonthUse.endOf(bed.now);
        assertThat(bed.engine.overQuota(bed.tenant, bed.now)).isFalse();
        run(SECOND);
        assertThat(refused().present()).isEqualTo(1);
    }

    @Test
    void whatWasStoredCounts() {
        quota(new Quota(Quota.Kind.JOBS, 0, 5));
        bed.engine.loadUsage(bed.tenant, bed.now - HOUR, new Usage(7, SECOND, 4, 0, 0, 0));
        bed.submit("mail");
        assertThat(refused().present()).isEqualTo(5);
    }
}
