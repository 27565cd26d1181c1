package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.WorkerOffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Sessions, leases and who gets which job. */
class WorkersTest {
    private final Bed bed = new Bed();

    @Test
    void aWorkerGetsOnlyTypesItHas() {
        bed.submit("mail");
        bed.worker(1, 5, "report");
        assertThat(bed.pick()).isNull();
        bed.worker(2, 5, "mail", "report");
        assertThat(bed.mustPick().lease().session()).isEqualTo(2);
    }

    @Test
    void aWorkerOfATenantGetsOnlyItsJobs() {
        TenantId other = bed.putTenant("other", 1);
        bed.worker(1, other, 5, "mail");
        bed.submit("mail");
        assertThat(bed.pick()).isNull();
        JobId own = bed.submit(other, Bed.job("mail"));
        Picked picked = bed.mustPick();
        assertThat(picked.lease().id()).isEqualTo(own);
        assertThat(picked.lease().tenant()).isEqualTo(other);
    }

    @Test
    void aWorkerGetsOnlyJobsOfPoolsItServes() {
        bed.send(new Command.PutType(bed.tenant, "report", "medium", 0, 0));
        bed.submit("report");
        bed.worker(1, 5, "report");
        assertThat(bed.pick()).isNull();
        bed.engine.openSession(2, new WorkerOffer("m", null, List.of("report"), Map.of("medium", 1)), bed.now);
        assertThat(bed.mustPick().lease().leaseMicros()).isEqualTo(60 * SECOND);
    }

    @Test
    void aSessionHoldsNoMoreThanItsSlotsAndWorkersTakeTurns() {
        for (int i = 0; i < 10; i++) {
            bed.submit("mail");
        }
        bed.worker(1, 2, "mail");
        bed.worker(2, 3, "mail");
        List<Integer> sessions = new ArrayList<>();
        List<Picked> all = new ArrayList<>();
        for (Picked picked = bed.pick(); picked != null; picked = bed.pick()) {
            sessions.add(picked.lease().session());
            all.add(picked);
        }
        assertThat(sessions).hasSize(5);
        assertThat(sessions.subList(0, 2)).containsExactlyInAnyOrder(1, 2);
        bed.complete(all.get(0));
        assertThat(bed.mustPick().lease().session()).isEqualTo(sessions.getFirst());
        assertThat(bed.pick()).isNull();
    }

    @Test
    void aPickThatIsNotAppliedDidNotHappen() {
        bed.submit("mail");
        bed.worker(1, 1, "mail");
        Picked first = bed.engine.pick(bed.now);
        Picked second = bed.engine.pick(bed.now);
        assertThat(second).isEqualTo(first);
    }

    @Test
    void aDrainingWorkerGetsNothingAndKeepsWhatItHas() {
        bed.worker(1, 2, "mail");
        JobId id = bed.submit("mail");
        Picked picked = bed.mustPick();
        bed.submit("mail");
        bed.engine.drainSession(1);
        assertThat(bed.pick()).isNull();
        assertThat(bed.engine.sessionOf(id)).isEqualTo(1);
        bed.complete(picked);
        assertThat(bed.pick()).isNull();
        bed.engine.closeSession(1);
        assertThat(bed.engine.stats(bed.now).sessions()).isZero();
    }

