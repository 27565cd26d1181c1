package dev.fairlane.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Tenant;
import org.junit.jupiter.api.Test;

/** Upkeep makes the indexes that reads need: it has its turn also where one flush follows the other at once. */
class UpkeepTurnTest {
    private static final long SLOW_FLUSH_MICROS = 400_000;

    @Test
    void flushesThatTakeLongerThanTheTimeBetweenThemLeaveItATurnEverySecond() {
        NodeRig rig = new NodeRig();
        Tenant acme = rig.tenant("acme", 10);
        rig.advance(2_000_000);
        rig.holdFlushes();
        int before = rig.maintained;
        for (int flush = 0; flush < 20; flush++) {
            rig.submit(acme, "echo");
            rig.advance(SLOW_FLUSH_MICROS);
            rig.letFlushesSoFar();
        }
        assertThat(rig.maintained - before).as("in 8 s").isBetween(4, 8);
    }
}
