package dev.fairlane.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A bounded number of worlds with every build; {@code ./fairlane sim} runs as many as one likes. */
class SimulationTest {
    private static final int SEEDS = 300;
    private static final int FOUND_WITHIN = 150;

    private final List<String> told = new ArrayList<>();
    private final Campaign campaign = new Campaign(told::add);

    @Test
    void everyPromiseIsKeptInEveryWorld() {
        campaign.run(1, SEEDS);
        assertThat(campaign.violations()).as(() -> String.join("\n", told)).isEmpty();
        assertThat(campaign.nondeterministic()).isEmpty();
        assertThat(campaign.virtualHours()).isGreaterThan(1);
    }

    /** 1011: a worker came back between the call to hand over and its commit, and was asked before its welcome. */
    @ParameterizedTest
    @ValueSource(longs = 1011)
    void aWorldThatOnceFoundABugKeepsItsPromises(long seed) {
        campaign.run(seed, 1);
        assertThat(campaign.violations()).as(() -> String.join("\n", told)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aPlantedBugIsFound(Plant plant) {
        assertThat(campaign.find(plant, 1, FOUND_WITHIN))
                .as(plant.description())
                .isNotNull();
    }

    @Test
    void aSeedIsReplayedLineByLine() {
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        new Simulation(7, first::add).run();
        new Simulation(7, second::add).run();
        assertThat(second).isEqualTo(first);
        assertThat(first).hasSizeGreaterThan(500);
    }

    @Test
    void differentSeedsAreDifferentWorlds() {
        assertThat(new Simulation(1, null).run().hash())
                .isNotEqualTo(new Simulation(2, null).run().hash());
    }
}
