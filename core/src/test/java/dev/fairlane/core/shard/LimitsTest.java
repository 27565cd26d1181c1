package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobTerms;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Resources;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.model.TenantRules.KeyLimit;
import dev.fairlane.core.model.Tier;
import dev.fairlane.core.model.TypeRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Caps of types and concurrency keys, and rates (semantics §6). */
class LimitsTest {
    private final Bed bed = new Bed();

    static TenantRules limits(KeyLimit... limits) {
        return new TenantRules(Tier.STANDARD, 0, 0, Map.of(), Map.of(), Map.of(), List.of(limits), List.of(), false);
    }

    static KeyLimit atOnce(String key, int limit) {
        return new KeyLimit(KeyLimit.Kind.CONCURRENCY, key, limit, 0);
    }

    static KeyLimit rate(String key, int limit, long perMicros) {
        return new KeyLimit(KeyLimit.Kind.RATE, key, limit, perMicros);
    }

    static JobNeeds key(String key) {
        return new JobNeeds("", key, "", 1, Resources.NONE, List.of());
    }

    static JobNeeds rateKey(String key, int cost) {
        return new JobNeeds("", "", key, cost, Resources.NONE, List.of());
    }

    static TypeRules maxInFlight(int most) {
        return TypeRules.saying(draft -> draft.maxInFlight = most);
    }

    private void setType(TenantId tenant, String type, int most) {
        bed.apply(new Fact.TypeSet(new JobType(tenant, type, "short", 0, 0, bed.now, maxInFlight(most), 0)));
    }

    @Test
    void noMoreOfATypeRunThanItsRulesAllow() {
        bed.worker(1, 100, "a", "b");
        setType(bed.tenant, "a", 3);
        for (int i = 0; i < 10; i++) {
            bed.submit("a");
            bed.submit(Bed.inLane("a", "other", key("k" + i)));
        }
        JobId free = bed.submit("b");
        List<Picked> picked = bed.pickAll();
        assertThat(picked).hasSize(4);
        assertThat(picked).anyMatch(p -> p.lease().id().equals(free));
        assertThat(bed.engine.explain(bed.submit("a"), bed.now).reasons()).containsExactly(WaitReason.TYPE_CAP);
        picked.stream().filter(p -> !p.lease().id().equals(free)).forEach(bed::complete);
        assertThat(bed.pickAll()).hasSize(3);
        setType(bed.tenant, "a", 5);
        assertThat(bed.pickAll()).hasSize(2);
        setType(bed.tenant, "a", 0);
        assertThat(bed.pickAll()).hasSize(13);
    }

    @Test
    void aConcurrencyKeyIsBoundedByTheMostExactLimit() {
        bed.worker(1, 100, "a", "b");
        bed.setRules(bed.tenant, limits(atOnce("user-7", 3), atOnce("user-*", 1), atOnce("*", 2)));
        for (int i = 0; i < 5; i++) {
            bed.submit(Bed.needing("a", key("user-7")));
            bed.submit(Bed.needing("b", key("user-7")));
            bed.submit(Bed.needing("a", key("user-8")));
            bed.submit(Bed.needing("a", key("project")));
        }
        assertThat(bed.pickAll()).hasSize(3 + 1 + 2);
    }

    @Test
    void aKeyWithoutALimitIsNotBounded() {
        bed.worker(1, 100, "a");
        for (int i = 0; i < 5; i++) {
            bed.submit(Bed.needing("a", key("free")));
        }
        assertThat(bed.pickAll()).hasSize(5);
    }

    @Test
    void aLimitThatComesAndGoesCountsAtOnceWhateverRunsAlready() {
        bed.worker(1, 100, "a");
        for (int i = 0; i < 10; i++) {
            bed.submit(Bed.needing("a", key("k")));
        }
        List<Picked> running = new ArrayList<>(List.of(bed.mustPick(), bed.mustPick(), bed.mustPick()));
        bed.setRules(bed.tenant, limits(atOnce("k", 2)));
        assertThat(bed.pick()).isNull();
        bed.complete(running.removeFirst());
        assertThat(bed.pick()).isNull();
        bed.complete(running.removeFirst());
        bed.mustPick();
        assertThat(bed.pick()).isNull();
        bed.setRules(bed.tenant, TenantRules.NONE);
        assertThat(bed.pickAll()).hasSize(6);
    }

