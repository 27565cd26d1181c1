package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Resources;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantChange;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.model.TenantRules.KeyLimit;
import dev.fairlane.core.model.TenantRules.LaneRules;
import dev.fairlane.core.model.TenantRules.Quota;
import dev.fairlane.core.model.Tier;
import dev.fairlane.core.model.TypeRules;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How tenants are put, and what jobs need. */
class TenantRulesTest {
    private static final KeyLimit USERS = new KeyLimit(KeyLimit.Kind.CONCURRENCY, "user-*", 2, 0);
    private static final KeyLimit USER_7 = new KeyLimit(KeyLimit.Kind.CONCURRENCY, "user-7", 5, 0);
    private static final KeyLimit MAIL = new KeyLimit(KeyLimit.Kind.RATE, "mail", 100, 60_000_000);
    private static final TenantRules FULL = new TenantRules(
            Tier.PRO,
            5_000,
            1_000,
            Map.of("short", 100),
            Map.of("long", 2),
            Map.of("training", new LaneRules(20, Collections.nCopies(10, 1_000_000L))),
            List.of(USER_7, MAIL, USERS),
            List.of(new Quota(Quota.Kind.SLOT_SECONDS, 100_000, 200_000)),
            true);

    private final Bed bed = new Bed();

    @Test
    void aNewTenantIsStandard() {
        Tenant tenant = put("new", 0, TenantChange.NONE);
        assertThat(tenant.weight()).isEqualTo(10);
        assertThat(tenant.rules()).isEqualTo(TenantRules.NONE);
        assertThat(tenant.rules().tier()).isEqualTo(Tier.STANDARD);
    }

    @Test
    void aWeightThatIsTheTiersFollowsItAndAnyOtherStays() {
        assertThat(put("a", 0, TenantChange.toTier(Tier.PRO)).weight()).isEqualTo(100);
        assertThat(put("a", 0, TenantChange.toTier(Tier.ENTERPRISE)).weight()).isEqualTo(1_000);
        assertThat(put("a", 77, TenantChange.NONE).weight()).isEqualTo(77);
        assertThat(put("a", 0, TenantChange.toTier(Tier.FREE)).weight()).isEqualTo(77);
        assertThat(put("a", 1, TenantChange.NONE).weight()).isEqualTo(1);
        assertThat(put("a", 0, TenantChange.toTier(Tier.STANDARD)).weight()).isEqualTo(10);
    }

    @Test
    void whatAChangeDoesNotNameStays() {
        assertThat(put("a", 0, TenantChange.to(FULL)).rules()).isEqualTo(FULL);
        assertThat(put("a", 0, TenantChange.NONE).rules()).isEqualTo(FULL);
        TenantRules changed = put("a", 0, change(null, Map.of("medium", 9), Map.of(), List.of(), List.of()))
                .rules();
        assertThat(changed.inFlight()).isEqualTo(Map.of("short", 100, "medium", 9));
        assertThat(changed.lanes()).isEqualTo(FULL.lanes());
        assertThat(changed.keyLimits()).isEqualTo(FULL.keyLimits());
        assertThat(changed.submitRate()).isEqualTo(5_000);
        assertThat(changed.closedTypes()).isTrue();
    }

    @Test
    void nothingTakesARuleAway() {
        put("a", 0, TenantChange.to(FULL));
        TenantRules changed = put(
                        "a",
                        0,
                        change(
                                0,
                                Map.of("short", 0),
                                Map.of("training", LaneRules.NONE),
                                List.of(new KeyLimit(KeyLimit.Kind.RATE, "mail", 0, 0)),
                                List.of(new Quota(Quota.Kind.SLOT_SECONDS, 0, 0))))
                .rules();
        assertThat(changed.submitRate()).isZero();
        assertThat(changed.inFlight()).isEmpty();
        assertThat(changed.lanes()).isEmpty();
        assertThat(changed.keyLimits()).containsExactly(USER_7, USERS);
        assertThat(changed.quotas()).isEmpty();
        assertThat(changed.reserved()).isEqualTo(Map.of("long", 2));
    }

    @Test
    void aReplacementForgetsTheRest() {
        put("a", 55, TenantChange.to(FULL));
        Tenant bare = put("a", 0, TenantChange.to(TenantRules.NONE));
        assertThat(bare.rules()).isEqualTo(TenantRules.NONE);
        assertThat(bare.weight()).isEqualTo(10);
    }

    @Test
    void theMostExactKeyComesFirst() {
        KeyLimit all = new KeyLimit(KeyLimit.Kind.CONCURRENCY, "*", 9, 0);
        assertThat(put("a", 0, change(null, Map.of(), Map.of(), List.of(all, USERS, MAIL, USER_7), List.of()))
                        .rules()
                        .keyLimits())
                .containsExactly(USER_7, MAIL, USERS, all);
    }

    @Test
    void sayingTheSameAgainWritesNothing() {
        put("a", 0, TenantChange.to(FULL));
        int facts = bed.facts.size();
        put("a", 100, TenantChange.to(FULL));
        assertThat(bed.facts).hasSize(facts);
    }

