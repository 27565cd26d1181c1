package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.admission.Admission;
import dev.fairlane.core.admission.LaneNames;
import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.Gate.Kind;
import dev.fairlane.core.model.JobChange;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.TenantId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pausing many jobs at once: their lines stand still, whoever is in them or comes to them. */
class GatesTest {
    private final Bed bed = new Bed();

    private Answer set(Kind kind, TenantId tenant, String name, boolean closed) {
        return bed.send(new Command.SetGate(kind, tenant, name, closed, "ops", "why"));
    }

    private Answer close(Kind kind, String name) {
        return set(kind, bed.tenant, name, true);
    }

    private Answer open(Kind kind, String name) {
        return set(kind, bed.tenant, name, false);
    }

    @Test
    void aPausedTypeWaitsAndOthersRun() {
        JobId before = bed.submit("a");
        JobId other = bed.submit("b");
        bed.worker(1, 9, "a", "b");
        close(Kind.TYPE, "a");
        JobId after = bed.submit("a");

        assertThat(bed.mustPick().lease().id()).isEqualTo(other);
        assertThat(bed.pick()).isNull();
        open(Kind.TYPE, "a");
        assertThat(bed.mustPick().lease().id()).isEqualTo(before);
        assertThat(bed.mustPick().lease().id()).isEqualTo(after);
    }

    @Test
    void aTypePausedBeforeItsFirstJobWaitsToo() {
        close(Kind.TYPE, "a");
        bed.worker(1, 1, "a");
        bed.submit("a");

        assertThat(bed.pick()).isNull();
    }

    @Test
    void anotherTenantsTypeOfThatNameRuns() {
        TenantId other = bed.putTenant("other", 10);
        close(Kind.TYPE, "a");
        bed.worker(1, 1, "a");
        JobId theirs = bed.submit(other, Bed.job("a"));
        bed.submit("a");

        assertThat(bed.mustPick().lease().id()).isEqualTo(theirs);
        assertThat(bed.pick()).isNull();
    }

    @Test
    void aPausedLaneWaitsAndAJobMovedOutOfItRuns() {
        JobId stays = bed.submit("a");
        JobId moves = bed.submit("a");
        bed.worker(1, 9, "a");
        close(Kind.LANE, "slow");
        for (JobId id : new JobId[] {stays, moves}) {
            bed.send(new Command.Revise(null, id, JobChange.NOTHING.inLane("slow"), Command.ANY_REVISION, null));
        }
        assertThat(bed.pick()).isNull();

        bed.send(new Command.Revise(null, moves, JobChange.NOTHING.inLane("default"), Command.ANY_REVISION, null));
        assertThat(bed.mustPick().lease().id()).isEqualTo(moves);
        assertThat(bed.pick()).isNull();
        open(Kind.LANE, "slow");
        assertThat(bed.mustPick().lease().id()).isEqualTo(stays);
    }

    @Test
    void aLaneBehindTwoGatesWaitsForBoth() {
        bed.submit("a");
        bed.worker(1, 1, "a");
        close(Kind.TYPE, "a");
        close(Kind.LANE, "default");
        close(Kind.TENANT, "");
        close(Kind.POOL, "short");
        for (Kind kind : new Kind[] {Kind.TYPE, Kind.LANE, Kind.TENANT}) {
            open(kind, kind == Kind.TYPE ? "a" : kind == Kind.LANE ? "default" : "");
            assertThat(bed.pick()).as("after opening %s", kind).isNull();
        }
        open(Kind.POOL, "short");
        bed.mustPick();
    }

    @Test
    void aPausedPoolHoldsEverybodyBack() {
        TenantId newcomer = bed.putTenant("newcomer", 10);
        bed.submit("a");
        bed.worker(1, 2, "a");
        close(Kind.POOL, "short");
        bed.submit(newcomer, Bed.job("a"));

        assertThat(bed.pick()).isNull();
        open(Kind.POOL, "short");
        bed.mustPick();
        bed.mustPick();
    }

    @Test
    void whatRunsGoesOnAndCanBeCancelled() {
        JobId id = bed.submit("a");
        bed.worker(1, 1, "a");
        Picked picked = bed.mustPick();
        close(Kind.TENANT, "");

        assertThat(bed.complete(picked)).isInstanceOf(Answer.Applied.class);
        JobId waits = bed.submit("a");
        bed.send(new Command.Cancel(null, waits));
        assertThat(bed.ended).containsOnlyKeys(id, waits);
    }

