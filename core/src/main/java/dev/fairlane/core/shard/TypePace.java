package dev.fairlane.core.shard;

import dev.fairlane.core.model.Command;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.MoveRules;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.outcome.Window;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How long executions of one type take.
 *
 * <p>Soft: after a failover it knows nothing, so a type that breaks its bounds is moved a little later, and one that was moved is judged
 * by what it did since.
 */
final class TypePace {
    private static final double FORGET = 1 / 16.0;
    /** The step up is nineteen times the step down, so the estimate rests where one execution in twenty takes longer. */
    private static final double UP = 1.1;

    private static final double DOWN = StrictMath.pow(UP, -1 / 19.0);
    private static final long ASK_AGAIN_MICROS = 60_000_000;

    /** Where its jobs go, and what it declares. */
    int presentPool;

    int declaredPool;

    private double meanMicros;
    private double p95Micros;
    /** Bad ones broke the bound of the present pool; null for none. */
    private @Nullable Window runs;
    /** Of a type that was moved. */
    private @Nullable Move move;

    /** @param firstMicros what it is thought to take before anything is known of it */
    TypePace(long firstMicros) {
        this.meanMicros = firstMicros;
    }

    /** A type that is not where it declares, with what it did since it was moved or looked at. Its timer looks again. */
    private static final class Move extends Deadlines.Timed {
        private final TypeHealth health;
        private final Deadlines deadlines;
        private final JobType.Moved moved;
        private long measured;
        private long overDeclared;

        Move(TypeHealth health, Deadlines deadlines, JobType.Moved moved) {
            this.health = health;
            this.deadlines = deadlines;
            this.moved = moved;
        }

        @Override
        void fire(long now, Consumer<Command> sink) {
            sink.accept(new Command.ReviewType(new TenantId(health.guard.tenant), health.name));
            if (!waits() && health.pace != null && health.pace.move == this) {
                // asked again until an answer is a fact
                deadlines.set(this, now + ASK_AGAIN_MICROS);
            }
        }
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

    void ran(boolean broke, Window.Span window, long now) {
        if (runs == null) {
            runs = new Window(window);
        }
        if (broke) {
            runs.addBad(now);
        } else {
            runs.addGood(now);
        }
    }

    void ranMoved(boolean overDeclaredBound) {
        if (move != null) {
            move.measured++;
            move.overDeclared += overDeclaredBound ? 1 : 0;
        }
    }

    /** Whether it breaks its bound too often, with so many violations more than are counted. */
    boolean crosses(MoveRules rules, int more, long now) {
        int bad = violations(now) + more;
        int all = (runs == null ? 0 : runs.good(now)) + bad;
        return bad >= rules.violations()
                || all >= rules.runs() && (long) bad * 100 > (long) all * rules.violatingPercent();
    }

    /** Whether it would still break the bound of the pool it declares: by the rule that moves types, or (few runs) by its p95. */
    boolean tooSlow(MoveRules rules) {
        if (move == null) {
            return false;
        }
        int percent = move.measured >= rules.runs() ? rules.violatingPercent() : 5;
        return move.overDeclared * 100 > move.measured * percent;
    }

    /** Violations of its present pool in the window. */
    int violations(long now) {
        return runs == null ? 0 : runs.bad(now);
    }

    long meanMicros() {
        return Math.round(meanMicros);
    }

    /** 0 before the first execution. */
    long p95Micros() {
        return Math.round(p95Micros);
    }

    JobType.@Nullable Moved moved() {
        return move == null ? null : move.moved;
    }

    void set(JobType.@Nullable Moved moved, TypeHealth health, Deadlines deadlines) {
        if (move != null) {
            deadlines.cancel(move);
        }
        move = null;
        if (moved != null) {
            move = new Move(health, deadlines, moved);
            deadlines.set(move, moved.until());
        }
    }

    /** Counts anew: what was counted was in another pool. */
    void begin() {
        runs = null;
    }

    /** Lets go of a window in which nothing counts any more. */
    void tidy(long now) {
        if (runs != null && runs.isEmpty(now)) {
            runs = null;
        }
    }
}
