package dev.fairlane.core.shard;

import dev.fairlane.core.model.Gate;
import org.jspecify.annotations.Nullable;

/**
 * What holds for a tenant now: its own rules, or else those of its tier and of the node.
 *
 * @param submitRate jobs a second, and as many at once after a second's pause; 0: no bound
 * @param slowed whether the rate is half of what it would be, because a soft quota is used up
 * @param monthJobs that ran and came to their end in the present month (UTC)
 * @param quench since when, by whom and why nothing of it is started; null: it is
 */
public record TenantStanding(
        int submitRate,
        boolean slowed,
        int maxOpenJobs,
        int openJobs,
        long monthJobs,
        long monthSlotSeconds,
        @Nullable Gate quench) {}
