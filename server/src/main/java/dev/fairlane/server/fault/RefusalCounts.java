package dev.fairlane.server.fault;

import dev.fairlane.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What was refused since the start of the node, by tenant and code: each job of a batch counts. Bounded: tenants beyond the first so
 * many are counted together. Soft: a restart counts from zero.
 */
public final class RefusalCounts {
    public static final String OTHER_TENANTS = "(other)";
    private static final int MAX_TENANTS = 1_000;
    private static final ErrorCode[] CODES = ErrorCode.values();

    private final Map<String, AtomicLongArray> byTenant = new ConcurrentHashMap<>();

    /** @param count never 0 */
    public record Count(String tenant, ErrorCode code, long count) {}

    public void count(String tenant, ErrorCode code, int times) {
        AtomicLongArray counts = byTenant.get(tenant);
        if (counts == null) {
            String name = byTenant.size() < MAX_TENANTS ? tenant : OTHER_TENANTS;
            counts = byTenant.computeIfAbsent(name, any -> new AtomicLongArray(CODES.length));
        }
        counts.addAndGet(code.ordinal(), times);
    }

    /** Of one tenant, or of all when it is empty; in the order of names and codes. */
    public List<Count> of(String only) {
        List<Count> found = new ArrayList<>();
        new TreeMap<>(byTenant).forEach((tenant, counts) -> {
            if (!only.isEmpty() && !tenant.equals(only)) {
                return;
            }
            for (ErrorCode code : CODES) {
                long count = counts.get(code.ordinal());
                if (count > 0) {
                    found.add(new Count(tenant, code, count));
                }
            }
        });
        return found;
    }
}
