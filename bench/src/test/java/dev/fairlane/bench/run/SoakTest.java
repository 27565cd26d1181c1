package dev.fairlane.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SoakTest {
    @Test
    void aSampleInWhichTheHistoryWasEmptiedHasNoSayInTheDrift() {
        assertThat(Soak.without(Set.of(0, 3), List.of(9.0, 1.0, 2.0, 900.0, 3.0), 1))
                .containsExactly(1.0, 2.0, 3.0);
    }
}
