package dev.fairlane.sim.seen;

import dev.fairlane.core.model.TypeRules.By;
import dev.fairlane.core.model.TypeRules.Conflict;
import dev.fairlane.core.model.TypeRules.During;
import dev.fairlane.core.model.TypeRules.UniqueRule;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Job types of simulated worlds that have rules of their own. */
public final class Kinds {
    /** At most {@link #CAP} executions of a tenant at once. */
    public static final String CAPPED = "capped";

    public static final String DEPENDENCY = "dep";
    public static final int CAP = 1;

    private static final long PERIOD_MICROS = 4_000_000;
    private static final Map<String, UniqueRule> RULES = Map.of(
            "single", new UniqueRule(By.KEY, During.RUNNING, 0, Conflict.RETURN_EXISTING),
            "strict", new UniqueRule(By.KEY, During.RUNNING, 0, Conflict.REJECT),
            "latest", new UniqueRule(By.KEY, During.QUEUED, 0, Conflict.REPLACE),
            "calm", new UniqueRule(By.KEY, During.QUEUED, 700_000, Conflict.DEBOUNCE),
            "spaced", new UniqueRule(By.KEY, During.A_TIME, PERIOD_MICROS, Conflict.REJECT));

    public static final List<String> TYPES = List.of("single", "strict", "latest", "calm", "spaced", CAPPED);

    private Kinds() {}

    /** What makes a job of the type one of a kind, or null. */
    public static @Nullable UniqueRule rule(String type) {
        return RULES.get(type);
    }
}
