package dev.fairlane.core.shard;

import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.TypeRules;
import dev.fairlane.core.model.TypeRules.Threshold;
import dev.fairlane.core.outcome.Window;
import dev.fairlane.core.share.TypeLine;
import org.jspecify.annotations.Nullable;

/**
 * How the jobs of one (tenant, type) fared lately. Soft but for the type itself: a failover forgets the counts, so a quarantine may end
 * early, and begins again when the type has failed as often as the first time.
 */
final class TypeHealth {
    final TenantGuard guard;
    final String name;
    /** The next type of the tenant. */
    @Nullable TypeHealth next;

    /** Its lines, one for each pool it was ever in; the others follow by {@link TypeLine#elsewhere}. */
    private @Nullable TypeLine lines;

    TypeRules rules = TypeRules.NONE;

    /** Executions of it; derived from the live leases. */
    int running;

    /** Breakers by number, with holes; null before the first. */
    BreakerGate @Nullable [] gates;

    /** How long it takes; null before the first execution. */
    @Nullable TypePace pace;

    /** The capped dependencies it declares; null for none. */
    DependencyUse @Nullable [] uses;

    /** Successes in the window of the breakers; null for none. */
    private @Nullable Window successes;
    /** Runs in the window of the quarantine; null for none. */
    private @Nullable Window runs;
    /** Of a type that fails as a poisonous one does, or did. */
    private @Nullable Quarantine quarantine;

    TypeHealth(TenantGuard guard, String name) {
        this.guard = guard;
        this.name = name;
    }

    @Nullable TypeLine lines() {
        return lines;
    }

    void add(TypeLine line) {
        line.setElsewhere(lines);
        lines = line;
    }

    void set(JobType type, Deadlines deadlines) {
        long breakerWindow = breaker().windowMicros();
        long quarantineWindow = poisonBound().windowMicros();
        rules = type.rules();
        if (breaker().windowMicros() != breakerWindow) {
            successes = null;
        }
        if (poisonBound().windowMicros() != quarantineWindow) {
            runs = null;
        }
        if (quarantine == null && type.quarantinedAt() != 0) {
            quarantine = new Quarantine(this, deadlines);
        }
        if (quarantine != null) {
            quarantine.since = type.quarantinedAt();
        }
    }

    Threshold breaker() {
        return guard.lookback.breaker(rules.breaker());
    }

    Threshold poisonBound() {
        return guard.lookback.quarantine(rules.quarantine());
    }

    boolean declares(String dependency) {
        return rules.dependencies().contains(dependency);
    }

    @Nullable BreakerGate gate(String dependency) {
        if (gates != null) {
            for (BreakerGate gate : gates) {
                if (gate != null && gate.breaker.dependency().equals(dependency)) {
                    return gate;
                }
            }
        }
        return null;
    }

    void succeeded(long now) {
        if (successes == null) {
            successes = guard.lookback.breakerWindow(rules.breaker());
        }
        successes.addGood(now);
        runs().addGood(now);
    }

    int successes(long now) {
        return successes == null ? 0 : successes.good(now);
    }

    void failed(Deadlines deadlines, long now) {
        runs().addBad(now);
        if (poisonous(now, 0)) {
            if (quarantine == null) {
                quarantine = new Quarantine(this, deadlines);
            }
            quarantine.bad(now);
        }
    }

    private Window runs() {
        if (runs == null) {
            runs = guard.lookback.quarantineWindow(rules.quarantine());
        }
        return runs;
    }

    /** Whether it counts as poison, with so many failures more than are counted. */
    boolean poisonous(long now, int more) {
        int bad = (runs == null ? 0 : runs.bad(now)) + more;
        int all = (runs == null ? 0 : runs.good(now)) + bad;
        Threshold bound = poisonBound();
        return all >= bound.runs() && (long) bad * 100 > (long) all * bound.failingPercent();
    }

    boolean quarantined() {
        return quarantine != null && quarantine.since != 0;
    }

    boolean quarantinedBy(Quarantine present) {
        return quarantine == present && present.since != 0;
    }

    /** It is in quarantine from now on: it is asked when it may leave. */
    void enterQuarantine(Deadlines deadlines) {
        if (quarantine != null) {
            deadlines.set(quarantine, quarantine.calmAt());
        }
    }

    /** A new start, by hand. */
    void leaveQuarantine(Deadlines deadlines) {
        if (quarantine != null) {
            deadlines.cancel(quarantine);
            quarantine = null;
        }
        runs = null;
    }

    /** Lets go of windows in which nothing counts any more. */
    void tidy(long now) {
        if (successes != null && successes.isEmpty(now)) {
            successes = null;
        }
        if (runs != null && runs.isEmpty(now)) {
            runs = null;
            if (!quarantined()) {
                quarantine = null;
            }
        }
        if (pace != null) {
            pace.tidy(now);
        }
    }
}
