package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.model.Tier;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Semantics §3: rate, depth, closed types, and a node near its bounds. */
class SubmitLimitsTest {
    private Bed bed = new Bed();

    @Test
    void jobs_over_the_rate_are_refused_alone_with_limit_and_present_and_when_to_come_back() {
        rules(Tier.STANDARD, 5, 0, false);
        for (int i = 0; i < 5; i++) {
            bed.submit("mail");
        }
        Refusal refusal = refusal(ask(Bed.job("mail")), RefusalCode.RATE_LIMIT);
        assertThat(refusal.limit()).isEqualTo(5);
        assertThat(refusal.present()).isEqualTo(5);
        assertThat(refusal.retryAfterMicros()).isEqualTo(SECOND / 5);

        bed.now += SECOND / 5;
        bed.submit("mail");
        refusal(ask(Bed.job("mail")), RefusalCode.RATE_LIMIT);
    }

    @ParameterizedTest
    @CsvSource({"FREE, 10", "STANDARD, 100", "PRO, 10000"})
    void a_tier_says_how_fast_a_tenant_may_submit_that_has_no_rate_of_its_own(Tier tier, int jobs) {
        rules(tier, 0, 0, false);
        for (int i = 0; i < jobs; i++) {
            bed.submit("mail");
        }
        assertThat(refusal(ask(Bed.job("mail")), RefusalCode.RATE_LIMIT).limit())
                .isEqualTo(jobs);
    }

    @Test
    void a_repeated_key_is_answered_whatever_the_rate_and_charged_nothing() {
        rules(Tier.STANDARD, 2, 0, false);
        JobId id = bed.submit(Bed.keyed("mail", "k", 1));
        for (int i = 0; i < 10; i++) {
            assertThat(ask(Bed.keyed("mail", "k", 1))).isEqualTo(new Answer.Submitted(id, JobState.QUEUED, true));
        }
        bed.submit("mail");
        assertThat(ask(Bed.keyed("mail", "k", 1))).isEqualTo(new Answer.Submitted(id, JobState.QUEUED, true));
        refusal(ask(Bed.keyed("mail", "k", 2)), RefusalCode.IDEMPOTENCY_KEY_REUSED);
        refusal(ask(Bed.keyed("mail", "new", 1)), RefusalCode.RATE_LIMIT);
    }

    @Test
    void what_is_refused_is_charged_nothing() {
        rules(Tier.STANDARD, 2, 0, false);
        for (int i = 0; i < 10; i++) {
            refusal(ask(Bed.priority("mail", 77)), RefusalCode.INVALID_ARGUMENT);
        }
        bed.submit("mail");
        bed.submit("mail");
    }

    @Test
    void a_changed_rate_counts_at_once() {
        rules(Tier.STANDARD, 1, 0, false);
        bed.submit("mail");
        refusal(ask(Bed.job("mail")), RefusalCode.RATE_LIMIT);
        rules(Tier.STANDARD, 1_000, 0, false);
        bed.submit("mail");
    }

    @Test
    void the_depth_of_a_tenant_is_its_own_where_it_has_one() {
        rules(Tier.ENTERPRISE, 0, 3, false);
        for (int i = 0; i < 3; i++) {
            bed.submit("mail");
        }
        Refusal refusal = refusal(ask(Bed.job("mail")), RefusalCode.DEPTH_LIMIT);
        assertThat(refusal.limit()).isEqualTo(3);
        assertThat(refusal.present()).isEqualTo(3);
        assertThat(refusal.retryAfterMicros()).isPositive();
    }

    @Test
    void where_types_are_closed_only_registered_ones_are_taken() {
        bed.submit("known");
        rules(Tier.ENTERPRISE, 0, 0, true);
        bed.submit("known");
        refusal(ask(Bed.job("unknown")), RefusalCode.TYPES_CLOSED);
        assertThat(bed.engine.types(bed.tenant)).hasSize(1);
        refusal(
                bed.send(new Command.CreateGroup(
                        bed.newId(), bed.tenant, "g", Bed.job("unknown"), JobGroup.CallbackOn.ALL_DONE)),
                RefusalCode.TYPES_CLOSED);

        bed.send(new Command.PutType(bed.tenant, "unknown", "short", 0, 0));
        bed.submit("unknown");
    }

    @Test
    void near_its_bounds_a_node_marks_the_least_urgent_and_then_takes_none() {
        bed = new Bed(EngineConfig.DEFAULT.withMaxOpenJobs(10));
        for (int i = 0; i < 8; i++) {
            assertThat(degraded(9)).isFalse();
        }
        assertThat(degraded(6)).as("the ninth, of a priority that is not low").isFalse();
        Refusal refusal = refusal(ask(Bed.priority("mail", 0)), RefusalCode.NODE_FULL);
        assertThat(refusal.limit()).isEqualTo(9);
        assertThat(refusal.present()).isEqualTo(9);
        assertThat(refusal.retryAfterMicros()).isPositive();
    }

