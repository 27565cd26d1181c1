package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.HOUR;
import static dev.fairlane.core.shard.Bed.MINUTE;
import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Resources;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.Tier;
import dev.fairlane.core.model.TypeRules;
import dev.fairlane.core.model.WorkerOffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Semantics §6: preemption at a checkpoint is an opt-in of the job type. */
class PreemptionTest {
    private final Bed bed = new Bed();
    private final TenantId many = tenant("many", true);
    private final TenantId few = tenant("few", true);

    /** Of what was picked. */
    private final Map<JobId, Picked> running = new HashMap<>();

    private TenantId tenant(String name, boolean preemptible) {
        TenantId id = bed.putTenant(name, 10);
        type(id, preemptible);
        return id;
    }

    private void type(TenantId tenant, boolean preemptible) {
        TypeRules rules = TypeRules.saying(draft -> {
            draft.checkpoints = true;
            draft.preemptible = preemptible;
        });
        bed.send(new Command.PutType(tenant, "train", "long", 0, 24 * HOUR, rules));
    }

    private void worker(int session, int slots, Resources has, String... tags) {
        bed.engine.openSession(
                session,
                new WorkerOffer("worker-" + session, null, List.of("train"), Map.of("long", slots), has, List.of(tags)),
                bed.now);
    }

    private void worker(int slots) {
        worker(1, slots, Resources.NONE);
    }

    private void submit(TenantId tenant, int jobs) {
        for (int i = 0; i < jobs; i++) {
            bed.submit(tenant, Bed.job("train"));
        }
    }

    private void pickAll() {
        for (Picked picked = bed.pick(); picked != null; picked = bed.pick()) {
            running.put(picked.lease().id(), picked);
            bed.start(picked);
        }
    }

    /** Lets time pass in which workers say that they live; returns who was asked. */
    private List<HandOverCall> pass(long micros) {
        List<HandOverCall> asked = new ArrayList<>();
        for (long left = micros; left > 0; left -= SECOND) {
            bed.engine.renewAll(bed.now);
            bed.pass(Math.min(left, SECOND));
            pickAll();
            bed.engine.drainHandOvers(asked::add);
        }
        return asked;
    }

    private void handOver(HandOverCall call) {
        bed.send(new Command.Checkpoint(call.id(), call.token(), "half", 4));
        assertThat(bed.send(new Command.HandOver(call.id(), call.token()))).isInstanceOf(Answer.Applied.class);
        running.remove(call.id());
        pickAll();
    }

    private int held(TenantId tenant) {
        return bed.engine.shares(tenant, bed.now).getFirst().running();
    }

    /** One tenant has all slots, and has had them for a while. */
    private void hog(int slots) {
        worker(slots);
        submit(many, 2 * slots);
        pickAll();
        assertThat(pass(5 * MINUTE)).as("nobody else waits").isEmpty();
    }

    @Test
    void whoHasMoreThanItsShareMakesRoomForWhoHasLess() {
        hog(4);
        submit(few, 4);
        List<HandOverCall> asked = pass(2 * SECOND);

        assertThat(asked).hasSize(2).allSatisfy(call -> {
            assertThat(call.by()).isEqualTo(many);
            assertThat(call.to()).isEqualTo(few);
            assertThat(call.pool()).isEqualTo("long");
            assertThat(bed.engine.askedToHandOver(call.id(), call.token())).isTrue();
        });
        asked.forEach(this::handOver);
        assertThat(held(many)).isEqualTo(2);
        assertThat(held(few)).isEqualTo(2);
        assertThat(pass(20 * MINUTE)).as("all have their shares").isEmpty();
    }

