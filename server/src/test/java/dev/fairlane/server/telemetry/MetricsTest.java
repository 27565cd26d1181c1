package dev.fairlane.server.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.Resources;
import dev.fairlane.core.shard.GuardStats;
import dev.fairlane.runtime.NodeStatus;
import dev.fairlane.server.ScriptedNode;
import dev.fairlane.server.fault.RefusalCounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MetricsTest {
    /** What the rules in docs/operating/alerts.yaml look at. */
    private static Set<String> alerted(Pattern what) {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("docs/operating/alerts.yaml"))) {
            root = Objects.requireNonNull(root.getParent(), "no folder of the project above");
        }
        try {
            return what.matcher(Files.readString(root.resolve("docs/operating/alerts.yaml")))
                    .results()
                    .map(MatchResult::group)
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theNodesPictureIsWhatIsScraped() {
        List<Long> counts = LongStream.range(0, NodeStatus.PICKUP_BOUNDS_MICROS.size() + 1)
                .boxed()
                .toList();
        NodeStatus status = new NodeStatus(
                "n",
                NodeStatus.State.SERVING,
                3,
                0,
                1,
                100,
                90,
                new NodeStatus.Counters(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 2_500_000, 15, 16, 17, 18, 19),
                List.of(new NodeStatus.PoolStatus("short", 21, 22, 23, 1_500_000, new NodeStatus.HandOverCounts(8, 6))),
                List.of(),
                List.of(),
                Map.of("short", new NodeStatus.Pickups(counts, 4_000_000)),
                new NodeStatus.DeadLetterCounts(2, Map.of("mail", 5L, "(other)", 1L)),
                new GuardStats(2, 0, 5),
                Map.of(Notice.Kind.DEPENDENCY_CIRCUIT_OPEN, 4L),
                List.of(new NodeStatus.StrandedStatus("acme", "short", "mail", Resources.NONE, List.of("gpu"), 7, 1)),
                new NodeStatus.ScheduleStatus(
                        2_500_000,
                        Map.of(new NodeStatus.LatenessOf("acme", "nightly"), new NodeStatus.Pickups(counts, 3_000_000)),
                        90_000_000),
                NodeStatus.DueStatus.NONE);
        try (Metrics metrics =
                new Metrics(ScriptedNode.showing(status), List.of("long", "short"), new RefusalCounts())) {
            assertThat(metrics.scrape())
                    .contains("fairlane_jobs_submitted_total 1.0")
                    .contains("fairlane_jobs_dead_total 6.0")
                    .contains("fairlane_commit_seconds_total 2.5")
                    .contains("fairlane_queue_depth{pool=\"short\"} 21.0")
                    .contains("fairlane_queue_depth{pool=\"long\"} 0.0")
                    .contains("fairlane_oldest_job_age_seconds{pool=\"short\"} 1.5")
                    .contains("fairlane_projection_lag_batches 10.0")
                    .contains("fairlane_serving 1.0")
                    .contains("fairlane_stranded_jobs{pool=\"short\"} 7.0")
                    .contains("fairlane_stranded_jobs{pool=\"long\"} 0.0")
                    .contains("fairlane_hand_overs_total{outcome=\"asked\",pool=\"short\"} 8.0")
                    .contains("fairlane_hand_overs_total{outcome=\"handed_over\",pool=\"short\"} 6.0")
                    .contains("fairlane_hand_overs_total{outcome=\"asked\",pool=\"long\"} 0.0")
                    .contains("fairlane_jobs_replayed_total 2.0")
                    .contains("fairlane_dead_letters_total{type=\"mail\"} 5.0")
                    .contains("fairlane_breakers_open 2.0")
                    .contains("fairlane_notices_dropped_total 5.0")
                    .contains("fairlane_notices_total{kind=\"dependency_circuit_open\"} 4.0")
                    .contains("fairlane_notices_total{kind=\"type_quarantined\"} 0.0")
                    .contains("fairlane_pickup_seconds_bucket{pool=\"short\",le=\"0.001\"} 0")
                    .contains("fairlane_pickup_seconds_bucket{pool=\"short\",le=\"0.005\"} 3")
                    .contains("fairlane_pickup_seconds_bucket{pool=\"short\",le=\"+Inf\"} 78")
                    .contains("fairlane_pickup_seconds_sum{pool=\"short\"} 4.0")
                    .contains("fairlane_schedule_oldest_due_seconds 2.5")
                    .contains("fairlane_clock_ahead_seconds 90.0")
                    .contains("fairlane_schedule_lateness_seconds_sum{schedule=\"nightly\",tenant=\"acme\"} 3.0")
                    .contains("jvm_memory_used_bytes")
                    .contains("netty_allocator");
            assertThat(alerted(Pattern.compile("\\bfairlane_[a-z_]+")))
                    .contains("fairlane_stranded_jobs")
                    .allSatisfy(name -> assertThat(metrics.scrape()).contains("\n" + name));
            assertThat(alerted(Pattern.compile("kind=\"[a-z_]+\"")))
                    .contains(
                            "kind=\"pool_violation\"",
                            "kind=\"guarantees_scaled\"",
                            "kind=\"quota_warning\"",
                            "kind=\"late_execution\"")
                    .allSatisfy(kind -> assertThat(metrics.scrape()).contains("fairlane_notices_total{" + kind + "}"));
        }
    }
}
