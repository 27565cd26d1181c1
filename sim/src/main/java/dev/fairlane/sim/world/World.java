package dev.fairlane.sim.world;

import dev.fairlane.sim.event.Agenda;
import dev.fairlane.sim.event.Trace;
import dev.fairlane.sim.seen.Observer;

/** What everything in a world shares. */
public record World(Agenda agenda, Trace trace, Observer observer, Scenario scenario) {
    void say(String line) {
        trace.say(line);
    }

    long now() {
        return agenda.now();
    }
}
