package dev.fairlane.bench.run;

import dev.fairlane.bench.report.Figures;
import dev.fairlane.bench.report.Progress;
import dev.fairlane.bench.report.Statistics;
import dev.fairlane.bench.rig.Use;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.TenantRules;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Throughput of very many tenants with every kind of rule and ten lanes each against that of one plain tenant, in turns on one server.
 *
 * <p>The four sides differ by one thing each, so that what a difference comes from can be told:
 *
 * <ul>
 *   <li>{@code one}: a plain tenant with one stream.
 *   <li>{@code many}: the crowd as a service has it that works for many: one client process with a stream for each tenant, all views of one
 *       client ({@code Fairlane.as}) over one connection. This is the figure.
 *   <li>{@code apart}: the same tenants, each with a client and a connection of its own, as if each ran a process. Against {@code many} it shows
 *       what a thousand connections cost.
 *   <li>{@code alike}: one tenant with the same rules, lanes and number of streams over one connection. Against {@code many} it shows what
 *       the number of tenants alone costs.
 * </ul>
 */
public final class Crowd implements Benchmark {
    /** For all to connect. A longer one changed nothing: what a thousand clients cost is not their handshakes. */
    private static final Duration RAMP = Duration.ofSeconds(8);

    /** The word of an order by which all streams are views of one client. */
    private static final String SHARED = " shared=1";

    private static final int TENANTS = 1_000;
    private static final int LANES = 10;
    private static final int UNBOUND = 1_000_000;
    private static final long QUOTA = 1_000_000_000_000L;

    /** @param arguments how many tenants, instead of a thousand */
    @Override
    public Figures run(Options options, List<String> arguments) throws Exception {
        int tenants = arguments.isEmpty() ? TENANTS : Integer.parseInt(arguments.getFirst());
        int rounds = options.rounds(5);
        Duration window = Duration.ofSeconds(Math.max(3, options.seconds(60) / rounds));
        Side one = new Side();
        Side many = new Side();
        Side apart = new Side();
        Side alike = new Side();
        try (Stage stage = Stage.set(options)) {
            String key = stage.keyOf("alone", Crowd::ruled);
            String crowd = jobsOf(stage, "crowd", keysOf(stage, tenants));
            String streams = jobsOf(stage, "streams", Collections.nCopies(tenants, key));
            stage.startWorker();
            stage.warmUp(options.warmUp(15));
            new Side().measure(stage, crowd + SHARED, Duration.ofSeconds(options.warmUp(15)));
            for (int round = 0; round < rounds; round++) {
                one.measure(stage, "", window);
                many.measure(stage, crowd + SHARED, window);
                apart.measure(stage, crowd, window);
                alike.measure(stage, streams + SHARED, window);
                Progress.say(
                        "round %d: one %,.0f, many %,.0f, apart %,.0f, one like many %,.0f jobs/s",
                        round + 1,
                        one.rates.getLast(),
                        many.rates.getLast(),
                        apart.rates.getLast(),
                        alike.rates.getLast());
            }
            Figures settings = stage.settings();
            stage.succeeded();
            return new Figures()
                    .putMedian("jobs_per_s", many.rates)
                    .putMedian("one_tenant_jobs_per_s", one.rates)
                    .put("ratio_to_one_tenant", Statistics.median(many.rates) / Statistics.median(one.rates))
                    .putMedian("apart_jobs_per_s", apart.rates)
                    .put("ratio_apart_to_one_tenant", Statistics.median(apart.rates) / Statistics.median(one.rates))
                    .putMedian("one_tenant_alike_jobs_per_s", alike.rates)
                    .put("ratio_to_one_tenant_alike", Statistics.median(many.rates) / Statistics.median(alike.rates))
                    .put("cpu_us_per_job_by_process", many.cpu())
                    .put("one_tenant_cpu_us_per_job_by_process", one.cpu())
                    .put("apart_cpu_us_per_job_by_process", apart.cpu())
                    .put("one_tenant_alike_cpu_us_per_job_by_process", alike.cpu())
                    .put("tenants", tenants)
                    .put("lanes", LANES)
                    .put("settings", settings);
        }
    }

    /** What one side reached, round by round. */
    private static final class Side {
        final List<Double> rates = new ArrayList<>();
        final Map<String, List<Double>> cpuByPart = new LinkedHashMap<>();

        void measure(Stage stage, String more, Duration window) throws InterruptedException {
            stage.flood(more);
            Progress.pause(RAMP);
            JsonNode begin = stage.ask(stage.worker(), "counts");
            Use before = stage.rig().use();
            Progress.pause(window);
            JsonNode end = stage.ask(stage.worker(), "counts");
            Map<String, Long> used = stage.rig().use().cpuMicrosSince(before);
            stage.calm();
            long finished = end.get("acked").longValue() - begin.get("acked").longValue();
            rates.add(finished
                    * 1e9
                    / (end.get("at").longValue() - begin.get("at").longValue()));
            used.forEach((part, micros) ->
                    cpuByPart.computeIfAbsent(part, p -> new ArrayList<>()).add(micros / (double) finished));
        }

        Figures cpu() {
            Figures parts = new Figures();
            cpuByPart.forEach((part, values) -> parts.put(part, Statistics.median(values)));
            return parts;
        }
    }

    /** Every rule a tenant can have is looked at for every job; none of them ever binds. */
    private static TenantRules.Builder ruled(TenantRules.Builder rules) {
        for (int lane = 0; lane < LANES; lane++) {
            rules.lane("lane-" + lane, 10 + lane);
        }
        return rules.submitRate(UNBOUND)
                .maxOpenJobs(UNBOUND)
                .inFlight(Pool.SHORT, UNBOUND)
                .quota(TenantRules.QuotaKind.JOBS, QUOTA, QUOTA);
    }

    private static List<String> keysOf(Stage stage, int tenants) {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < tenants; i++) {
            keys.add(stage.keyOf("tenant-" + i, Crowd::ruled));
        }
        return keys;
    }

    /** The words of an order for a stream of each key, with jobs in all lanes. */
    private static String jobsOf(Stage stage, String name, List<String> keys) throws IOException {
        return " lanes=" + LANES + " keys=" + Files.write(stage.rig().folder().resolve(name), keys);
    }
}
