package dev.fairlane.journal.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StandingTest {
    private static final int PROCESS = 4711;

    private final List<String> said = new ArrayList<>();
    private final Standing standing = new Standing(new Background() {
        @Override
        public void here() {}

        @Override
        public void awaitedHere() {}

        @Override
        public void awaited(int backend) {}

        @Override
        public void givesWay(int backend, boolean way) {
            said.add(backend + (way ? " gives way" : " does not"));
        }
    });

    @Test
    void theFlushGivesWayAfterSomeSmallOnesAndNotFromALargeOneOn() {
        standing.connected(PROCESS);
        small(Standing.CALM - 1);
        assertThat(said).isEmpty();
        small(3);
        assertThat(said).containsExactly("4711 gives way");
        standing.flushing(Pace.BRISK);
        standing.flushing(Pace.BRISK);
        assertThat(said).containsExactly("4711 gives way", "4711 does not");
        small(Standing.CALM - 1);
        standing.flushing(Pace.BRISK);
        small(Standing.CALM - 1);
        assertThat(said).hasSize(2);
        small(1);
        assertThat(said).hasSize(3).last().isEqualTo("4711 gives way");
    }

    @Test
    void anotherProcessBehindANewConnectionIsToldAnew() {
        standing.connected(PROCESS);
        small(Standing.CALM);
        standing.connected(PROCESS + 1);
        standing.flushing(Pace.BRISK);
        small(Standing.CALM);
        assertThat(said).containsExactly("4711 gives way", "4712 gives way");
    }

    private void small(int flushes) {
        for (int i = 0; i < flushes; i++) {
            standing.flushing(Pace.gentle());
        }
    }
}
