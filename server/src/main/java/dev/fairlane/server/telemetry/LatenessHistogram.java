package dev.fairlane.server.telemetry;

import dev.fairlane.runtime.NodeStatus;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.function.Supplier;

/** How late schedules submitted their jobs, as the node counted them. */
final class LatenessHistogram implements Collector {
    private static final String NAME = "fairlane_schedule_lateness_seconds";

    private final Supplier<NodeStatus> status;

    LatenessHistogram(Supplier<NodeStatus> status) {
        this.status = status;
    }

    @Override
    public MetricSnapshot collect() {
        HistogramSnapshot.Builder snapshot =
                HistogramSnapshot.builder().name(NAME).help("From a tick and its jitter to the submit of its job");
        status.get()
                .schedules()
                .latenessMicros()
                .forEach((of, late) -> snapshot.dataPoint(HistogramDataPointSnapshot.builder()
                        .labels(Labels.of("schedule", of.schedule(), "tenant", of.tenant()))
                        .classicHistogramBuckets(PickupHistogram.buckets(late.counts()))
                        .sum(late.sumMicros() / 1e6)
                        .build()));
        return snapshot.build();
    }

    @Override
    public String getPrometheusName() {
        return NAME;
    }
}
