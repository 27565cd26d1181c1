package dev.fairlane.server.admit;

import dev.fairlane.core.model.JobNeeds;
import dev.fairlane.core.model.Resources;
import dev.fairlane.protocol.v1.NewJob;
import dev.fairlane.server.fault.Refused;
import java.util.List;
import java.util.TreeSet;

/** What jobs need and workers have, field by field. */
public final class NeedsCheck {
    private static final int CPU_MILLIS = 10_000_000;
    private static final int MEMORY_MIB = 100_000_000;
    private static final int GPUS = 10_000;
    private static final int RATE_COST = 1_000_000;

    private NeedsCheck() {}

    /** Nearly all jobs need nothing beyond a slot and share one object. */
    static JobNeeds of(NewJob job) {
        if (!job.hasDemand()
                && job.getRequiresCount() == 0
                && job.getRateCost() == 0
                && job.getFairKey().isEmpty()
                && job.getConcurrencyKey().isEmpty()
                && job.getRateKey().isEmpty()) {
            return JobNeeds.NONE;
        }
        return new JobNeeds(
                        key("fair_key", job.getFairKey()),
                        key("concurrency_key", job.getConcurrencyKey()),
                        key("rate_key", job.getRateKey()),
                        job.getRateCost() == 1 ? JobNeeds.JUST_ONE : cost("rate_cost", job.getRateCost()),
                        resources("demand", job.getDemand()),
                        tags("requires", job.getRequiresList(), Limits.REQUIRED_TAGS))
                .shared();
    }

    static JobNeeds of(String field, dev.fairlane.protocol.v1.JobNeeds needs) {
        return new JobNeeds(
                        key(field + ".fair_key", needs.getFairKey()),
                        key(field + ".concurrency_key", needs.getConcurrencyKey()),
                        key(field + ".rate_key", needs.getRateKey()),
                        cost(field + ".rate_cost", needs.getRateCost()),
                        resources(field + ".demand", needs.getDemand()),
                        tags(field + ".requires", needs.getRequiresList(), Limits.REQUIRED_TAGS))
                .shared();
    }

    /** @throws Refused with the name of the field that is wrong */
    public static Resources resources(String field, dev.fairlane.protocol.v1.Resources given) {
        Resources resources = new Resources(
                (int) JobCheck.between(field + ".cpu_millis", given.getCpuMillis(), 0, CPU_MILLIS),
                (int) JobCheck.between(field + ".memory_mib", given.getMemoryMib(), 0, MEMORY_MIB),
                (int) JobCheck.between(field + ".gpus", given.getGpus(), 0, GPUS));
        return resources.isNone() ? Resources.NONE : resources;
    }

    /** In order, each once. */
    public static List<String> tags(String field, List<String> given, int most) {
        if (given.isEmpty()) {
            return List.of();
        }
        if (given.size() > most) {
            throw Refused.invalid(field, "expected at most " + most + ", but got " + given.size());
        }
        TreeSet<String> tags = new TreeSet<>();
        for (String tag : given) {
            tags.add(Text.typeName(field, tag));
        }
        return List.copyOf(tags);
    }

    private static String key(String field, String key) {
        return key.isEmpty() ? "" : Text.line(field, key, Limits.SHARE_KEY_LENGTH);
    }

    private static int cost(String field, int cost) {
        return Math.max(1, (int) JobCheck.between(field, cost, 0, RATE_COST));
    }
}