    @Test
    void leasesOfAClosedSessionStayAndTheWorkerCanTakeThemUpAgain() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit("mail");
        bed.submit("mail");
        Picked picked = bed.mustPick();
        bed.engine.closeSession(1);
        assertThat(bed.engine.sessionOf(id)).isEqualTo(Engine.NO_SESSION);
        assertThat(bed.state(id)).isEqualTo(JobState.LEASED);
        bed.pass(5 * SECOND);
        long token = picked.lease().status().token();
        assertThat(bed.engine.leasesOf(null, "worker-1")).containsExactly(new HeldLease(id, token));
        bed.engine.openSession(9, new WorkerOffer("worker-1", null, List.of("mail"), Map.of("short", 1)), bed.now);
        assertThat(bed.engine
                        .renew(9, new long[] {id.lo()}, new long[] {token}, 1, bed.now)
                        .isEmpty())
                .isTrue();
        assertThat(bed.engine.sessionOf(id)).isEqualTo(9);
        assertThat(bed.pick()).as("its only slot is taken").isNull();
        bed.pass(9 * SECOND);
        assertThat(bed.state(id)).isEqualTo(JobState.LEASED);
        bed.complete(picked);
        assertThat(bed.mustPick().lease().session()).isEqualTo(9);
    }

    @Test
    void aHeartbeatRenewsExactlyWhatItNames() {
        bed.worker(1, 2, "mail");
        JobId renewed = bed.submit("mail");
        JobId silent = bed.submit("mail");
        Picked first = bed.mustPick();
        bed.mustPick();
        bed.pass(9 * SECOND);
        bed.engine.renew(
                1, new long[] {renewed.lo()}, new long[] {first.lease().status().token()}, 1, bed.now);
        bed.pass(2 * SECOND);
        assertThat(bed.state(renewed)).isEqualTo(JobState.LEASED);
        assertThat(bed.state(silent)).isEqualTo(JobState.QUEUED);
    }

    @Test
    void leasesThatAreNotCurrentAreNamedByPosition() {
        bed.worker(1, 2, "mail");
        JobId id = bed.submit("mail");
        JobId waiting = bed.submit("mail");
        long token = bed.mustPick().lease().status().token();
        long[] lo = {id.lo(), id.lo(), waiting.lo(), 12345};
        long[] tokens = {token + 1, token, 1, 1};
        assertThat(bed.engine.renew(1, lo, tokens, 4, bed.now).stream()).containsExactly(0, 2, 3);
    }

    @Test
    void aWorkerOfAnotherTenantCannotRenew() {
        bed.worker(1, 2, "mail");
        JobId id = bed.submit("mail");
        long token = bed.mustPick().lease().status().token();
        bed.worker(2, bed.putTenant("other", 1), 1, "mail");
        assertThat(bed.engine
                        .renew(2, new long[] {id.lo()}, new long[] {token}, 1, bed.now)
                        .get(0))
                .isTrue();
        assertThat(bed.engine.sessionOf(id)).isEqualTo(1);
    }

    @Test
    void afterAnOutageEveryLeaseHasItsFullLengthAgain() {
        bed.worker(1, 1, "mail");
        JobId id = bed.submit("mail");
        Picked picked = bed.mustPick();
        bed.now += 1_000 * SECOND;
        bed.engine.renewAll(bed.now);
        bed.pass(9 * SECOND);
        assertThat(bed.state(id)).isEqualTo(JobState.LEASED);
        bed.complete(picked);
        assertThat(bed.state(id)).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void urgentJobsGoFirstAndInsideATierTheFirstCome() {
        JobId low = bed.submit(Bed.priority("mail", 9));
        JobId normal = bed.submit("mail");
        JobId urgent = bed.submit(Bed.priority("report", 0));
        JobId second = bed.submit(Bed.priority("report", 5));
        bed.worker(1, 4, "mail", "report");
        assertThat(List.of(bed.mustPick(), bed.mustPick(), bed.mustPick(), bed.mustPick()))
                .extracting(picked -> picked.lease().id())
                .containsExactly(urgent, normal, second, low);
    }

    @Test
    void aJobThatWaitedLongEnoughCountsAsUrgent() {
        JobId old = bed.submit(Bed.priority("mail", 5));
        bed.pass(Bed.HOUR);
        JobId urgent = bed.submit(Bed.priority("mail", 0));
        bed.worker(1, 2, "mail");
        assertThat(bed.mustPick().lease().id()).isEqualTo(old);
        assertThat(bed.mustPick().lease().id()).isEqualTo(urgent);
    }

    @Test
    void evictingTakesTheSpecOfAWaitingJobOnly() {
        bed.worker(1, 1, "mail");
        JobId leased = bed.submit("mail");
        JobId waiting = bed.submit("mail");
        Picked picked = bed.mustPick();
        bed.engine.evict(bed.engine.job(leased).spec());
        bed.engine.evict(bed.engine.job(waiting).spec());
        assertThat(bed.engine.job(leased).spec()).isNotNull();
        assertThat(bed.engine.job(waiting).spec()).isNull();
        bed.complete(picked);
        assertThat(bed.mustPick().lease().spec()).isNull();
    }

    @Test
    void aWaitingJobTakesItsSpecBackAheadUnlessItIsNotAsItWasSubmitted() {
        JobId id = bed.submit("mail");
        JobSpec spec = Objects.requireNonNull(bed.engine.job(id).spec());
        bed.engine.restoreAhead(spec.withPayload(Payload.EMPTY));
        assertThat(bed.engine.job(id).spec()).as("it is there").isSameAs(spec);
        bed.engine.evict(spec);
        bed.engine.restoreAhead(JobChange.NOTHING.withTags(Map.of("a", "b")).of(spec, 0));
        assertThat(bed.engine.job(id).spec()).as("another revision").isNull();
        assertThat(bed.engine.restoreAhead(spec)).isTrue();
        assertThat(bed.engine.job(id).spec()).isSameAs(spec);
        bed.engine.evictAhead(id, 1);
        assertThat(bed.engine.job(id).spec()).as("another revision").isSameAs(spec);
        bed.engine.evictAhead(id, 0);
        assertThat(bed.engine.job(id).spec()).isNull();
        bed.engine.restoreAhead(spec);

        bed.worker(1, 1, "mail");
        bed.fail(bed.mustPick(), FailureClass.APP_ERROR);
        bed.engine.evictAhead(id, 0);
        assertThat(bed.engine.job(id).spec()).as("it ran").isSameAs(spec);
        bed.engine.evict(spec);
        bed.engine.restoreAhead(spec);
        assertThat(bed.engine.job(id).spec())
                .as("it ran, and may have been replayed")
                .isNull();
    }

    @Test
    void aLeasedJobTakesItsSpecBackUnlessItWasChanged() {
        JobId id = bed.submit("mail");
        JobSpec spec = Objects.requireNonNull(bed.engine.job(id).spec());
        bed.engine.evict(spec);
        bed.engine.restore(spec);
        assertThat(bed.engine.job(id).spec()).as("while it waits").isNull();

        bed.worker(1, 1, "mail");
        bed.mustPick();
        bed.engine.restore(JobChange.NOTHING.withTags(Map.of("a", "b")).of(spec, 0));
        assertThat(bed.engine.job(id).spec()).as("another revision").isNull();
        bed.engine.restore(spec);
        assertThat(bed.engine.job(id).spec()).isEqualTo(spec);
        assertThat(bed.engine.residentBytes()).isPositive();
    }

    @Test
    void kindsOfWorkersAreBounded() {
        for (int i = 0; i < Engine.MAX_WIDE_KINDS; i++) {
            bed.worker(i, 1, "type-" + i);
        }
        WorkerOffer more = new WorkerOffer("more", null, List.of("one-more"), Map.of("short", 1));
        Refusal refusal = bed.engine.openSession(1_000, more, bed.now);
        assertThat(refusal.code()).isEqualTo(RefusalCode.WORKER_KINDS);
        assertThat(refusal.message()).contains("256");
        assertThat(refusal.limit()).isEqualTo(Engine.MAX_WIDE_KINDS);
        assertThat(refusal.present()).isEqualTo(Engine.MAX_WIDE_KINDS);
        bed.engine.closeSession(3);
        bed.worker(1_001, 1, "one-more");
        assertThat(bed.engine.stats(bed.now).pools().getFirst().slots()).isEqualTo(Engine.MAX_WIDE_KINDS);
    }

    @Test
    void workersOfOneTenantAreServedBeforeSharedOnes() {
        bed.worker(1, 1, "mail");
        bed.worker(2, bed.tenant, 1, "mail");
        bed.submit("mail");
        assertThat(bed.mustPick().lease().session()).isEqualTo(2);
        bed.submit("mail");
        assertThat(bed.mustPick().lease().session()).isEqualTo(1);
    }

    @Test
    void equalTenantsAreServedInTheOrderOfTheirEarliestJobs() {
        TenantId second = bed.putTenant("second", 10);
        TenantId third = bed.putTenant("third", 10);
        JobId a = bed.submit(third, Bed.job("mail"));
        bed.now++;
        JobId b = bed.submit(Bed.priority("mail", 0));
        bed.now++;
        JobId c = bed.submit(second, Bed.job("mail"));
        bed.worker(1, 3, "mail");
        assertThat(List.of(bed.mustPick(), bed.mustPick(), bed.mustPick()))
                .extracting(picked -> picked.lease().id())
                .containsExactly(a, b, c);
    }

    @Test
    void statsCountWhatIsThere() {
        TenantId other = bed.putTenant("other", 1);
        bed.worker(1, 2, "mail");
        long first = bed.now;
        bed.submit("mail");
        bed.submit("mail");
        bed.submit("mail");
        bed.submit(other, Bed.later("mail", SECOND));
        Picked picked = bed.mustPick();
        bed.mustPick();
        bed.now += SECOND;
        bed.complete(picked);
        EngineStats stats = bed.engine.stats(bed.now);
        assertThat(stats.openJobs()).isEqualTo(3);
        assertThat(stats.sessions()).isEqualTo(1);
        assertThat(stats.pools().getFirst()).isEqualTo(new EngineStats.PoolStats("short", 1, 1, 2, first));
        assertThat(stats.tenants())
                .containsExactly(
                        new EngineStats.TenantStats(bed.tenant, 1, 0, 1, 2.0, 1),
                        new EngineStats.TenantStats(other, 0, 1, 0, 0, 0));
    }
}
