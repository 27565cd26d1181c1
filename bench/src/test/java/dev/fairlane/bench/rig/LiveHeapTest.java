package dev.fairlane.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LiveHeapTest {
    @Test
    void whatTheHeapUsesIsReadFromItsDescription() {
        assertThat(LiveHeap.parseUsed(
                        "4711:\n garbage-first heap   total reserved 6172672K, committed 393216K, used 23456K [0x1, 0x2)\n"
                                + "  region size 4096K, 3 young (12288K)\n Metaspace       used 9000K"))
                .isEqualTo(23_456L << 10);
    }

    @Test
    void anythingElseIsRefused() {
        assertThatThrownBy(() -> LiveHeap.parseUsed("no such process"))
                .isInstanceOf(RigException.class)
                .hasMessageContaining("no such process");
    }
}
