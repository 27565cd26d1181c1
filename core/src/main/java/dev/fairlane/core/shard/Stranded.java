package dev.fairlane.core.shard;

import dev.fairlane.core.model.Resources;
import dev.fairlane.core.model.TenantId;
import java.util.List;

/** Waiting jobs that no connected worker can ever run: it lacks the type, a tag, or size. */
public record Stranded(
        TenantId tenant,
        String pool,
        String type,
        Resources demand,
        List<String> tags,
        int waiting,
        long oldestQueuedAt) {}
