package dev.fairlane.core.shard;

import dev.fairlane.core.model.FailureRules;
import dev.fairlane.core.model.Notice;
import dev.fairlane.core.outcome.Breaker;
import dev.fairlane.core.share.Block;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The breakers of all types, with what they hold back and let through. */
final class Breakers {
    /** The probes an execution is are bits of a long. */
    private static final int MOST_PER_TYPE = 64;

    private static final @Nullable BreakerGate[] NO_GATES = {};
    private static final int RELEASED_AT_ONCE = 1_000;
    private static final long RELEASE_AGAIN_MICROS = 1_000;
    /** An open breaker that holds nothing back is forgotten after this. */
    private static final long FORGET_MICROS = 600_000_000;

    private final ShardState state;
    private final Guards guards;
    private final FailureRules rules;
    private int open;
    private long refused;

    Breakers(ShardState state, Guards guards) {
        this.state = state;
        this.guards = guards;
        this.rules = state.config.failures();
    }

    int open() {
        return open;
    }

    /** Failures whose dependency got no breaker because the tenant has too many. */
    long refused() {
        return refused;
    }

    /** All breakers of a type. */
    List<BreakerState> states(TypeHealth health, long now) {
        List<BreakerState> states = new ArrayList<>();
        for (BreakerGate gate : gates(health)) {
            if (gate != null) {
                boolean isOpen = gate.breaker.isOpen();
                states.add(new BreakerState(
                        gate.breaker.dependency(),
                        isOpen,
                        isOpen ? gate.breaker.openedAt() : 0,
                        isOpen ? gate.breaker.probeAt() : 0,
                        gate.parked.size() + gate.queued.size(),
                        gate.breaker.failing(now)));
            }
        }
        states.sort(Comparator.comparing(BreakerState::dependency));
        return states;
    }

    // ---- what executions tell

    void failed(TypeHealth health, String dependency, long probes, long leasedAt, long now) {
        BreakerGate gate = health.gate(dependency);
        if (gate == null) {
            gate = make(health, dependency, now);
            if (gate == null) {
                return;
            }
        }
        Breaker breaker = gate.breaker;
        if ((probes >>> gate.number & 1) != 0 && breaker.badProbe(leasedAt, now)) {
            gate.anyProbes = false;
            gate.retryProbes = false;
            guards.deadlines.set(gate, breaker.probeAt());
            judge(health, now);
        }
        if (breaker.failed(health.successes(now), now)) {
            open++;
            tell(Notice.Kind.DEPENDENCY_CIRCUIT_OPEN, gate);
            guards.deadlines.set(gate, breaker.probeAt());
            judge(health, now);
        }
    }

    void timedOut(TypeHealth health, long probes, long leasedAt, long now) {
        for (BreakerGate gate : gates(health)) {
            if (gate != null && (probes >>> gate.number & 1) != 0 && gate.breaker.badProbe(leasedAt, now)) {
                gate.anyProbes = false;
                gate.retryProbes = false;
                guards.deadlines.set(gate, gate.breaker.probeAt());
                judge(health, now);
            }
        }
    }

    void succeeded(TypeHealth health, long probes, long leasedAt, long now) {
        for (BreakerGate gate : gates(health)) {
            if (gate != null && (probes >>> gate.number & 1) != 0 && gate.breaker.goodProbe(leasedAt)) {
                closed(gate, now);
            }
        }
    }

    private static @Nullable BreakerGate[] gates(TypeHealth health) {
        return health.gates == null ? NO_GATES : health.gates;
    }

    private void closed(BreakerGate gate, long now) {
        open--;
        gate.anyProbes = false;
        gate.retryProbes = false;
        gate.probing = BreakerGate.NO_JOB;
        tell(Notice.Kind.DEPENDENCY_CIRCUIT_CLOSED, gate);
        judge(gate.health, now);
        guards.deadlines.set(gate, now);
    }

    private void tell(Notice.Kind kind, BreakerGate gate) {
        guards.notices.add(kind, gate.health.guard.tenant, "", gate.health.name, gate.breaker.dependency());
    }

    // ---- jobs held back and let through

    /** Whether a due retry that blames the dependency may go on; if not, it is in the list of its breaker. */
    boolean allows(int slot, TypeHealth health, String dependency, long now) {
        BreakerGate gate = health.gate(dependency);
        if (gate == null || !gate.breaker.isOpen() && gate.parked.isEmpty()) {
            return true;
        }
        if (gate.breaker.isOpen() && gate.retryProbes && gate.holdsNone()) {
            gate.retryProbes = false;
            gate.probing = state.jobs.lo(slot);
            return true;
        }
        guards.parking.park(slot, gate.parked, now);
        state.arm(slot);
        return false;
    }

    /**
     * Holds back a queued retry that is next but blames what is down; returns whether it did. It may have been queued before the
     * breaker opened. Where the type declares the dependency its lanes are shut, and this is never asked but for a probe.
     */
    boolean holdsBack(int slot, TypeHealth health, String blamed, long now) {
        BreakerGate gate = blamed.isEmpty() ? null : health.gate(blamed);
        if (gate == null || !gate.breaker.isOpen() || gate.declared || gate.probing == state.jobs.lo(slot)) {
            return false;
        }
        if (gate.retryProbes && gate.holdsNone()) {
            gate.retryProbes = false;
            gate.probing = state.jobs.lo(slot);
            return false;
        }
        state.park(slot, now);
        guards.parking.park(slot, gate.queued, now);
        return true;
    }

