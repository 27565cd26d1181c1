package dev.fairlane.journal;

import dev.fairlane.core.model.FailureClass;
import dev.fairlane.core.model.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters of one kind.
 *
 * @param failureClass null when the job died without one
 * @param lastHour of these, how many died within the last hour of the store's clock
 */
public record DeadCount(
        TenantId tenant,
        String type,
        @Nullable FailureClass failureClass,
        long count,
        long lastHour,
        long oldestAt,
        long newestAt) {}
