package dev.fairlane.core.shard;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.outcome.Window;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How long executions of one type take. Its timer looks again at a type that was moved.
 *
 * <p>Soft: after a failover it knows nothing, so a type that breaks its bounds is moved a little later, and one that was moved is judged
 * by what it did since.
 */
final class TypePace extends Deadlines.Timed {
    private static final int BUCKETS = 12;
    private static final double FORGET = 1 / 16.0;
    /** The step up is nineteen times the step down, so the estimate rests where one execution in twenty takes longer. */
    private static final double UP = 1.1;

    private static final double DOWN = StrictMath.pow(UP, -1 / 19.0);
    private static final long ASK_AGAIN_MICROS = 60_000_000;

    private final Deadlines deadlines;
    private final TenantId tenant;
    private final String type;

    /** Where its jobs go, and what it declares. */
    int presentPool;

    int declaredPool;
    JobType.@Nullable Moved moved;

    private double meanMicros;
    private double p95Micros;
    /** Bad ones broke the bound of the present pool. */
    private final Window runs = new Window(BUCKETS, Classes.WINDOW_MICROS);

    // since it was moved or looked at
    private long measured;
    private long overDeclared;

    /** @param firstMicros what it is thought to take before anything is known of it */
    TypePace(Deadlines deadlines, TenantId tenant, String type, long firstMicros) {
        this.deadlines = deadlines;
        this.tenant = tenant;
        this.type = type;
        this.meanMicros = firstMicros;
    }

    void took(long micros) {
        meanMicros = p95Micros == 0 ? micros : meanMicros + (micros - meanMicros) * FORGET;
        p95Micros = p95With(micros);
    }

    /** The p95 with one more execution. */
    double p95With(long micros) {
        double known = p95Micros;
        return known == 0
                ? Math.max(1, micros)
                : Math.max(1, micros > known ? Math.min(micros, known * UP) : known * DOWN);
    }

    void ran(boolean broke, long now) {
        if (broke) {
            runs.addBad(now);
        } else {
            runs.addGood(now);
        }
    }

    void ranMoved(boolean overDeclaredBound) {
        measured++;
        overDeclared += overDeclaredBound ? 1 : 0;
    }

    /** Whether it breaks its bound too often, with so many violations more than are counted. */
    boolean crosses(long now, int more) {
        int bad = runs.bad(now) + more;
        int all = runs.good(now) + bad;
        return bad >= Classes.VIOLATIONS
                || all >= Classes.RUNS && (long) bad * 100 > (long) all * Classes.VIOLATING_PERCENT;
    }

    /** Whether it would still break the bound of the pool it declares: by the rule that moves types, or (few runs) by its p95. */
    boolean tooSlow() {
        int percent = measured >= Classes.RUNS ? Classes.VIOLATING_PERCENT : 5;
        return overDeclared * 100 > measured * percent;
    }

    /** Violations of its present pool in the last hour. */
    int violations(long now) {
        return runs.bad(now);
    }

    long meanMicros() {
        return Math.round(meanMicros);
    }

    /** 0 before the first execution. */
    long p95Micros() {
        return Math.round(p95Micros);
    }

    void set(JobType.@Nullable Moved now) {
        moved = now;
        measured = 0;
        overDeclared = 0;
        if (now == null) {
            deadlines.cancel(this);
        } else {
            deadlines.set(this, now.until());
        }
    }

    /** Counts anew: what was counted was in another pool. */
    void begin() {
        runs.clear();
    }

    @Override
    void fire(long now, Consumer<Command> sink) {
        if (moved != null) {
            sink.accept(new Command.ReviewType(tenant, type));
            if (!waits()) {
                // asked again until an answer is a fact
                deadlines.set(this, now + ASK_AGAIN_MICROS);
            }
        }
    }
}
