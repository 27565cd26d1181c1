package dev.fairlane.server.objects;

import dev.fairlane.core.model.TenantId;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.server.fault.Refused;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Room for so many transfers at once. A tenant may have as many as are still free: alone it gets half of the room, and whoever comes next
 * always finds some, however slowly others send.
 */
final class TransferRoom {
    private static final long RETRY_MILLIS = 1_000;

    private final int max;
    private final Map<@Nullable TenantId, Integer> underWay = new HashMap<>();
    private int all;

    TransferRoom(int max) {
        this.max = max;
    }

    /** @param tenant null for callers of the whole server */
    synchronized void enter(@Nullable TenantId tenant) {
        int own = underWay.getOrDefault(tenant, 0);
        if (all >= max) {
            throw full("transfers", max, all);
        }
        if (own > 0 && own >= max - all) {
            throw full("transfers of one tenant", (max - (all - own)) / 2, own);
        }
        underWay.put(tenant, own + 1);
        all++;
    }

    synchronized void leave(@Nullable TenantId tenant) {
        underWay.computeIfPresent(tenant, (_, own) -> own == 1 ? null : own - 1);
        all--;
    }

    private static Refused full(String what, int limit, int present) {
        return Refused.later(
                ErrorCode.OVERLOADED,
                "expected at most " + limit + " " + what + " at once, and " + present
                        + " are under way; nothing was done",
                RETRY_MILLIS,
                limit,
                present);
    }
}
