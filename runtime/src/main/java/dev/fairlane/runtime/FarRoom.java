package dev.fairlane.runtime;

import dev.fairlane.core.model.TenantId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs callers wait for that the store has to find, one that two calls wait for counted twice. A caller may have as much as is still
 * free ({@link SharedRoom}). Owned by the loop.
 */
final class FarRoom {
    /** Listed or on their way: more than a store that answers ever lets come together. */
    static final int MOST = 10_000;

    private final SharedRoom room = new SharedRoom(MOST);
    private final Map<@Nullable TenantId, Integer> awaited = new HashMap<>();
    private int all;

    /**
     * Why no call waits for one job more, or null.
     *
     * @param caller null for those of the whole node
     */
    @Nullable NodeFault refusal(@Nullable TenantId caller) {
        SharedRoom.Full full = room.refusal(all, awaited.getOrDefault(caller, 0), 1);
        return full == null
                ? null
                : NodeFault.overloaded(
                        "expected at most " + full.limit() + " calls of " + (full.own() ? "one caller" : "all callers")
                                + " to wait for the store to find their jobs, and " + full.present()
                                + " do; nothing was done",
                        full.limit(),
                        full.present());
    }

    void enter(@Nullable TenantId caller, int jobs) {
        awaited.merge(caller, jobs, Integer::sum);
        all += jobs;
    }

    void leave(@Nullable TenantId caller, int jobs) {
        awaited.computeIfPresent(caller, (_, own) -> own == jobs ? null : own - jobs);
        all -= jobs;
    }
}
