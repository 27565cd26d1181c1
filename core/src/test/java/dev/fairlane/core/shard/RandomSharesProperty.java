package dev.fairlane.core.shard;

import static dev.fairlane.core.shard.Bed.MILLI;
import static dev.fairlane.core.shard.Bed.MINUTE;
import static dev.fairlane.core.shard.Bed.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fairlane.core.model.TenantId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Semantics §6 in worlds nobody thought of: shares follow weights alone, and everybody is served in bounded time. */
class RandomSharesProperty {
    private static final int[] WEIGHTS = {5, 10, 10, 20, 50};

    /** What a tenant is like; its priority is what must not matter. */
    private record Kind(int weight, int priority, long length) {}

    private static Map<String, Kind> kinds(Random random) {
        Map<String, Kind> kinds = new LinkedHashMap<>();
        int count = 2 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            kinds.put(
                    "t-" + i,
                    new Kind(
                            WEIGHTS[random.nextInt(WEIGHTS.length)],
                            random.nextInt(10),
                            (40 + random.nextInt(360)) * MILLI));
        }
        return kinds;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void sharesFollowWeightsWhateverPrioritiesAndLengthsAre(long seed) {
        Random random = new Random(seed);
        Map<String, Kind> kinds = kinds(random);
        int slots = 4 + random.nextInt(12);
        FairWorld world = new FairWorld(slots);
        Map<TenantId, Kind> tenants = new HashMap<>();
        kinds.forEach((name, kind) ->
                tenants.put(world.tenant(name, kind.weight, kind.priority, kind.length, slots + 2), kind));
        world.run(90 * SECOND);
        world.longestWait.clear();
        // so long that a slot more or less evens out: it changes hands at the pace of H
        Map<TenantId, Double> shares = world.run(4 * MINUTE);
        double weights = tenants.values().stream().mapToInt(Kind::weight).sum();
        tenants.forEach((tenant, kind) -> {
            double due = kind.weight / weights;
            assertThat(shares.get(tenant)).as("%s of %s", kind, kinds).isCloseTo(due, within(0.02));
            // its backlog, at its share of the slots, and what the others' long jobs and bursts may delay
            double bound = (slots + 2) * kind.length / (due * slots) + 20 * SECOND;
            assertThat((double) world.longestWait.get(tenant))
                    .as("wait of %s", kind)
                    .isLessThan(bound);
        });
    }
}
