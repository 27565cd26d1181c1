package dev.fairlane.e2e.chaos;

import dev.fairlane.e2e.check.Findings;
import dev.fairlane.e2e.check.Rule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a run came to.
 *
 * @param folder histories and logs; removed when nothing was found
 */
public record ChaosReport(long seed, Duration elapsed, Map<FaultKind, Integer> faults, Findings findings, Path folder) {

    public boolean good() {
        return findings.violations().isEmpty();
    }

    /** Without pauses. */
    public int kills() {
        return faults.entrySet().stream()
                .filter(entry -> entry.getKey().kills())
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    /** The fields of {@code chaos --json}. */
    public Map<String, Object> fields() {
        Map<String, Integer> struck = new TreeMap<>();
        faults.forEach((kind, count) -> struck.put(kind.id(), count));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("acked", findings.seen().acked());
        fields.put("lost", findings.lost());
        fields.put("stale_accepted", findings.count(Rule.STALE_ACCEPTED));
        fields.put("ticks", findings.seen().ticks());
        fields.put("doubled_ticks", findings.count(Rule.TICK_DOUBLED));
        fields.put("early_ticks", findings.count(Rule.TICK_EARLY));
        fields.put("missed_ticks", findings.count(Rule.TICK_MISSED));
        fields.put("doubled_keys", findings.count(Rule.KEY_DOUBLED));
        fields.put("over_limits", findings.count(Rule.OVER_LIMIT) + findings.count(Rule.OVER_QUOTA));
        fields.put("violations", findings.violations().size());
        fields.put("faults", struck);
        fields.put("unknown_calls", findings.seen().unknownCalls());
        fields.put("attempts", findings.seen().attempts());
        fields.put("rerun_jobs", findings.seen().rerunJobs());
        fields.put("stale_refused", findings.seen().staleRefused());
        fields.put("cancelled", findings.seen().cancelled());
        fields.put("cancels_heard", findings.seen().cancelsHeard());
        fields.put("audited", findings.seen().audited());
        fields.put("limits_reached", findings.seen().limitsReached());
        fields.put("seed", seed);
        fields.put("seconds", elapsed.toSeconds());
        return fields;
    }
}
