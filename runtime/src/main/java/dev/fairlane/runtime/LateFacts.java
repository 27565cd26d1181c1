package dev.fairlane.runtime;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.shard.Engine;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Planted bugs: facts that come a moment after the step they belong to, where a crash can fall in between. */
final class LateFacts {
    private static final long LATE_MICROS = 300_000;

    private final boolean callbacks;
    private final boolean audits;
    private final boolean ticks;
    private final Engine engine;
    private final LoopTimers timers;

    private LateFacts(boolean callbacks, boolean audits, boolean ticks, Engine engine, LoopTimers timers) {
        this.callbacks = callbacks;
        this.audits = audits;
        this.ticks = ticks;
        this.engine = engine;
        this.timers = timers;
    }

    /** Null for a node without these bugs. */
    static @Nullable LateFacts planted(Set<Sabotage> sabotage, Engine engine, LoopTimers timers) {
        boolean callbacks = sabotage.contains(Sabotage.CALL_BACK_LATER);
        boolean audits = sabotage.contains(Sabotage.AUDIT_LATER);
        boolean ticks = sabotage.contains(Sabotage.RECORD_TICKS_LATER);
        return callbacks || audits || ticks ? new LateFacts(callbacks, audits, ticks, engine, timers) : null;
    }

    /** Whether this fact was put off, to be handed to {@code apply} later. */
    boolean putOff(Fact fact, long now, Consumer<Fact> apply) {
        Runnable later = switch (fact) {
            case Fact.JobAdded added
            when callbacks && isCallback(added) ->
                () -> {
                    if (engine.job(added.id()) == null) {
                        apply.accept(added);
                    }
                };
            case Fact.Audited entry when audits -> () -> apply.accept(entry);
            case Fact.ScheduleMoved moved
            when ticks && moved.progress().lastFiredAt() == moved.progress().changedAt() ->
                () -> {
                    if (engine.schedule(moved.id()) != null) {
                        apply.accept(moved);
                    }
                };
            default -> null;
        };
        if (later == null) {
            return false;
        }
        timers.at(now + LATE_MICROS, later);
        return true;
    }

    private static boolean isCallback(Fact.JobAdded added) {
        return added.spec().headers().containsKey("fairlane-group");
    }
}