    @Test
    void sayingItTwiceChangesNothing() {
        close(Kind.TYPE, "a");
        int facts = bed.facts.size();
        Gate first = ((Answer.GateIs) close(Kind.TYPE, "a")).gate();

        assertThat(first.closed()).isTrue();
        assertThat(((Answer.GateIs) open(Kind.TYPE, "b")).gate().closed()).isFalse();
        assertThat(bed.facts).hasSize(facts);
        assertThat(bed.engine.gates(null)).containsExactly(first);
        assertThat(bed.engine.gates(new TenantId(99))).isEmpty();
    }

    @Test
    void whatIsNotThereCannotBePaused() {
        assertThat(code(set(Kind.POOL, bed.tenant, "nowhere", true))).isEqualTo(RefusalCode.UNKNOWN_POOL);
        assertThat(code(set(Kind.TYPE, new TenantId(99), "a", true))).isEqualTo(RefusalCode.TENANT_NOT_FOUND);
        assertThat(code(close(Kind.TYPE, ""))).isEqualTo(RefusalCode.INVALID_ARGUMENT);
        assertThat(code(close(Kind.LANE, "x".repeat(201)))).isEqualTo(RefusalCode.INVALID_ARGUMENT);
    }

    @Test
    void whoPausesAsManyAsItMayHavePausesNoMoreAndHoldsUpNobodyElse() {
        for (int i = 0; i < Admission.MAX_TYPES_PER_TENANT; i++) {
            assertThat(close(Kind.TYPE, "t" + i)).isInstanceOf(Answer.GateIs.class);
        }
        for (int i = 0; i < LaneNames.MAX_PER_TENANT; i++) {
            assertThat(close(Kind.LANE, "l" + i)).isInstanceOf(Answer.GateIs.class);
        }
        assertThat(close(Kind.TYPE, "one more")).isInstanceOfSatisfying(Answer.Refused.class, refused -> {
            assertThat(refused.refusal().code()).isEqualTo(RefusalCode.TYPE_LIMIT);
            assertThat(refused.refusal().limit()).isEqualTo(1_000);
            assertThat(refused.refusal().present()).isEqualTo(1_000);
        });
        assertThat(code(close(Kind.LANE, "one more"))).isEqualTo(RefusalCode.LANE_LIMIT);
        assertThat(close(Kind.TYPE, "t7")).as("said again").isInstanceOf(Answer.GateIs.class);
        TenantId other = bed.putTenant("other", 10);
        assertThat(set(Kind.TYPE, other, "t", true)).isInstanceOf(Answer.GateIs.class);
        for (Kind kind : List.of(Kind.TENANT, Kind.SYSTEM)) {
            assertThat(close(kind, "")).isInstanceOf(Answer.GateIs.class);
        }
        assertThat(close(Kind.POOL, "short")).isInstanceOf(Answer.GateIs.class);

        open(Kind.TYPE, "t7");
        assertThat(close(Kind.TYPE, "one more")).isInstanceOf(Answer.GateIs.class);
        assertThat(code(close(Kind.TYPE, "t7"))).isEqualTo(RefusalCode.TYPE_LIMIT);
    }

    @Test
    void whatTenantsPauseIsBoundedAndNoneOfItKeepsOperatorsFromMaintenance() {
        for (int t = 0; t < 100; t++) {
            TenantId each = bed.putTenant("t" + t, 10);
            for (int i = 0; i < Admission.MAX_TYPES_PER_TENANT; i++) {
                bed.engine.apply(new Fact.GateSet(new Gate(Kind.TYPE, each, "x" + i, true, "me", "", bed.now)));
            }
        }
        assertThat(code(close(Kind.TYPE, "a"))).isEqualTo(RefusalCode.NODE_FULL);
        assertThat(close(Kind.TENANT, "")).isInstanceOf(Answer.GateIs.class);
        assertThat(close(Kind.POOL, "short")).isInstanceOf(Answer.GateIs.class);
        assertThat(close(Kind.SYSTEM, "")).isInstanceOf(Answer.GateIs.class);
    }

    @Test
    void aRestartKeepsTheGatesClosed() {
        bed.submit("a");
        close(Kind.TYPE, "a");
        Engine again = new Engine(bed.config, 99);
        for (Fact fact : bed.facts) {
            again.apply(fact);
        }
        assertThat(again.hardState(bed.now)).isEqualTo(bed.engine.hardState(bed.now));
        bed.engine = again;
        bed.worker(1, 1, "a");
        assertThat(bed.pick()).isNull();
        open(Kind.TYPE, "a");
        bed.mustPick();
    }

    private static RefusalCode code(Answer answer) {
        return ((Answer.Refused) answer).refusal().code();
    }
}
