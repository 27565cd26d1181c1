package dev.fairlane.core.shard;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.FailureRules;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.TypeRules;
import dev.fairlane.core.model.TypeRules.Threshold;
import dev.fairlane.core.outcome.Breaker;
import dev.fairlane.core.outcome.Window;
import dev.fairlane.core.share.TypeLine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How the jobs of one (tenant, type) fared lately. Its timer asks whether a quarantine may end. Soft but for the type itself: a
 * failover forgets the counts, so a quarantine may end early, and begins again when the type has failed as often as the first time.
 */
final class TypeHealth extends Deadlines.Timed {
    private static final int POISON_BUCKETS = 12;

    final TenantGuard guard;
    final String name;
    /** Its lines, one for each pool it was ever in. */
    final List<TypeLine> lines = new ArrayList<>(1);

    TypeRules rules = TypeRules.NONE;
    long quarantinedAt;

    /** Executions of it; derived from the live leases. */
    int running;

    /** Breakers by number, with holes; null before the first. */
    BreakerGate @Nullable [] gates;

    /** How long it takes; null before the first execution. */
    @Nullable TypePace pace;

    /** The capped dependencies it declares; null for none. */
    DependencyUse @Nullable [] uses;

    private Threshold breaker;
    private Threshold quarantine;

    /** Successes in the window of the breakers. */
    private Window successes;
    /** Runs in the window of the quarantine. */
    private Window runs;
    /** When it was last seen failing as a poisonous type does. */
    private long lastBadAt;

    TypeHealth(TenantGuard guard, String name, FailureRules failures) {
        this.guard = guard;
        this.name = name;
        breaker = failures.breaker();
        quarantine = failures.quarantine();
        successes = Breaker.successes(breaker);
        runs = new Window(POISON_BUCKETS, quarantine.windowMicros());
    }

    void set(JobType type, FailureRules failures) {
        rules = type.rules();
        quarantinedAt = type.quarantinedAt();
        Threshold wantedBreaker = merge(rules.breaker(), failures.breaker());
        if (wantedBreaker.windowMicros() != breaker.windowMicros()) {
            successes = Breaker.successes(wantedBreaker);
        }
        breaker = wantedBreaker;
        Threshold wantedQuarantine = merge(rules.quarantine(), failures.quarantine());
        if (wantedQuarantine.windowMicros() != quarantine.windowMicros()) {
            runs = new Window(POISON_BUCKETS, wantedQuarantine.windowMicros());
        }
        quarantine = wantedQuarantine;
    }

    private static Threshold merge(Threshold own, Threshold node) {
        return new Threshold(
                own.runs() > 0 ? own.runs() : node.runs(),
                own.failingPercent() > 0 ? own.failingPercent() : node.failingPercent(),
                own.windowMicros() > 0 ? own.windowMicros() : node.windowMicros());
    }

    Threshold breaker() {
        return breaker;
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
        successes.addGood(now);
        runs.addGood(now);
    }

    int successes(long now) {
        return successes.good(now);
    }

    void failed(long now) {
        runs.addBad(now);
        if (poisonous(now, 0)) {
            lastBadAt = Math.max(lastBadAt, now);
        }
    }

    /** Whether it counts as poison, with so many failures more than are counted. */
    boolean poisonous(long now, int more) {
        int bad = runs.bad(now) + more;
        int all = runs.good(now) + bad;
        return all >= quarantine.runs() && (long) bad * 100 > (long) all * quarantine.failingPercent();
    }

    /** Nothing of it was poisonous for the length of the window: when that will be, if all goes well. */
    long calmAt() {
        return Math.max(quarantinedAt, lastBadAt) + quarantine.windowMicros();
    }

    /** A new start, by hand. */
    void forgive() {
        runs.clear();
        lastBadAt = 0;
    }

    @Override
    void fire(long now, Consumer<Command> sink) {
        if (quarantinedAt == 0) {
            return;
        }
        if (poisonous(now, 0)) {
            lastBadAt = now;
        }
        if (calmAt() <= now) {
            sink.accept(new Command.ReleaseType(new TenantId(guard.tenant), name, false));
        }
        // asked again until the release is a fact
        guard.deadlines.set(this, Math.max(calmAt(), now + 60_000_000));
    }
}