    /** Whether a queued job waits for a breaker. */
    boolean holds(int slot, TypeHealth health, String blamed) {
        BreakerGate gate = blamed.isEmpty() ? null : health.gate(blamed);
        return gate != null && guards.parking.parkedIn(slot, gate.queued);
    }

    /** The probes that an execution is, which begins now. */
    long probes(int slot, TypeHealth health, long now) {
        long probes = 0;
        for (BreakerGate gate : gates(health)) {
            if (gate != null && gate.breaker.isOpen() && (gate.anyProbes || gate.probing == state.jobs.lo(slot))) {
                probes |= 1L << gate.number;
                gate.anyProbes = false;
                gate.probing = BreakerGate.NO_JOB;
            }
        }
        if (probes != 0) {
            judge(health, now);
        }
        return probes;
    }

    void fire(BreakerGate gate, long now) {
        if (gate.breaker.isOpen()) {
            probe(gate, now);
        } else if (!gate.holdsNone()) {
            release(gate, now);
        } else if (gate.breaker.failing(now) == 0) {
            forget(gate);
        } else {
            guards.deadlines.set(gate, now + gate.health.breaker().windowMicros());
        }
    }

    private void probe(BreakerGate gate, long now) {
        boolean idle = gate.holdsNone() && gate.breaker.failing(now) == 0 && !gate.declared;
        if (idle && now - gate.breaker.openedAt() >= FORGET_MICROS) {
            open--;
            tell(Notice.Kind.DEPENDENCY_CIRCUIT_CLOSED, gate);
            forget(gate);
            return;
        }
        gate.breaker.probed(now);
        guards.deadlines.set(gate, gate.breaker.probeAt());
        if (gate.anyProbes || probeWaits(gate)) {
            return;
        }
        if (!gate.queued.isEmpty()) {
            int slot = guards.parking.poll(gate.queued);
            gate.probing = state.jobs.lo(slot);
            state.unpark(slot, now);
        } else if (!gate.parked.isEmpty()) {
            int slot = guards.parking.poll(gate.parked);
            gate.probing = state.jobs.lo(slot);
            gate.health.guard.minute().addBad(now);
            guards.letThrough(slot);
        } else {
            gate.retryProbes = !gate.declared;
        }
        if (gate.declared) {
            gate.probing = BreakerGate.NO_JOB;
            gate.anyProbes = true;
            judge(gate.health, now);
        }
    }

    /** Whether the retry let through as a probe has not been leased yet. */
    private boolean probeWaits(BreakerGate gate) {
        int slot = gate.probing == BreakerGate.NO_JOB ? ShardState.NONE : state.jobs.find(gate.probing);
        return slot != ShardState.NONE && !state.jobs.state(slot).leased();
    }

    /** A portion of what a closed breaker held back; the budget and the rate of promotions come next. */
    private void release(BreakerGate gate, long now) {
        int left = RELEASED_AT_ONCE;
        for (; left > 0 && !gate.queued.isEmpty(); left--) {
            state.unpark(guards.parking.poll(gate.queued), now);
        }
        for (; left > 0 && !gate.parked.isEmpty(); left--) {
            int slot = guards.parking.poll(gate.parked);
            if (guards.budgets.allows(slot, gate.health.guard, now)) {
                guards.letThrough(slot);
            }
        }
        guards.deadlines.set(gate, now + RELEASE_AGAIN_MICROS);
    }

    // ---- making, shutting, forgetting

    private @Nullable BreakerGate make(TypeHealth health, String dependency, long now) {
        @Nullable BreakerGate[] all = gates(health);
        int number = 0;
        while (number < all.length && all[number] != null) {
            number++;
        }
        if (number == MOST_PER_TYPE || health.guard.breakers >= rules.maxBreakersPerTenant()) {
            if (refused++ % 1_000 == 0) {
                guards.notices.add(Notice.Kind.BREAKERS_FULL, health.guard.tenant, "", health.name, dependency);
            }
            return null;
        }
        BreakerGate gate = new BreakerGate(health, new Breaker(dependency, health.breaker(), rules), number, this);
        if (number == all.length) {
            all = Arrays.copyOf(all, Math.max(2, number * 2));
            health.gates = all;
        }
        all[number] = gate;
        health.guard.breakers++;
        guards.deadlines.set(gate, now + health.breaker().windowMicros());
        return gate;
    }

    private void forget(BreakerGate gate) {
        if (gate.health.gates != null) {
            gate.health.gates[gate.number] = null;
        }
        gate.health.guard.breakers--;
        guards.deadlines.cancel(gate);
    }

    /** The type's rules changed. */
    void declared(TypeHealth health, long now) {
        for (BreakerGate gate : gates(health)) {
            if (gate != null) {
                gate.declared = health.declares(gate.breaker.dependency());
                gate.anyProbes &= gate.declared;
                gate.retryProbes &= !gate.declared;
            }
        }
        judge(health, now);
    }

    /** Shuts or opens the type's lanes, as its breakers are now. */
    void judge(TypeHealth health, long now) {
        boolean shut = false;
        for (BreakerGate gate : gates(health)) {
            shut |= gate != null && gate.shuts();
        }
        guards.block(health, Block.BREAKER, shut, now);
    }
}