    @Test
    void whatMakesNoSenseIsRefusedAndChangesNothing() {
        put("a", 0, TenantChange.to(FULL));
        int facts = bed.facts.size();
        refused(RefusalCode.UNKNOWN_POOL, change(null, Map.of("huge", 1), Map.of(), List.of(), List.of()));
        refused(RefusalCode.INVALID_ARGUMENT, change(-1, Map.of(), Map.of(), List.of(), List.of()));
        refused(RefusalCode.INVALID_ARGUMENT, change(null, Map.of("short", -1), Map.of(), List.of(), List.of()));
        // They would be nobody's: all free tenants together are held to their slice.
        refused(RefusalCode.INVALID_ARGUMENT, TenantChange.toTier(Tier.FREE));
        // It has two slots reserved there.
        refused(RefusalCode.INVALID_ARGUMENT, change(null, Map.of("long", 1), Map.of(), List.of(), List.of()));
        refused(
                RefusalCode.INVALID_ARGUMENT,
                change(null, Map.of(), Map.of("x", new LaneRules(-1, List.of())), List.of(), List.of()));
        refused(
                RefusalCode.INVALID_ARGUMENT,
                change(null, Map.of(), Map.of("x", new LaneRules(1, List.of(1L))), List.of(), List.of()));
        refused(RefusalCode.INVALID_ARGUMENT, change(null, Map.of(), Map.of(), List.of(limit("", 1)), List.of()));
        refused(RefusalCode.INVALID_ARGUMENT, change(null, Map.of(), Map.of(), List.of(limit("a*b", 1)), List.of()));
        refused(RefusalCode.INVALID_ARGUMENT, change(null, Map.of(), Map.of(), List.of(limit("a", -1)), List.of()));
        refused(
                RefusalCode.INVALID_ARGUMENT,
                change(
                        null,
                        Map.of(),
                        Map.of(),
                        List.of(new KeyLimit(KeyLimit.Kind.RATE, "r", 1, 0)),
                        List.of(new Quota(Quota.Kind.JOBS, 1, 2))));
        refused(
                RefusalCode.INVALID_ARGUMENT,
                change(null, Map.of(), Map.of(), List.of(), List.of(new Quota(Quota.Kind.JOBS, 3, 2))));
        assertThat(bed.facts).hasSize(facts);
        assertThat(bed.engine.tenant("a").rules()).isEqualTo(FULL);
    }

    @Test
    void rulesOfOneTenantAreBounded() {
        Map<String, LaneRules> lanes = IntStream.range(0, 600)
                .boxed()
                .collect(Collectors.toMap(i -> "a" + i, i -> new LaneRules(1, List.of())));
        put("a", 0, change(null, Map.of(), lanes, List.of(), List.of()));
        Map<String, LaneRules> more = IntStream.range(0, 600)
                .boxed()
                .collect(Collectors.toMap(i -> "b" + i, i -> new LaneRules(1, List.of())));
        refused(RefusalCode.INVALID_ARGUMENT, change(null, Map.of(), more, List.of(), List.of()));
        assertThat(bed.engine.tenant("a").rules().lanes()).hasSize(600);
    }

    @Test
    void aJobNeedsWhatItSaysAndOtherwiseWhatItsTypeSays() {
        JobNeeds ofType = new JobNeeds("team", "one", "mail", 3, new Resources(2_000, 0, 1), List.of("arm", "gpu"));
        bed.send(new Command.PutType(bed.tenant, "render", "short", 0, 0, needing(ofType)));
        assertThat(needs(submit("render", JobNeeds.NONE))).isSameAs(ofType);
        JobNeeds own = new JobNeeds("", "two", "", 1, new Resources(0, 512, 0), List.of());
        assertThat(needs(submit("render", own)))
                .isEqualTo(new JobNeeds("team", "two", "mail", 3, new Resources(0, 512, 0), List.of("arm", "gpu")));
        assertThat(needs(submit("other", own))).isEqualTo(own);
        assertThat(bed.engine.job(submit("other", JobNeeds.NONE)).spec().terms())
                .isSameAs(JobTerms.NONE);
    }

    private JobNeeds needs(JobId id) {
        return bed.engine.job(id).spec().terms().needs();
    }

    private JobId submit(String type, JobNeeds needs) {
        return bed.submit(new NewJob(
                type, Payload.EMPTY, 0, -1, 0, 0, 0, 0, 0, "", 0, Map.of(), Map.of(), JobTerms.NONE.needing(needs)));
    }

    private static TypeRules needing(JobNeeds needs) {
        return TypeRules.saying(draft -> draft.needs = needs);
    }

    private static KeyLimit limit(String key, int limit) {
        return new KeyLimit(KeyLimit.Kind.CONCURRENCY, key, limit, 0);
    }

    private static TenantChange change(
            Integer rate,
            Map<String, Integer> inFlight,
            Map<String, LaneRules> lanes,
            List<KeyLimit> limits,
            List<Quota> quotas) {
        return new TenantChange(false, null, rate, null, inFlight, Map.of(), lanes, limits, quotas, null);
    }

    private Tenant put(String name, int weight, TenantChange change) {
        return ((Answer.TenantIs) bed.send(new Command.PutTenant(name, weight, change))).tenant();
    }

    private void refused(RefusalCode code, TenantChange change) {
        assertThat(bed.send(new Command.PutTenant("a", 0, change)))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(code));
    }
}
