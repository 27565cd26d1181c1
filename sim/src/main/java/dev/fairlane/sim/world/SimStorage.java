package dev.fairlane.sim.world;

import dev.fairlane.journal.memory.StepExecutor;
import dev.fairlane.journal.memory.StoreOperation;
import dev.fairlane.sim.event.Agenda;
import dev.fairlane.sim.event.Chance;
import dev.fairlane.sim.event.Trace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the steps of store operations run, and what happens to them in between: connections break, the store ends what is
 * under way, callers die, commits land long after anybody waits for them. What is committed stays committed.
 */
public final class SimStorage implements StepExecutor {
    private static final long LATE_MICROS = 12_000_000;
    private static final long UNREACHABLE_MICROS = 1_000_000;

    private final Agenda agenda;
    private final Trace trace;
    private final Chance chance;
    private final Scenario.Store usual;
    private final List<Running> running = new ArrayList<>();
    private final Set<String> cutOff = new HashSet<>();
    private Consumer<StoreOperation<?>> committed = operation -> {};
    private @Nullable Consumer<String> killer;
    private boolean healed;
    private boolean out;
    private int slowness = 1;
    private long stalledUntil;

    private static final class Running {
        final StoreOperation<?> operation;
        boolean scheduled;

        Running(StoreOperation<?> operation) {
            this.operation = operation;
        }
    }

    public SimStorage(Agenda agenda, Trace trace, Chance chance, Scenario.Store usual) {
        this.agenda = agenda;
        this.trace = trace;
        this.chance = chance;
        this.usual = usual;
    }

    /** @param listener hears of every operation that has just committed */
    void onCommit(Consumer<StoreOperation<?>> listener) {
        committed = listener;
    }

    /** @param deed ends the process of the node it is given */
    void killWith(Consumer<String> deed) {
        killer = deed;
    }

    @Override
    public void execute(StoreOperation<?> operation) {
        Running one = new Running(operation);
        running.add(one);
        schedule(one);
    }

    private void schedule(Running one) {
        if (!one.scheduled) {
            one.scheduled = true;
            agenda.after(delay(one.operation), () -> step(one));
        }
    }

    private long delay(StoreOperation<?> operation) {
        if (!healed && !operation.connected() && chance.of(usual.late())) {
            return chance.between(0, LATE_MICROS);
        }
        if (cutOff.contains(operation.node()) && operation.connected()) {
            return UNREACHABLE_MICROS + chance.around(UNREACHABLE_MICROS);
        }
        return 1 + slowness * chance.around(usual.stepMicros());
    }

    private void step(Running one) {
        if (agenda.now() < stalledUntil) {
            agenda.at(stalledUntil + chance.below(1_000), () -> step(one));
            return;
        }
        one.scheduled = false;
        StoreOperation<?> operation = one.operation;
        if (operation.runnable()) {
            if (out || cutOff.contains(operation.node()) && operation.connected()) {
                say(operation, "fails: the store cannot be reached");
                operation.abort();
            } else if (!healed && chance.of(usual.ends())) {
                say(operation, "is ended by the store");
                operation.abort();
            } else {
                advance(operation);
            }
        }
        goOn();
    }

    private void advance(StoreOperation<?> operation) {
        if (!healed && operation.connected() && chance.of(usual.breaks())) {
            say(operation, "loses its caller");
            operation.lose();
        }
        boolean dies = !healed && operation.connected() && chance.of(usual.crashes());
        boolean before = dies && chance.of(0.5);
        if (before) {
            kill(operation);
        }
        if (operation.runnable()) {
            boolean wasCommitted = operation.committed();
            StoreOperation.Stage stage = operation.next();
            operation.step();
            if (stage != StoreOperation.Stage.REPORT) {
                say(operation, stage.name());
            }
            if (!wasCommitted && operation.committed()) {
                committed.accept(operation);
            }
        }
        if (dies && !before) {
            kill(operation);
        }
    }

    private void kill(StoreOperation<?> operation) {
        if (killer != null) {
            killer.accept(operation.node());
        }
    }

    /** A step may have freed locks that others wait for. */
    private void goOn() {
        running.removeIf(one -> one.operation.done());
        for (Running one : List.copyOf(running)) {
            if (one.operation.runnable()) {
                schedule(one);
            }
        }
    }

    /** The process of a node is gone: its operations live on without it, or end. */
    void callerDied(String node) {
        for (Running one : List.copyOf(running)) {
            if (one.operation.node().equals(node)) {
                if (chance.of(0.5)) {
                    one.operation.forget();
                } else {
                    one.operation.forget();
                    one.operation.abort();
                }
            }
        }
        goOn();
    }

    void cutOff(String node) {
        cutOff.add(node);
        for (Running one : List.copyOf(running)) {
            if (one.operation.node().equals(node) && chance.of(0.5)) {
                say(one.operation, "loses its caller");
                one.operation.lose();
            }
        }
        goOn();
    }

    void reach(String node) {
        cutOff.remove(node);
    }

    void slow(int factor) {
        slowness = factor;
    }

    void stall(long micros) {
        stalledUntil = agenda.now() + micros;
    }

    void outage(boolean begins) {
        out = begins;
        if (begins) {
            breakAll();
        }
    }

    /** Every connection breaks; half of what was under way is rolled back. */
    void breakAll() {
        for (Running one : List.copyOf(running)) {
            one.operation.lose();
            if (chance.of(0.5)) {
                one.operation.abort();
            }
        }
        goOn();
    }

    /** From now on nothing breaks. */
    public void heal() {
        healed = true;
        out = false;
        slowness = 1;
        stalledUntil = 0;
        cutOff.clear();
    }

    private void say(StoreOperation<?> operation, String what) {
        trace.say("store #" + operation.number() + " " + operation.node() + " " + operation.name() + " " + what);
    }
}
