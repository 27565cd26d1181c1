package dev.fairlane.server.telemetry;

import dev.fairlane.runtime.NodeStatus;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Jobs that died, by their type. The node counts a bounded number of types and puts the rest together. */
final class DeadLetterCounter implements Collector {
    private static final String NAME = "fairlane_dead_letters";

    private final Supplier<NodeStatus> status;

    DeadLetterCounter(Supplier<NodeStatus> status) {
        this.status = status;
    }

    @Override
    public MetricSnapshot collect() {
        CounterSnapshot.Builder snapshot = CounterSnapshot.builder().name(NAME).help("Jobs that died, by type");
        new TreeMap<>(status.get().deadLetters().byType())
                .forEach((type, count) -> snapshot.dataPoint(CounterDataPointSnapshot.builder()
                        .labels(Labels.of("type", type))
                        .value(count)
                        .build()));
        return snapshot.build();
    }

    @Override
    public String getPrometheusName() {
        return NAME;
    }
}