    @Test
    void theNewestIsAskedAndGoesOnFirstFromItsCheckpointAtNoCost() {
        worker(2);
        submit(many, 1);
        pickAll();
        pass(5 * SECOND);
        submit(many, 2);
        pickAll();
        pass(5 * MINUTE);
        submit(few, 1);
        HandOverCall call = pass(2 * SECOND).getFirst();
        Picked newest = running.values().stream()
                .max((a, b) -> Long.compare(
                        a.lease().status().leasedAt(), b.lease().status().leasedAt()))
                .orElseThrow();
        assertThat(call.id()).isEqualTo(newest.lease().id());
        handOver(call);
        Picked other = running.values().stream()
                .filter(picked -> picked.lease().tenant().equals(few))
                .findFirst()
                .orElseThrow();
        bed.complete(other);

        Picked again = bed.mustPick();
        JobStatus status = again.lease().status();
        assertThat(again.lease().id()).isEqualTo(call.id());
        assertThat(status.marks().checkpoint()).isNotNull();
        assertThat(status.attempt()).isEqualTo(1);
        assertThat(status.attempts()).isEmpty();
        assertThat(status.crashes()).isZero();
    }

    @Test
    void nobodyIsAskedWhoseTypeDidNotOptIn() {
        type(many, false);
        hog(4);
        submit(few, 4);
        assertThat(pass(5 * MINUTE)).isEmpty();
    }

    @Test
    void aTypeThatOptsOutAgainIsLeftAlone() {
        hog(4);
        type(many, false);
        submit(few, 4);
        assertThat(pass(5 * MINUTE)).isEmpty();
    }

    @Test
    void nobodyIsAskedInItsFirstMinute() {
        worker(2);
        submit(many, 2);
        pickAll();
        submit(few, 1);
        assertThat(pass(59 * SECOND)).isEmpty();
        assertThat(pass(2 * SECOND)).hasSize(1);
    }

    @Test
    void equalsDoNotSwapTheLastSlotForEver() {
        worker(3);
        submit(many, 10);
        pickAll();
        submit(few, 10);
        pass(61 * SECOND).forEach(this::handOver);
        assertThat(held(many)).isEqualTo(2);
        assertThat(held(few)).isEqualTo(1);
        assertThat(pass(HOUR)).isEmpty();
    }

    @Test
    void oneWhoDoesNotListenIsAskedOnceAndNobodyInItsPlaceBelowTheShare() {
        hog(4);
        submit(few, 4);
        assertThat(pass(30 * MINUTE)).hasSize(2).doesNotHaveDuplicates();
        assertThat(held(many)).as("nobody is stopped").isEqualTo(4);
    }

    @Test
    void noMoreAreAskedThanJobsWait() {
        hog(6);
        submit(few, 1);
        List<HandOverCall> asked = pass(30 * SECOND);
        assertThat(asked).hasSize(1);
        handOver(asked.getFirst());
        assertThat(held(few)).isEqualTo(1);
        assertThat(pass(MINUTE)).isEmpty();
    }

    @Test
    void afterTenMinutesWithoutAnAnswerAnotherMayBeAsked() {
        TenantId deaf = tenant("deaf", true);
        worker(8);
        submit(deaf, 5);
        submit(many, 3);
        pickAll();
        assertThat(held(deaf)).isEqualTo(5);
        pass(5 * MINUTE);
        submit(few, 1);
        // a third of eight each: five are further beyond it than three
        assertThat(pass(9 * MINUTE))
                .singleElement()
                .satisfies(call -> assertThat(call.by()).isEqualTo(deaf));
        assertThat(pass(2 * MINUTE))
                .singleElement()
                .satisfies(call -> assertThat(call.by()).isEqualTo(deaf));
    }

    @Test
    void aFreeSlotIsTakenInstead() {
        hog(4);
        worker(2, 1, Resources.NONE);
        pickAll();
        JobId last = running.values().stream()
                .filter(picked -> picked.lease().status().worker().equals("worker-2"))
                .map(picked -> picked.lease().id())
                .findFirst()
                .orElseThrow();
        submit(few, 1);
        bed.complete(running.remove(last));
        assertThat(pass(5 * SECOND)).isEmpty();
        assertThat(held(few)).isEqualTo(1);
    }

    @Test
    void aPausedPoolMovesNobody() {
        hog(4);
        bed.send(new Command.SetGate(Gate.Kind.POOL, Gate.EVERYBODY, "long", true, "ops", ""));
        submit(few, 4);
        assertThat(pass(5 * MINUTE)).isEmpty();
    }

