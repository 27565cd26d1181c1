package dev.fairlane.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private static final List<String> SIX = List.of("a", "b", "c", "d", "e", "f");

    @Test
    void everybodyHasOneTurnARound() {
        for (int round = 0; round < 7; round++) {
            assertThat(Turns.of(SIX, round)).containsExactlyInAnyOrderElementsOf(SIX);
            assertThat(Turns.of(List.of("a", "b", "c"), round)).containsExactlyInAnyOrder("a", "b", "c");
        }
        assertThat(Turns.of(List.of("a"), 2)).containsExactly("a");
    }

    @Test
    void inSixRoundsEverybodyFollowsEverybodyAndHasEveryPlace() {
        Set<String> pairs = new HashSet<>();
        Set<String> places = new HashSet<>();
        for (int round = 0; round < 6; round++) {
            List<String> order = Turns.of(SIX, round);
            for (int place = 0; place < 6; place++) {
                places.add(order.get(place) + place);
                if (place > 0) {
                    pairs.add(order.get(place - 1) + order.get(place));
                }
            }
        }
        assertThat(pairs).hasSize(30);
        assertThat(places).hasSize(36);
    }
}
