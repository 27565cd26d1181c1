package dev.fairlane.e2e.chaos;

import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.EventLog;
import dev.fairlane.sdk.JobContext;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.TenantRules;
import dev.fairlane.sdk.TenantRules.QuotaKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The limits of a run: what the server is told of them, and how the history calls them. */
final class Limits {
    /** The tenant with a cap and with limits of keys. */
    static final String CAPPED_TENANT = "initech";
    /** The tenant with a quota. */
    static final String COUNTED_TENANT = "hooli";

    static final int IN_FLIGHT = 4;
    static final int QUOTA = 25;
    static final Map<String, Integer> KEYS = new TreeMap<>(Map.of("db-1", 2, "db-2", 1));

    /** A lease does not name its job's concurrency key, so the job tells it a second time. */
    static final String KEY_HEADER = "chaos-key";

    private Limits() {}

    static TenantRules.Builder capped(TenantRules.Builder rules) {
        rules.inFlight(Pool.SHORT, IN_FLIGHT);
        KEYS.forEach(rules::concurrencyLimit);
        return rules;
    }

    static TenantRules.Builder counted(TenantRules.Builder rules) {
        return rules.quota(QuotaKind.JOBS, 0, QUOTA);
    }

    /** @param lease of the pool in which they run */
    static List<Event> told(Duration lease) {
        List<Event> told = new ArrayList<>();
        told.add(new Event.Capped(EventLog.now(), inFlight(CAPPED_TENANT), IN_FLIGHT, lease.toNanos()));
        KEYS.forEach((key, most) ->
                told.add(new Event.Capped(EventLog.now(), key(CAPPED_TENANT, key), most, lease.toNanos())));
        told.add(month());
        return told;
    }

    /** A month begins, and with it the quota. */
    static Event month() {
        return new Event.Allowed(EventLog.now(), Work.COUNTED, QUOTA);
    }

    /** The limits an execution is under. */
    static List<String> of(JobContext context) {
        String key = context.headers().get(KEY_HEADER);
        return key == null
                ? List.of(inFlight(context.tenant()))
                : List.of(inFlight(context.tenant()), key(context.tenant(), key));
    }

    private static String inFlight(String tenant) {
        return "in_flight/" + tenant;
    }

    private static String key(String tenant, String key) {
        return "key/" + tenant + "/" + key;
    }
}
