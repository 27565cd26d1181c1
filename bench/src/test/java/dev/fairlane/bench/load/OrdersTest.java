package dev.fairlane.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class OrdersTest {
    @Test
    void anOrderIsAVerbWithNamedValues() {
        Orders.Order order = Orders.Order.parse(" fill jobs=200000  keys=/a=b ");

        assertThat(order.verb()).isEqualTo("fill");
        assertThat(order.number("jobs")).isEqualTo(200_000);
        assertThat(order.text("keys")).isEqualTo("/a=b");
        assertThatThrownBy(() -> order.text("batch")).hasMessageContaining("batch");
        assertThatThrownBy(() -> Orders.Order.parse("fill jobs")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void payloadsAreOneHundredBytesOfJsonWithTheirStamp() {
        for (long stamp : new long[] {0, 7, 1_700_000_000_123_456_789L, Long.MAX_VALUE}) {
            byte[] payload = Payloads.of(stamp);

            assertThat(payload).hasSize(100);
            assertThat(Payloads.stamp(payload)).isEqualTo(stamp);
            assertThat(new JsonMapper()
                            .readTree(new String(payload, StandardCharsets.US_ASCII))
                            .get("stamp")
                            .longValue())
                    .isEqualTo(stamp);
        }
    }

    @Test
    void aTallyIsSharedThroughItsFile(@TempDir Path folder) {
        Tally worker = Tally.in(folder.resolve("tally"));
        Tally client = Tally.in(folder.resolve("tally"));

        worker.set(123_456_789_012L);

        assertThat(client.finished()).isEqualTo(123_456_789_012L);
    }
}
