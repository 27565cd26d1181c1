package dev.fairlane.core.shard;

import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.TenantId;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/** What was noticed and not yet told; the oldest goes when there is too much. */
final class Notices {
    private static final int MOST = 1_000;

    private final ArrayDeque<Notice> waiting = new ArrayDeque<>();

    void add(Notice.Kind kind, int tenant, String pool, String type, String dependency) {
        if (waiting.size() == MOST) {
            waiting.removeFirst();
        }
        waiting.addLast(new Notice(kind, new TenantId(tenant), pool, type, dependency));
    }

    void drain(Consumer<Notice> sink) {
        while (!waiting.isEmpty()) {
            sink.accept(waiting.removeFirst());
        }
    }
}
