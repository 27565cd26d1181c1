package dev.fairlane.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.outcome.JobLife;
import dev.fairlane.core.outcome.Transition;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The engine and a naive model of the same rules take the same steps, and between them they take every step there is. */
class ModelProperty {
    private static final int LEAST_WALKS = 80;
    /** Rare steps need luck; a row of the table that this many walks do not meet is one the engine does not take. */
    private static final int MOST_WALKS = 400;

    private static final int STEPS = 500;

    @Test
    void theEngineStepsLikeTheModelAndEveryTransitionOfTheTableIsVisited() {
        Set<Transition> visited = new HashSet<>();
        for (long seed = 1; seed <= MOST_WALKS; seed++) {
            if (seed > LEAST_WALKS && visited.size() == JobLife.TABLE.size()) {
                break;
            }
            RandomWalk walk = new RandomWalk(seed, true);
            for (int step = 0; step < STEPS; step++) {
                try {
                    walk.step();
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError("seed " + seed + ", step " + step, e);
                }
            }
            visited.addAll(walk.visited);
        }
        assertThat(visited).containsExactlyInAnyOrderElementsOf(JobLife.TABLE);
    }
}
