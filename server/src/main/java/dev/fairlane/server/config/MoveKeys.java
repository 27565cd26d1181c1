package dev.fairlane.server.config;

import static dev.fairlane.server.config.Form.DURATION;
import static dev.fairlane.server.config.Form.number;

import dev.fairlane.core.model.MoveRules;
import java.util.List;

/** When a type that breaks the bound of its pool is moved to a larger one. */
final class MoveKeys {
    private static final Key<Integer> VIOLATIONS = Key.of(
            "moves.violations",
            number(1, 1_000_000),
            "100",
            "A type that breaks the bound of its pool so often within the window is moved to a larger one");
    private static final Key<Integer> RUNS =
            Key.of("moves.runs", number(1, 10_000_000), "1000", "Or, with at least so many runs within the window,");
    private static final Key<Integer> PERCENT =
            Key.of("moves.violating_percent", number(0, 100), "1", "if more than this part of them breaks it, of 100");
    private static final Key<Long> WINDOW = Key.of("moves.window", DURATION, "1h", "How far back is counted");
    private static final Key<Long> STICKY =
            Key.of("moves.sticky", DURATION, "1h", "How long a type that was moved stays there at least");

    static final List<Key<?>> ALL = List.of(VIOLATIONS, RUNS, PERCENT, WINDOW, STICKY);

    private MoveKeys() {}

    static MoveRules rules(Settings settings) {
        if (settings.get(WINDOW) < 1_000_000 || settings.get(STICKY) < 1_000_000) {
            throw new CannotStart("expected at least 1s for moves.window and moves.sticky");
        }
        return new MoveRules(
                settings.get(VIOLATIONS),
                settings.get(RUNS),
                settings.get(PERCENT),
                settings.get(WINDOW),
                settings.get(STICKY));
    }
}
