package dev.fairlane.bench.fairness;

import dev.fairlane.core.model.Resources;
import java.util.List;
import java.util.Map;

/**
 * Who is there, what happens, and what is due to whom.
 *
 * @param slots of the one kind of workers, spread over {@code workers} of them
 * @param resources of each worker
 * @param measuresWaits whether the modest actors' waits are compared with those in a world without the flood
 * @param equal whether all actors with a due share have the same one, so that Jain's index says something
 */
record Scenario(
        String name,
        int seconds,
        int workers,
        int slots,
        Resources resources,
        List<Actor> actors,
        List<Event> events,
        List<Phase> phases,
        boolean measuresWaits,
        boolean equal) {

    /** Something somebody does at a time. */
    record Event(int second, String actor, What what, int amount) {}

    enum What {
        PAUSE,
        RESUME,
        WEIGH
    }

    /** From one second to another, this share of the used slot-time is due to each of these; others are not looked at. */
    record Phase(int from, int to, Map<String, Double> due) {}

    /** At the end of a name in a {@link Phase}: all whose names begin like this, together. */
    static final String GROUP = "*";

    /** Waits are measured from when the flood comes, with it and without. */
    static final int WAITS_FROM = 120;

    /** The same without one of them. */
    Scenario without(String actor) {
        return new Scenario(
                name,
                seconds,
                workers,
                slots,
                resources,
                actors.stream().filter(a -> !a.name().equals(actor)).toList(),
                events,
                phases,
                measuresWaits,
                equal);
    }
}
