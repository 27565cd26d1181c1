package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Decision;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.NewJob;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.TenantChange;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.Tier;
import dev.fairlane.core.model.WorkerOffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A tenant that ran jobs and does nothing now costs 1 KiB of heap at most, everything the engine knows of it included. */
class IdleTenantTest {
    private static final int TENANTS = 20_000;
    private static final int AT_ONCE = 500;
    private static final int MOST_BYTES = 1_024;
    private static final long EPOCH = 7;

    private final Engine engine = new Engine(EngineConfig.DEFAULT, EPOCH);
    private final TenantId[] tenants = new TenantId[TENANTS];
    private long now = 1_700_000_000_000_000L;
    private long sequence;

    @Test
    void costsAKibibyteAtMost() {
        warmUp();
        long before = used();
        putTenants();
        runAJobOfEach();
        runAJobOfEach();
        assertThat(bytesEach(before)).isLessThanOrEqualTo(MOST_BYTES);
    }

    @Test
    void noMoreIfItWorkedForSomeTime() {
        warmUp();
        long before = used();
        putTenants();
        for (int round = 0; round < 5; round++) {
            runAJobOfEach();
            now += 7 * Bed.MINUTE;
        }
        // what was counted of the last hour is let go of when that is over
        now += Bed.HOUR;
        for (int look = 0; look < TENANTS / 4; look++) {
            now += 10 * Bed.MILLI;
            engine.dueTimers(now, 1_000, this::decide);
        }
        assertThat(bytesEach(before)).isLessThanOrEqualTo(MOST_BYTES);
    }

    private void warmUp() {
        engine.openSession(1, new WorkerOffer("worker", null, List.of("work"), Map.of(PoolRules.SHORT, AT_ONCE)), now);
        tenants[0] = putTenant(0);
        for (int i = 0; i < AT_ONCE; i++) {
            submit(tenants[0]);
        }
        runAll();
    }

    private void putTenants() {
        for (int i = 1; i < TENANTS; i++) {
            tenants[i] = putTenant(i);
        }
    }

    private TenantId putTenant(int number) {
        TenantChange change = TenantChange.toTier(Tier.ENTERPRISE);
        return ((Answer.TenantIs) decide(new Command.PutTenant("customer-" + number, 10, change)))
                .tenant()
                .id();
    }

    /** A few at a time: job slots are memory of open jobs, not of tenants. */
    private void runAJobOfEach() {
        for (int from = 0; from < TENANTS; from += AT_ONCE) {
            for (int i = from; i < from + AT_ONCE; i++) {
                submit(tenants[i]);
            }
            runAll();
        }
    }

    private void submit(TenantId tenant) {
        // as from the wire: every name is an object of its own
        NewJob job = NewJob.of(new String(new char[] {'w', 'o', 'r', 'k'}), Payload.EMPTY);
        JobId id = JobId.of(now / 1_000, 0, 0, EPOCH, ++sequence);
        assertThat(decide(new Command.Submit(id, new TenantId(tenant.number()), job)))
                .isInstanceOf(Answer.Submitted.class);
    }

    private void runAll() {
        for (Picked picked = engine.pick(now); picked != null; picked = engine.pick(now)) {
            engine.apply(picked.fact());
            now += 20;
            decide(new Command.Complete(
                    picked.lease().id(), picked.lease().status().token(), Payload.EMPTY));
        }
        assertThat(engine.openJobs()).isZero();
        engine.takeBookings();
    }

    private Answer decide(Command command) {
        Decision decision = engine.decide(command, now);
        decision.facts().forEach(engine::apply);
        return decision.answer();
    }

    private static long used() {
        long least = Long.MAX_VALUE;
        // the serial collector leaves gaps, except each fourth time
        for (int i = 0; i < 5; i++) {
            System.gc();
            least = Math.min(
                    least,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }

    private double bytesEach(long before) {
        double each = (double) (used() - before) / TENANTS;
        assertThat(engine.tenants()).as("the engine is still there").hasSize(TENANTS);
        return each;
    }
}
