package dev.fairlane.sim.seen;

import dev.fairlane.sim.event.Trace;
import dev.fairlane.sim.invariant.Invariant;
import dev.fairlane.sim.invariant.Violation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows everything seen to the invariants and keeps the first thing that was wrong. */
public final class Observer {
    private final Trace trace;
    private final List<Invariant> invariants;
    private @Nullable Violation violation;

    public Observer(Trace trace, List<Invariant> invariants) {
        this.trace = trace;
        this.invariants = invariants;
    }

    /** Never throws: it is called from inside the nodes, which would take it for a fault of their own. */
    public void saw(Sighting sighting) {
        for (Invariant invariant : invariants) {
            judge(invariant, () -> invariant.saw(sighting));
        }
    }

    public void ended(Ending ending) {
        for (Invariant invariant : invariants) {
            judge(invariant, () -> invariant.ended(ending));
        }
    }

    /** Something is wrong that no invariant of its own is made for. */
    public void wrong(String invariant, String what) {
        if (violation == null) {
            violation = new Violation(invariant, what);
            trace.say("VIOLATION " + violation);
        }
    }

    private void judge(Invariant invariant, Runnable look) {
        try {
            look.run();
        } catch (Invariant.Broken broken) {
            wrong(invariant.name(), String.valueOf(broken.getMessage()));
        }
    }

    public @Nullable Violation violation() {
        return violation;
    }
}
