package dev.fairlane.bench.fairness;

import static dev.fairlane.bench.fairness.Actor.busy;
import static dev.fairlane.bench.fairness.Actor.modest;

import dev.fairlane.bench.fairness.Scenario.Event;
import dev.fairlane.bench.fairness.Scenario.Phase;
import dev.fairlane.bench.fairness.Scenario.What;
import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.PoolRules;
import dev.fairlane.core.model.Resources;
import dev.fairlane.core.model.TenantRules;
import dev.fairlane.core.model.Tier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All scenarios that need neither workflows nor a second node. Times are seconds of the scenario. */
final class Scenarios {
    private static final int QUARTER_HOUR = 900;
    private static final long HOUR_MILLIS = 3_600_000;

    /** The actor that is left out to see how the others fare without it. */
    static final String FLOOD = "flood";

    /** Its jobs may take up to a minute: nobody is moved for being long. */
    static final String POOL = PoolRules.MEDIUM;

    private Scenarios() {}

    static List<Scenario> all() {
        return List.of(
                even("equal weights, 10 ms against 10 s", busy("quick", 10), busy("slow", 10_000)),
                even("50 ms against 1 h", busy("quick", 50), busy("slow", HOUR_MILLIS)),
                weights(),
                dump(),
                even("all marked P0", busy("urgent", 500).marked(0), busy("plain", 500)),
                even("split into 100 keys", busy("split", 500).spreadOver(100), busy("whole", 500)),
                even("90 % failing", busy("failing", 500).failing(90), busy("sound", 500)),
                dominantResource(),
                idleThenBusy(),
                cappedAndNewcomer(),
                pausedAndResumed(),
                weightChanged(),
                reservation(),
                freeFlood());
    }

