package dev.fairlane.journal;

import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters.
 *
 * @param scope null: of all tenants
 * @param type empty: any
 * @param failureClass null: any
 * @param text somewhere in the failure's message, upper and lower case alike; empty: any
 * @param from died at or after, microseconds since the epoch; 0: ever
 * @param to died before; 0: until now
 */
public record DeadFilter(
        @Nullable TenantId scope, String type, @Nullable FailureClass failureClass, String text, long from, long to) {

    public static DeadFilter all(@Nullable TenantId scope) {
        return new DeadFilter(scope, "", null, "", 0, 0);
    }

    public DeadFilter until(long at) {
        return new DeadFilter(scope, type, failureClass, text, from, to == 0 ? at : Math.min(to, at));
    }
}
