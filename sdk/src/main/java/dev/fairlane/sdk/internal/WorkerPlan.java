package dev.fairlane.sdk.internal;

import dev.fairlane.sdk.JobContext;
import dev.fairlane.sdk.Pool;
import dev.fairlane.sdk.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a worker was told when it was made. */
public record WorkerPlan(
        String name,
        Map<String, BoundHandler<?>> handlers,
        Map<Pool, Integer> offers,
        Resources resources,
        List<String> tags,
        Consumer<JobContext> onCancel,
        Duration cancelGrace,
        Duration drainWindow,
        boolean handOverOnDrain) {

    public WorkerPlan {
        handlers = Map.copyOf(handlers);
        offers = Map.copyOf(offers);
    }
}