    @Test
    void aBlockedKeyHoldsUpNobodyElse() {
        bed.worker(1, 10, "a");
        bed.setRules(bed.tenant, limits(atOnce("k", 1)));
        bed.submit(Bed.needing("a", key("k")));
        JobId waits = bed.submit(Bed.needing("a", key("k")));
        JobId other = bed.submit(Bed.needing("a", key("l")));
        JobId plain = bed.submit("a");
        List<Picked> picked = bed.pickAll();
        assertThat(picked.stream().map(p -> p.lease().id()))
                .contains(other, plain)
                .doesNotContain(waits);
        assertThat(bed.engine.explain(waits, bed.now).reasons()).containsExactly(WaitReason.KEY_CAP);
    }

    @Test
    void moreKeysThanQueuesAreHeldBackJobByJob() {
        bed.worker(1, 5_000, "a");
        bed.setRules(bed.tenant, limits(atOnce("*", 1)));
        for (int i = 0; i < 1_500; i++) {
            bed.submit(Bed.needing("a", key("k" + i)));
            bed.submit(Bed.needing("a", key("k" + i)));
        }
        List<Picked> first = bed.pickAll();
        assertThat(first).hasSize(1_500);
        JobId last = bed.submit(Bed.needing("a", key("k1400")));
        assertThat(bed.pick()).isNull();
        assertThat(bed.engine.explain(last, bed.now).reasons()).containsExactly(WaitReason.KEY_CAP);
        first.forEach(bed::complete);
        List<Picked> second = bed.pickAll();
        assertThat(second).hasSize(1_500);
        second.forEach(bed::complete);
        assertThat(bed.mustPick().lease().id()).isEqualTo(last);
    }

    @Test
    void aRateKeyStartsAtMostSoManyInAPeriod() {
        bed.worker(1, 1_000, "a");
        bed.setRules(bed.tenant, limits(rate("mail", 10, 10 * SECOND)));
        for (int i = 0; i < 100; i++) {
            bed.submit(Bed.needing("a", rateKey("mail", 1)));
        }
        assertThat(bed.pickAll()).hasSize(10);
        JobId waits = bed.submit(Bed.needing("a", rateKey("mail", 1)));
        WaitingJob why = bed.engine.explain(waits, bed.now);
        assertThat(why.reasons()).containsExactly(WaitReason.RATE);
        assertThat(why.goesOnAt()).isEqualTo(bed.now + SECOND);
        assertThat(bed.engine.nextTimerAt()).isLessThanOrEqualTo(bed.now + SECOND);
        int started = 0;
        for (int second = 0; second < 30; second++) {
            bed.pass(SECOND);
            bed.engine.renewAll(bed.now);
            started += bed.pickAll().size();
        }
        assertThat(started).isBetween(29, 30);
    }

    /** Takes all queues a tenant has for keys, so that jobs of other keys share one. */
    private void fillQueues() {
        for (int i = 0; i < 1_000; i++) {
            bed.submit(Bed.needing("filler", key("f" + i)));
        }
    }

