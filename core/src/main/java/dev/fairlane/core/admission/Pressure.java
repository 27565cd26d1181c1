package dev.fairlane.core.admission;

import dev.fairlane.core.model.AdmissionRules;
import dev.fairlane.core.model.EngineConfig;
import dev.fairlane.core.model.Refusal;
import dev.fairlane.core.model.RefusalCode;
import org.jspecify.annotations.Nullable;

/**
 * How near the node is to its bounds: open jobs, which are counted here, and heap and commit lag, which its runtime measures. Soft: a
 * failover measures anew.
 */
public final class Pressure {
    /** Jobs from this priority on (numbers grow towards the least urgent) feel pressure first. */
    private static final int LOW_PRIORITY = 7;

    private static final long RETRY_AFTER_MICROS = 1_000_000;

    private final int maxOpenJobs;
    private final int fullOpenJobs;
    private final int degradedOpenJobs;
    private final AdmissionRules rules;
    private final long fullLagMicros;
    private final long degradedLagMicros;

    private boolean degraded;
    private @Nullable Refusal full;

    public Pressure(EngineConfig config) {
        rules = config.admission();
        maxOpenJobs = config.room().openJobs();
        fullOpenJobs = (int) Math.ceilDiv((long) maxOpenJobs * rules.fullPercent(), 100);
        degradedOpenJobs = (int) Math.ceilDiv((long) maxOpenJobs * rules.degradedPercent(), 100);
        fullLagMicros = rules.maxCommitLagMicros() * rules.fullPercent() / 100;
        degradedLagMicros = rules.maxCommitLagMicros() * rules.degradedPercent() / 100;
    }

    /**
     * @param heapPercent of the heap that is still used after collections
     * @param commitLagMicros for how long the commit under way has been
     */
    public void measured(int heapPercent, long commitLagMicros) {
        degraded = heapPercent >= rules.degradedPercent() || commitLagMicros >= degradedLagMicros;
        if (heapPercent >= rules.fullPercent()) {
            full = refusal("percent of its heap in use", rules.fullPercent(), heapPercent);
        } else if (commitLagMicros >= fullLagMicros) {
            full = refusal("ms for a commit", fullLagMicros / 1_000, commitLagMicros / 1_000);
        } else {
            full = null;
        }
    }

    /** Why the node takes no job now, or null. */
    public @Nullable Refusal refusal(int openJobs) {
        if (openJobs >= fullOpenJobs) {
            return refusal("open jobs of the " + maxOpenJobs + " it holds", fullOpenJobs, openJobs);
        }
        return full;
    }

    /** Whether a job that is taken now has to expect to wait. */
    public boolean degrades(int priority, int openJobs) {
        return priority >= LOW_PRIORITY && (degraded || openJobs >= degradedOpenJobs);
    }

    private static Refusal refusal(String what, long limit, long present) {
        return new Refusal(
                RefusalCode.NODE_FULL,
                "the node takes jobs below " + limit + " " + what + ", but there are " + present + "; try again later",
                RETRY_AFTER_MICROS,
                limit,
                present);
    }
}
