package dev.fairlane.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

class HeapGaugeTest {
    @Test
    void only_what_no_recent_collection_could_free_counts() {
        try (HeapGauge gauge = new HeapGauge()) {
            gauge.collected(95, 100);
            gauge.collected(96, 100);
            gauge.collected(95, 100);
            assertThat(gauge.getAsInt()).isZero();
            gauge.collected(97, 100);
            assertThat(gauge.getAsInt()).isEqualTo(95);
            gauge.collected(30, 100);
            assertThat(gauge.getAsInt()).isEqualTo(30);
        }
    }

    @Test
    void the_collector_of_this_machine_is_heard() {
        try (HeapGauge gauge = HeapGauge.start()) {
            await().until(() -> {
                System.gc();
                return gauge.getAsInt() > 0 || gauge.heard() >= 4;
            });
        }
    }
}
