package dev.fairlane.server.objects;

import dev.fairlane.core.model.TenantId;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.runtime.SharedRoom;
import dev.fairlane.server.fault.Refused;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Room for so many transfers at once, of which a tenant may have as many as are still free, however slowly others send. */
final class TransferRoom {
    private static final long RETRY_MILLIS = 1_000;

    private final SharedRoom room;
    private final Map<@Nullable TenantId, Integer> underWay = new HashMap<>();
    private int all;

    TransferRoom(int max) {
        this.room = new SharedRoom(max);
    }

    /** @param tenant null for callers of the whole server */
    synchronized void enter(@Nullable TenantId tenant) {
        int own = underWay.getOrDefault(tenant, 0);
        SharedRoom.Full full = room.refusal(all, own, 1);
        if (full != null) {
            throw refused(full);
        }
        underWay.put(tenant, own + 1);
        all++;
    }

    synchronized void leave(@Nullable TenantId tenant) {
        underWay.computeIfPresent(tenant, (_, own) -> own == 1 ? null : own - 1);
        all--;
    }

    private static Refused refused(SharedRoom.Full full) {
        return Refused.later(
                ErrorCode.OVERLOADED,
                "expected at most " + full.limit() + (full.own() ? " transfers of one tenant" : " transfers")
                        + " at once, and " + full.present() + " are under way; nothing was done",
                RETRY_MILLIS,
                full.limit(),
                full.present());
    }
}