    /** Those whose name has this in it. */
    static List<Scenario> named(String part) {
        List<Scenario> found = all().stream()
                .filter(scenario -> scenario.name().contains(part))
                .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("no scenario has '" + part + "' in its name");
        }
        return found;
    }

    /** Everybody is always busy and of the same weight. */
    private static Scenario even(String name, Actor... actors) {
        Map<String, Double> due = new LinkedHashMap<>();
        for (Actor actor : actors) {
            due.put(actor.name(), 1.0 / actors.length);
        }
        return scenario(name, List.of(actors), List.of(), List.of(new Phase(0, QUARTER_HOUR, due)), false, true);
    }

    private static Scenario weights() {
        return scenario(
                "weights 1:10:100",
                List.of(
                        busy("one", 700).weighing(1),
                        busy("ten", 300).weighing(10),
                        busy("hundred", 500).weighing(100)),
                List.of(),
                List.of(new Phase(
                        0, QUARTER_HOUR, Map.of("one", 1 / 111.0, "ten", 10 / 111.0, "hundred", 100 / 111.0))),
                false,
                false);
    }

    /**
     * Nine who come with a job now and then to a pool that is full anyway, and one who drops a million at once. Jobs are long enough that
     * the machine is not what anybody waits for.
     */
    private static Scenario dump() {
        List<Actor> actors = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            actors.add(modest("modest-" + i, 2_000, 1));
        }
        actors.add(busy("batch", 1_000));
        actors.add(busy(FLOOD, 1_000).dumping(1_000_000).from(Scenario.WAITS_FROM));
        return scenario("a million at once", actors, List.of(), List.of(), true, false);
    }

    /** The jobs of one need memory, of the other CPU: each holds the same part of what it needs most. */
    private static Scenario dominantResource() {
        JobNeeds gpu = needs(new Resources(1_000, 4_096, 1));
        JobNeeds cpu = needs(new Resources(4_000, 1_024, 0));
        return new Scenario(
                "GPU against CPU",
                QUARTER_HOUR,
                1,
                100,
                new Resources(100_000, 100 * 1_024, 20),
                List.of(busy("gpu", 2_000).needing(gpu), busy("cpu", 500).needing(cpu)),
                List.of(),
                List.of(new Phase(0, QUARTER_HOUR, Map.of("gpu", 0.5, "cpu", 0.5))),
                false,
                true);
    }

    private static JobNeeds needs(Resources demand) {
        return new JobNeeds("", "", "", 1, demand, List.of());
    }

    private static Scenario idleThenBusy() {
        return scenario(
                "idle, then busy",
                List.of(busy("steady", 400), busy("late", 400).from(400)),
                List.of(),
                List.of(
                        new Phase(0, 400, Map.of("steady", 1.0)),
                        new Phase(400, QUARTER_HOUR, Map.of("steady", 0.5, "late", 0.5))),
                false,
                false);
    }

    private static Scenario cappedAndNewcomer() {
        return scenario(
                "capped sibling and newcomer",
                List.of(
                        busy("capped", 400).under(rules(Tier.STANDARD, Map.of(POOL, 10), Map.of())),
                        busy("open", 400),
                        busy("newcomer", 400).from(400)),
                List.of(),
                List.of(
                        new Phase(0, 400, Map.of("capped", 0.1, "open", 0.9)),
                        new Phase(400, QUARTER_HOUR, Map.of("capped", 0.1, "open", 0.45, "newcomer", 0.45))),
                false,
                false);
    }

    private static Scenario pausedAndResumed() {
        return scenario(
                "pause and resume",
                List.of(busy("paused", 400), busy("other", 400)),
                List.of(new Event(200, "paused", What.PAUSE, 0), new Event(500, "paused", What.RESUME, 0)),
                List.of(
                        new Phase(0, 200, Map.of("paused", 0.5, "other", 0.5)),
                        new Phase(200, 500, Map.of("other", 1.0)),
                        new Phase(500, QUARTER_HOUR, Map.of("paused", 0.5, "other", 0.5))),
                false,
                false);
    }

    private static Scenario weightChanged() {
        return scenario(
                "weight changed while running",
                List.of(busy("changed", 400), busy("other", 400)),
                List.of(new Event(300, "changed", What.WEIGH, 30)),
                List.of(
                        new Phase(0, 300, Map.of("changed", 0.5, "other", 0.5)),
                        new Phase(300, QUARTER_HOUR, Map.of("changed", 0.75, "other", 0.25))),
                false,
                false);
    }

    /** A tenant of weight 1 with 20 of 100 slots reserved has those when it wants them, and no more than its share of the rest. */
    private static Scenario reservation() {
        return scenario(
                "reservation under full load",
                List.of(
                        busy("reserved", 400)
                                .weighing(1)
                                .under(rules(Tier.ENTERPRISE, Map.of(), Map.of(POOL, 20)))
                                .from(300),
                        busy("heavy", 400).weighing(1_000)),
                List.of(),
                List.of(
                        new Phase(0, 300, Map.of("heavy", 1.0)),
                        new Phase(300, QUARTER_HOUR, Map.of("reserved", 0.2, "heavy", 0.8))),
                false,
                false);
    }

    /** Two hundred free accounts flood; together they have one twentieth. */
    private static Scenario freeFlood() {
        List<Actor> actors = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            actors.add(busy("free-" + i, 500).keeping(20).weighing(1).under(TenantRules.NONE.inTier(Tier.FREE)));
        }
        actors.add(busy("standard", 500).weighing(10));
        actors.add(busy("pro", 500).weighing(100).under(TenantRules.NONE.inTier(Tier.PRO)));
        // free together weigh 1 of 111
        return scenario(
                "free tier flood",
                actors,
                List.of(),
                List.of(new Phase(
                        0, QUARTER_HOUR, Map.of("free-*", 1 / 111.0, "standard", 10 / 111.0, "pro", 100 / 111.0))),
                false,
                false);
    }

    private static TenantRules rules(Tier tier, Map<String, Integer> inFlight, Map<String, Integer> reserved) {
        return new TenantRules(tier, 0, 0, inFlight, reserved, Map.of(), List.of(), List.of(), false);
    }

    private static Scenario scenario(
            String name, List<Actor> actors, List<Event> events, List<Phase> phases, boolean waits, boolean equal) {
        return new Scenario(name, QUARTER_HOUR, 1, 100, Resources.NONE, actors, events, phases, waits, equal);
    }
}
