package dev.fairlane.server.telemetry;

import dev.fairlane.runtime.NodeStatus;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.function.Supplier;

/** How long jobs waited from submit to dispatch, per pool, as the node counted them. */
final class PickupHistogram implements Collector {
    private static final String NAME = "fairlane_pickup_seconds";

    private final Supplier<NodeStatus> status;

    PickupHistogram(Supplier<NodeStatus> status) {
        this.status = status;
    }

    @Override
    public MetricSnapshot collect() {
        HistogramSnapshot.Builder snapshot =
                HistogramSnapshot.builder().name(NAME).help("From submit to dispatch");
        status.get()
                .pickupMicros()
                .forEach((pool, pickups) -> snapshot.dataPoint(HistogramDataPointSnapshot.builder()
                        .labels(Labels.of("pool", pool))
                        .classicHistogramBuckets(buckets(pickups.counts()))
                        .sum(pickups.sumMicros() / 1e6)
                        .build()));
        return snapshot.build();
    }

    @Override
    public String getPrometheusName() {
        return NAME;
    }

    static ClassicHistogramBuckets buckets(List<Long> counts) {
        ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
        List<Long> bounds = NodeStatus.PICKUP_BOUNDS_MICROS;
        for (int i = 0; i < bounds.size(); i++) {
            buckets.bucket(bounds.get(i) / 1e6, counts.get(i));
        }
        buckets.bucket(Double.POSITIVE_INFINITY, counts.get(bounds.size()));
        return buckets.build();
    }
}