    @Test
    void jobsHeldBackOneByOneForARateGoOnInTheirOrder() {
        bed.worker(1, 1_000, "a");
        bed.setRules(bed.tenant, limits(rate("mail", 5, 5 * SECOND)));
        fillQueues();
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            ids.add(bed.submit(Bed.needing("a", rateKey("mail", 1))));
        }
        List<JobId> ran = new ArrayList<>();
        bed.pickAll().forEach(picked -> ran.add(picked.lease().id()));
        assertThat(ran).hasSize(5);
        for (int second = 0; second < 35; second++) {
            bed.pass(SECOND);
            bed.engine.renewAll(bed.now);
            List<Picked> next = bed.pickAll();
            assertThat(next).hasSize(1);
            next.forEach(picked -> ran.add(picked.lease().id()));
        }
        assertThat(ran).isEqualTo(ids);
    }

    @Test
    void idleRateKeysAreRememberedUpToABound() {
        bed.worker(1, 1, "a");
        bed.setRules(bed.tenant, limits(rate("*", 1, 24 * Bed.HOUR)));
        int keys = KeysInUse.MAX_IDLE_RATES + 100;
        for (int i = 0; i < keys; i++) {
            bed.submit(Bed.needing("a", rateKey("user-" + i, 1)));
            bed.complete(bed.mustPick());
        }
        bed.submit(Bed.needing("a", rateKey("user-" + (keys - 1), 1)));
        assertThat(bed.pick()).as("its start of today is used").isNull();
        bed.submit(Bed.needing("a", rateKey("user-0", 1)));
        assertThat(bed.pick()).as("forgotten for newer ones").isNotNull();
    }

    @Test
    void aDearJobHeldBackIsNotStarvedByCheapOnesBehindIt() {
        bed.worker(1, 1_000, "a");
        bed.setRules(bed.tenant, limits(rate("mail", 10, 10 * SECOND)));
        fillQueues();
        for (int i = 0; i < 10; i++) {
            bed.submit(Bed.needing("a", rateKey("mail", 1)));
        }
        JobId dear = bed.submit(Bed.needing("a", rateKey("mail", 5)));
        for (int i = 0; i < 40; i++) {
            bed.submit(Bed.needing("a", rateKey("mail", 1)));
        }
        assertThat(bed.pickAll()).hasSize(10);
        for (int second = 0; second < 5; second++) {
            assertThat(bed.pickAll()).isEmpty();
            bed.pass(SECOND);
        }
        assertThat(bed.mustPick().lease().id()).isEqualTo(dear);
        assertThat(bed.pick()).isNull();
    }

    @Test
    void aJobThatWasLetGoAndIsPausedKeepsNoStartsFromOthers() {
        bed.worker(1, 1, "a");
        bed.setRules(bed.tenant, limits(rate("mail", 1, SECOND)));
        fillQueues();
        bed.submit(Bed.needing("a", rateKey("mail", 1)));
        Picked first = bed.mustPick();
        bed.complete(first);
        JobId second = bed.submit(Bed.needing("a", rateKey("mail", 1)));
        JobId third = bed.submit(Bed.needing("a", rateKey("mail", 1)));
        assertThat(bed.pick()).isNull();
        bed.submit("a");
        Picked busy = bed.mustPick();
        // its start is there, but no slot is
        bed.pass(SECOND);
        bed.send(new Command.Pause(null, second, true));
        bed.complete(busy);
        bed.pass(2 * SECOND);
        assertThat(bed.mustPick().lease().id()).isEqualTo(third);
    }

    @Test
    void dearStartsCountAsManyAndAreNotStarvedByCheapOnes() {
        bed.worker(1, 1_000, "a");
        bed.setRules(bed.tenant, limits(rate("mail", 10, 10 * SECOND)));
        for (int i = 0; i < 50; i++) {
            bed.submit(Bed.needing("a", rateKey("mail", 1)));
        }
        assertThat(bed.pickAll()).hasSize(10);
        JobId dear = bed.submit(bed.tenant, Bed.inLane("a", "other", rateKey("mail", 5)));
        boolean ran = false;
        int spent = 0;
        for (int second = 0; second < 20; second++) {
            bed.pass(SECOND);
            bed.engine.renewAll(bed.now);
            for (Picked picked : bed.pickAll()) {
                ran |= picked.lease().id().equals(dear);
                spent += picked.lease().spec().terms().needs().rateCost();
            }
        }
        assertThat(ran).isTrue();
        assertThat(spent).isBetween(15, 20);
    }

    @Test
    void aJobMayCostOneWhereItsTypeSaysMore() {
        TypeRules dear = TypeRules.saying(draft -> draft.needs = rateKey("mail", 5));
        bed.apply(new Fact.TypeSet(new JobType(bed.tenant, "a", "short", 0, 0, bed.now, dear, 0)));
        assertThat(cost(Bed.job("a"))).as("says nothing").isEqualTo(5);
        assertThat(cost(Bed.needing("a", key("k")))).as("says something else").isEqualTo(5);
        assertThat(cost(Bed.needing("a", rateKey("", JobNeeds.JUST_ONE)))).isEqualTo(1);
        assertThat(cost(Bed.needing("a", rateKey("other", JobNeeds.JUST_ONE)))).isEqualTo(1);
        assertThat(cost(Bed.needing("a", rateKey("", 3)))).isEqualTo(3);
        assertThat(cost(Bed.needing("untyped", rateKey("mail", JobNeeds.JUST_ONE))))
                .isEqualTo(1);
    }

    private int cost(NewJob job) {
        JobSpec spec = bed.engine.job(bed.submit(job)).spec();
        return spec.terms().needs().rateCost();
    }

    @Test
    void capsFollowFromLeasesAfterARestart() {
        bed.worker(1, 100, "a");
        bed.setRules(bed.tenant, limits(atOnce("k", 2)));
        setType(bed.tenant, "b", 1);
        for (int i = 0; i < 4; i++) {
            bed.submit(Bed.needing("a", key("k")));
        }
        List<Picked> running = bed.pickAll();
        assertThat(running).hasSize(2);
        Engine again = new Engine(bed.config, Bed.EPOCH + 1);
        bed.facts.forEach(again::apply);
        bed.engine = again;
        bed.worker(2, 100, "a");
        assertThat(bed.pick()).isNull();
        bed.complete(running.getFirst());
        bed.mustPick();
        assertThat(bed.pick()).isNull();
    }

    private static NewJob urgent(JobNeeds needs) {
        return new NewJob(
                "a",
                Payload.EMPTY,
                0,
                1,
                0,
                0,
                0,
                0,
                0,
                "",
                0,
                Map.of(),
                Map.of(),
                new JobTerms("default", 0, "", "", "", false, 0, needs));
    }

    @Test
    void whoHoldsAKeyHandsOnThePriorityOfWhoWaitsForIt() {
        bed.worker(1, 10, "a");
        bed.setRules(bed.tenant, limits(atOnce("k", 1)));
        JobId holder = bed.submit(Bed.needing("a", key("k")));
        bed.mustPick();
        assertThat(bed.engine.inheritedPriority(holder)).isEqualTo(NewJob.DEFAULT_PRIORITY);
        bed.submit(urgent(key("k")));
        assertThat(bed.engine.inheritedPriority(holder)).isEqualTo(1);
    }

    @Test
    void theSameWhereKeysShareAQueue() {
        bed.worker(1, 10, "a");
        bed.setRules(bed.tenant, limits(atOnce("k", 1)));
        fillQueues();
        JobId holder = bed.submit(Bed.needing("a", key("k")));
        bed.mustPick();
        bed.submit(urgent(key("k")));
        assertThat(bed.pick()).isNull();
        assertThat(bed.engine.inheritedPriority(holder)).isEqualTo(1);
    }

    @Test
    void inMaintenanceNothingIsGivenAndSubmitsAreTaken() {
        bed.worker(1, 10, "a");
        JobId job = bed.submit("a");
        bed.apply(new Fact.GateSet(new Gate(Gate.Kind.SYSTEM, Gate.EVERYBODY, "", true, "ops", "upgrade", bed.now)));
        assertThat(bed.pick()).isNull();
        bed.submit("a");
        assertThat(bed.engine.explain(job, bed.now).reasons()).contains(WaitReason.MAINTENANCE);
        bed.apply(new Fact.GateSet(new Gate(Gate.Kind.SYSTEM, Gate.EVERYBODY, "", false, "ops", "", bed.now)));
        assertThat(bed.pickAll()).hasSize(2);
    }
}
