package dev.fairlane.cli.demo;

import dev.fairlane.cli.demo.Snapshot.Latency;
import dev.fairlane.cli.demo.Snapshot.TenantRow;
import dev.fairlane.sdk.ServerStatus;
import dev.fairlane.sdk.ServerStatus.TenantStatus;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What the demo measures. Latencies come from the load's threads; {@link #sample} belongs to the one thread that draws and puts them
 * together with what the server says.
 */
final class Meters {
    private static final Duration RATE_OVER = Duration.ofSeconds(3);

    private record Moment(long nanos, ServerStatus status) {}

    private final ConcurrentHistogram submits = histogram();
    private final ConcurrentHistogram allUrgent = histogram();
    private final Map<String, ConcurrentHistogram> urgent = new ConcurrentHashMap<>();
    private final Deque<Moment> moments = new ArrayDeque<>();
    private final long begin = System.nanoTime();
    private volatile long cancelAsked;
    private volatile String event = "";
    private @Nullable ServerStatus first;

    private static ConcurrentHistogram histogram() {
        ConcurrentHistogram histogram = new ConcurrentHistogram(3);
        histogram.setAutoResize(true);
        return histogram;
    }

    // ---------------------------------------------------------------- from the load

    void submitted(long nanos) {
        submits.recordValue(TimeUnit.NANOSECONDS.toMicros(nanos));
    }

    void urgentStarted(String tenant, Duration after) {
        long micros = Math.max(0, TimeUnit.NANOSECONDS.toMicros(after.toNanos()));
        urgent.computeIfAbsent(tenant, name -> histogram()).recordValue(micros);
        allUrgent.recordValue(micros);
    }

    void cancelling() {
        cancelAsked = System.nanoTime();
    }

    void cancelHeard(String tenant, String type) {
        tell("%s cancelled its %s; its handler knew after %.1f ms"
                .formatted(tenant, type, (System.nanoTime() - cancelAsked) / 1e6));
    }

    /** Shown until there is something newer. */
    void tell(String text) {
        event = "%.1f s  %s".formatted((System.nanoTime() - begin) / 1e9, text);
    }

    // ---------------------------------------------------------------- to the view

    Snapshot sample(ServerStatus status) {
        long now = System.nanoTime();
        ServerStatus start = first == null ? status : first;
        first = start;
        moments.addLast(new Moment(now, status));
        while (moments.size() > 2 && now - moments.getFirst().nanos > RATE_OVER.toNanos()) {
            moments.removeFirst();
        }
        Moment before = moments.getFirst();
        double seconds = Math.max(1e-3, (now - before.nanos) / 1e9);
        double slotSeconds = 0;
        for (DemoTenant tenant : DemoTenant.ALL) {
            slotSeconds += slotSeconds(tenant, status) - slotSeconds(tenant, start);
        }
        List<TenantRow> rows = new ArrayList<>();
        long finished = 0;
        for (DemoTenant tenant : DemoTenant.ALL) {
            double used = slotSeconds(tenant, status) - slotSeconds(tenant, start);
            long completed = completed(tenant, status) - completed(tenant, before.status);
            finished += completed;
            TenantStatus live = of(tenant, status);
            rows.add(new TenantRow(
                    tenant,
                    slotSeconds == 0 ? 0 : used / slotSeconds,
                    live == null ? 0 : live.waiting(),
                    live == null ? 0 : live.running(),
                    completed / seconds,
                    latency(urgent.getOrDefault(tenant.name(), histogram()))));
        }
        var counters = status.counters();
        return new Snapshot(
                Duration.ofNanos(now - begin),
                finished / seconds,
                counters.succeeded() + counters.dead() + counters.cancelled(),
                counters.retried(),
                counters.dead(),
                counters.cancelled(),
                latency(submits),
                latency(allUrgent),
                rows,
                event);
    }

    private static @Nullable TenantStatus of(DemoTenant tenant, ServerStatus status) {
        return status.tenants().stream()
                .filter(t -> t.tenant().equals(tenant.name()))
                .findFirst()
                .orElse(null);
    }

    private static double slotSeconds(DemoTenant tenant, ServerStatus status) {
        TenantStatus live = of(tenant, status);
        return live == null ? 0 : live.slotSeconds();
    }

    private static long completed(DemoTenant tenant, ServerStatus status) {
        TenantStatus live = of(tenant, status);
        return live == null ? 0 : live.completed();
    }

    private static Latency latency(Histogram histogram) {
        return histogram.getTotalCount() == 0
                ? new Latency(0, 0)
                : new Latency(
                        histogram.getValueAtPercentile(50) / 1_000.0, histogram.getValueAtPercentile(99) / 1_000.0);
    }
}