    @Test
    void anExecutionIsAskedOnlyWhereItsEndMakesRoom() {
        Resources gpu = new Resources(0, 0, 1);
        worker(1, 2, gpu);
        worker(2, 4, new Resources(4_000, 0, 0));
        submit(many, 6);
        pickAll();
        assertThat(held(many)).isEqualTo(6);
        pass(5 * MINUTE);
        bed.submit(few, Bed.needing("train", new JobNeeds("", "", "", 1, gpu, List.of())));
        HandOverCall call = pass(2 * SECOND).getFirst();
        assertThat(running.get(call.id()).lease().status().worker()).isEqualTo("worker-1");
        handOver(call);
        assertThat(held(few)).isEqualTo(1);
    }

    @Test
    void aTenantsOwnWorkersAreNobodyElses() {
        bed.engine.openSession(1, new WorkerOffer("own", many, List.of("train"), Map.of("long", 4)), bed.now);
        worker(2, 1, Resources.NONE);
        submit(many, 5);
        pickAll();
        assertThat(held(many)).isEqualTo(5);
        pass(5 * MINUTE);
        submit(few, 1);
        assertThat(pass(5 * MINUTE)).as("of the pool's slots it has one").isEmpty();
    }

    @Test
    void whoUsedMoreBeforeDoesNotGetOthersMoved() {
        worker(4);
        submit(few, 4);
        pickAll();
        pass(2 * HOUR);
        submit(many, 8);
        List.copyOf(running.values()).forEach(bed::complete);
        running.clear();
        submit(few, 4);
        pickAll();
        assertThat(held(many)).isEqualTo(4);
        assertThat(pass(10 * MINUTE)).as("it would not get the slot").isEmpty();
    }

    @Test
    void jobsThatCouldNotWaitAreNotAsked() {
        worker(2);
        NewJob soon = new NewJob("train", Payload.EMPTY, 0, -1, 0, 0, bed.now + HOUR, 0, 0, "", 0, Map.of(), Map.of());
        bed.submit(many, soon);
        bed.submit(many, soon);
        pickAll();
        pass(5 * MINUTE);
        submit(few, 1);
        assertThat(pass(5 * MINUTE)).isEmpty();
    }

    @Test
    void aFreeTenantGetsRoomToo() {
        for (TenantId tenant : List.of(many, few)) {
            TypeRules rules = TypeRules.saying(draft -> draft.preemptible = true);
            bed.send(new Command.PutType(tenant, "train", "short", 0, 24 * HOUR, rules));
        }
        bed.setRules(few, TiersTest.tier(Tier.FREE));
        bed.worker(1, 12, "train");
        submit(many, 20);
        pickAll();
        assertThat(held(many)).isEqualTo(12);
        pass(5 * MINUTE);
        submit(few, 3);
        // the free tenants weigh a tenth of the other
        List<HandOverCall> asked = pass(MINUTE);
        assertThat(asked).hasSize(1);
        handOver(asked.getFirst());
        assertThat(held(few)).isEqualTo(1);
        assertThat(pass(10 * MINUTE)).isEmpty();
    }

    @Test
    void inThePartOfThePoolThatIsTheFreeTenantsNobodyIsMoved() {
        worker(100);
        TenantId greedy = tenant("greedy", true);
        bed.setRules(greedy, TiersTest.tier(Tier.FREE));
        bed.setRules(few, TiersTest.tier(Tier.FREE));
        submit(greedy, 10);
        pickAll();
        assertThat(held(greedy)).isEqualTo(5);
        pass(5 * MINUTE);
        submit(few, 5);
        assertThat(pass(MINUTE))
                .as("slots are free: it is not those that it waits for")
                .isEmpty();
    }

    @Test
    void aRestartKnowsWhoMayBeAsked() {
        hog(4);
        bed.engine = new Engine(bed.config, Bed.EPOCH + 1);
        bed.facts.forEach(bed.engine::apply);
        bed.engine.renewAll(bed.now);
        worker(4);
        running.values()
                .forEach(picked -> bed.engine.renew(
                        1,
                        new long[] {picked.lease().id().lo()},
                        new long[] {picked.lease().status().token()},
                        1,
                        bed.now));
        submit(few, 1);
        assertThat(pass(2 * SECOND))
                .singleElement()
                .satisfies(call -> assertThat(call.by()).isEqualTo(many));
    }
}
