package dev.fairlane.server.telemetry;

import dev.fairlane.server.fault.RefusalCounts;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;

/** What was refused, by tenant and code; the number of tenants is bounded where it is counted. */
final class RefusalCounter implements Collector {
    private static final String NAME = "fairlane_refusals";

    private final RefusalCounts refusals;

    RefusalCounter(RefusalCounts refusals) {
        this.refusals = refusals;
    }

    @Override
    public MetricSnapshot collect() {
        CounterSnapshot.Builder snapshot =
                CounterSnapshot.builder().name(NAME).help("Calls and jobs refused, by tenant and code");
        refusals.of("")
                .forEach(one -> snapshot.dataPoint(CounterDataPointSnapshot.builder()
                        .labels(Labels.of(
                                "tenant", one.tenant(), "code", one.code().name()))
                        .value(one.count())
                        .build()));
        return snapshot.build();
    }

    @Override
    public String getPrometheusName() {
        return NAME;
    }
}