    @Test
    void a_job_taken_near_the_bounds_says_so_for_good() {
        bed = new Bed(EngineConfig.DEFAULT.withMaxOpenJobs(10));
        for (int i = 0; i < 8; i++) {
            bed.submit("mail");
        }
        Answer.Submitted submitted = (Answer.Submitted) ask(Bed.priority("mail", 7));
        assertThat(submitted.degraded()).isTrue();
        assertThat(bed.engine.job(submitted.id()).spec().terms().degraded()).isTrue();
    }

    @Test
    void heap_and_commits_count_as_bounds_too() {
        bed.engine.measured(79, 3_999_999);
        assertThat(degraded(9)).isFalse();
        bed.engine.measured(80, 0);
        assertThat(degraded(9)).isTrue();
        assertThat(degraded(5)).isFalse();
        bed.engine.measured(0, 4_000_000);
        assertThat(degraded(9)).isTrue();

        bed.engine.measured(90, 0);
        Refusal heap = refusal(ask(Bed.job("mail")), RefusalCode.NODE_FULL);
        assertThat(heap.limit()).isEqualTo(90);
        assertThat(heap.present()).isEqualTo(90);
        bed.engine.measured(0, 4_700_000);
        Refusal lag = refusal(ask(Bed.job("mail")), RefusalCode.NODE_FULL);
        assertThat(lag.limit()).isEqualTo(4_500);
        assertThat(lag.present()).isEqualTo(4_700);

        bed.engine.measured(0, 0);
        assertThat(degraded(9)).isFalse();
    }

    @Test
    void a_full_node_still_answers_who_repeats_a_key() {
        JobId id = bed.submit(Bed.keyed("mail", "k", 1));
        bed.engine.measured(99, 0);
        assertThat(ask(Bed.keyed("mail", "k", 1))).isEqualTo(new Answer.Submitted(id, JobState.QUEUED, true));
    }

    @Test
    void one_tenants_keys_leave_room_for_those_of_others() {
        EngineConfig.Keys usual = EngineConfig.DEFAULT.keys();
        bed = new Bed(
                EngineConfig.DEFAULT.withKeys(new EngineConfig.Keys(usual.retentionMicros(), usual.spanMicros(), 90)));
        TenantId other = bed.putTenant("other", 10);
        for (int i = 0; i < 81; i++) {
            bed.submit(Bed.keyed("mail", "k" + i, 1));
        }
        Refusal refusal = refusal(ask(Bed.keyed("mail", "new", 1)), RefusalCode.NODE_FULL);
        assertThat(refusal.limit()).isEqualTo(81);
        assertThat(refusal.present()).isEqualTo(81);
        assertThat(ask(Bed.keyed("mail", "k7", 1))).as("known").isInstanceOf(Answer.Submitted.class);
        assertThat(ask(Bed.job("mail"))).as("without a key").isInstanceOf(Answer.Submitted.class);
        for (int i = 0; i < 5; i++) {
            bed.submit(other, Bed.keyed("mail", "k" + i, 1));
        }

        bed.worker(1, 100, "mail");
        bed.pickAll().forEach(bed::complete);
        bed.now += 3 * Bed.HOUR;
        bed.engine.sealKeys(bed.now, Long.MIN_VALUE, bed.now, 1_000);
        bed.submit(Bed.keyed("mail", "new", 1));
    }

    private boolean degraded(int priority) {
        return ((Answer.Submitted) ask(Bed.priority("mail", priority))).degraded();
    }

    private void rules(Tier tier, int rate, int depth, boolean closed) {
        Tenant known = bed.engine.tenant(bed.tenant);
        TenantRules rules =
                new TenantRules(tier, rate, depth, Map.of(), Map.of(), Map.of(), List.of(), List.of(), closed);
        bed.apply(new Fact.TenantSet(new Tenant(known.id(), known.name(), known.weight(), bed.now, rules)));
    }

    private Answer ask(NewJob job) {
        return bed.send(new Command.Submit(bed.newId(), bed.tenant, job));
    }

    private static Refusal refusal(Answer answer, RefusalCode code) {
        assertThat(answer).isInstanceOf(Answer.Refused.class);
        Refusal refusal = ((Answer.Refused) answer).refusal();
        assertThat(refusal.code()).isEqualTo(code);
        return refusal;
    }
}
