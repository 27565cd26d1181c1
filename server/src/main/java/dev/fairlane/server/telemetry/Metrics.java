package dev.fairlane.server.telemetry;

import com.google.common.base.Suppliers;
import dev.fairlane.core.model.Notice;
import dev.fairlane.runtime.Node;
import dev.fairlane.runtime.NodeStatus;
import dev.fairlane.runtime.NodeStatus.PoolStatus;
import dev.fairlane.server.fault.RefusalCounts;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.netty4.NettyAllocatorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The node's picture of itself as Prometheus metrics. Values are read from the node when somebody scrapes; nothing is counted here, so
 * nothing can be counted twice.
 */
public final class Metrics implements AutoCloseable {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics garbageCollection = new JvmGcMetrics();
    private final Supplier<NodeStatus> status;

    public Metrics(Node node, List<String> pools, RefusalCounts refusals) {
        this.status = Suppliers.memoizeWithExpiration(node::status, Duration.ofMillis(100));
        counters();
        FunctionCounter.builder("fairlane_checkpoints_missing", node, Node::checkpointsMissing)
                .description("Jobs of types that declare checkpoints that ran long and made none")
                .register(registry);
        pools.forEach(this::pool);
        lags();
        guards();
        registry.getPrometheusRegistry().register(new PickupHistogram(status));
        registry.getPrometheusRegistry().register(new LatenessHistogram(status));
        registry.getPrometheusRegistry().register(new DeadLetterCounter(status));
        registry.getPrometheusRegistry().register(new RefusalCounter(refusals));
        machine();
    }

    /** In the text format of Prometheus. */
    public String scrape() {
        return registry.scrape();
    }

    private void counters() {
        counter("fairlane_jobs_submitted", "Jobs taken in", counters -> counters.submitted());
        counter("fairlane_jobs_refused", "Jobs the engine refused", counters -> counters.refused());
        counter("fairlane_jobs_dispatched", "Leases given to workers", counters -> counters.dispatched());
        counter("fairlane_jobs_succeeded", "Jobs that ended well", counters -> counters.succeeded());
        counter("fairlane_jobs_retried", "Attempts that failed and will be made again", counters -> counters.retried());
        counter("fairlane_jobs_dead", "Jobs given up", counters -> counters.dead());
        counter("fairlane_jobs_cancelled", "Jobs cancelled", counters -> counters.cancelled());
        counter("fairlane_jobs_expired", "Jobs not started in time", counters -> counters.expired());
        counter("fairlane_leases_expired", "Leases whose worker fell silent", counters -> counters.leasesExpired());
        counter(
                "fairlane_results_stale",
                "Results with a token that was not the current one",
                counters -> counters.staleResults());
        counter("fairlane_commits", "Batches made durable", counters -> counters.commits());
        counter("fairlane_commit_facts", "Facts made durable", counters -> counters.committedFacts());
        counter("fairlane_commit_bytes", "Bytes made durable", counters -> counters.committedBytes());
        counter("fairlane_commit_seconds", "Time spent in commits", counters -> counters.commitMicros() / 1e6);
        counter("fairlane_flushes", "Projections", counters -> counters.flushes());
        counter("fairlane_flush_rows", "Rows projected", counters -> counters.flushedRows());
        counter("fairlane_flush_seconds", "Time spent in projections", counters -> counters.flushMicros() / 1e6);
        counter("fairlane_loop_turns", "Turns of the loop", counters -> counters.turns());
        FunctionCounter.builder(
                        "fairlane_jobs_replayed",
                        status,
                        s -> s.get().deadLetters().replayed())
                .description("Dead jobs brought back")
                .register(registry);
        TimeGauge.builder(
                        "fairlane_loop_turn_longest",
                        status,
                        TimeUnit.MICROSECONDS,
                        s -> s.get().counters().longestTurnMicros())
                .description("Longest turn of the loop since the start")
                .register(registry);
    }

    private void counter(String name, String about, ToDoubleFunction<NodeStatus.Counters> value) {
        FunctionCounter.builder(name, status, s -> value.applyAsDouble(s.get().counters()))
                .description(about)
                .register(registry);
    }

    private void pool(String pool) {
        gauge("fairlane_queue_depth", pool, "Jobs that wait for a worker", PoolStatus::waiting);
        gauge("fairlane_running", pool, "Jobs in workers' hands", PoolStatus::running);
        gauge("fairlane_slots", pool, "Slots workers offer", PoolStatus::slots);
        gauge(
                "fairlane_oldest_job_age_seconds",
                pool,
                "How long the oldest job has waited for a worker",
                found -> found.oldestWaitingMicros() / 1e6);
        stranded(pool);
        handOvers(pool, "asked", NodeStatus.HandOverCounts::asked);
        handOvers(pool, "handed_over", NodeStatus.HandOverCounts::handedOver);
    }

    private void handOvers(String pool, String outcome, ToDoubleFunction<NodeStatus.HandOverCounts> value) {
        FunctionCounter.builder(
                        "fairlane_hand_overs", status, s -> of(s, pool, one -> value.applyAsDouble(one.handOvers())))
                .tags(Tags.of("pool", pool, "outcome", outcome))
                .description("Executions asked to make room for a tenant below its share, and those of them that did")
                .register(registry);
    }

    private void stranded(String pool) {
        Gauge.builder(
                        "fairlane_stranded_jobs",
                        status,
                        s -> s.get().stranded().stream()
                                .filter(one -> one.pool().equals(pool))
                                .mapToDouble(NodeStatus.StrandedStatus::waiting)
                                .sum())
                .tags(Tags.of("pool", pool))
                .description("Jobs that no connected worker can run")
                .register(registry);
    }

    private void gauge(String name, String pool, String about, ToDoubleFunction<PoolStatus> value) {
        Gauge.builder(name, status, s -> of(s, pool, value))
                .tags(Tags.of("pool", pool))
                .description(about)
                .register(registry);
    }

    private static double of(Supplier<NodeStatus> status, String pool, ToDoubleFunction<PoolStatus> value) {
        return status.get().pools().stream()
                .filter(one -> one.pool().equals(pool))
                .mapToDouble(value)
                .findFirst()
                .orElse(0);
    }

    private void lags() {
        Gauge.builder(
                        "fairlane_projection_lag_batches",
                        status,
                        s -> s.get().committed() - s.get().flushed())
                .description("Durable batches that are not projected yet")
                .register(registry);
        Gauge.builder("fairlane_serving", status, s -> s.get().state() == NodeStatus.State.SERVING ? 1 : 0)
                .description("1 while the node takes calls")
                .register(registry);
        Gauge.builder(
                        "fairlane_scheduled",
                        status,
                        s -> s.get().tenants().stream()
                                .mapToLong(NodeStatus.TenantStatus::scheduled)
                                .sum())
                .description("Jobs that wait for their time")
                .register(registry);
        Gauge.builder(
                        "fairlane_oldest_due_unpromoted_age_seconds",
                        status,
                        s -> s.get().due().oldestUnpromotedMicros() / 1e6)
                .description("For how long the job that is due longest and not yet queued has been due")
                .register(registry);
        Gauge.builder("fairlane_far_jobs", status, s -> s.get().due().far())
                .description("Open jobs kept in the store alone until shortly before they are due")
                .register(registry);
        Gauge.builder("fairlane_far_jobs_loaded", status, s -> s.get().due().loadedAhead())
                .description("Jobs loaded again because they are due soon")
                .register(registry);
        Gauge.builder(
                        "fairlane_schedule_oldest_due_seconds",
                        status,
                        s -> s.get().schedules().oldestDueMicros() / 1e6)
                .description("Age of the oldest tick of a schedule that is due and was not dealt with")
                .register(registry);
        Gauge.builder(
                        "fairlane_clock_ahead_seconds",
                        status,
                        s -> s.get().schedules().clockAheadMicros() / 1e6)
                .description(
                        "How far the node's clock is ahead of the database's; negative while a leap of that one is not believed yet")
                .register(registry);
        Gauge.builder("fairlane_workers", status, s -> s.get().workers().size())
                .description("Workers connected")
                .register(registry);
    }

    private void guards() {
        Gauge.builder("fairlane_breakers_open", status, s -> s.get().guards().openBreakers())
                .description("Breakers of (tenant, type, dependency) that are open")
                .register(registry);
        FunctionCounter.builder(
                        "fairlane_breakers_refused",
                        status,
                        s -> s.get().guards().breakersRefused())
                .description("Failures whose dependency got no breaker because the tenant has its most")
                .register(registry);
        FunctionCounter.builder(
                        "fairlane_notices_dropped",
                        status,
                        s -> s.get().guards().noticesDropped())
                .description("Things noticed of which nobody heard, because too many came at once")
                .register(registry);
        for (Notice.Kind kind : Notice.Kind.values()) {
            FunctionCounter.builder(
                            "fairlane_notices", status, s -> s.get().noticed().getOrDefault(kind, 0L))
                    .tags(Tags.of("kind", kind.name().toLowerCase(Locale.ROOT)))
                    .description("Things noticed that people should hear of")
                    .register(registry);
        }
    }

    private void machine() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        garbageCollection.bindTo(registry);
        if (ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider allocator) {
            new NettyAllocatorMetrics(allocator).bindTo(registry);
        }
    }

    @Override
    public void close() {
        garbageCollection.close();
        registry.close();
    }
}
