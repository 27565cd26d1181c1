package dev.fairlane.core.shard;

import dev.fairlane.core.model.Notice;
import dev.fairlane.core.model.TenantId;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/** What was noticed and not yet told; the oldest goes when there is too much, and is counted. */
final class Notices {
    static final int MOST = 1_000;

    private final ArrayDeque<Notice> waiting = new ArrayDeque<>();
    private long dropped;

    void add(Notice.Kind kind, int tenant, String pool, String type, String dependency) {
        if (waiting.size() == MOST) {
            waiting.removeFirst();
            dropped++;
        }
        waiting.addLast(new Notice(kind, new TenantId(tenant), pool, type, dependency));
    }

    /** Since this start, those that nobody heard of. */
    long dropped() {
        return dropped;
    }

    void clear() {
        waiting.clear();
        dropped = 0;
    }

    void drain(Consumer<Notice> sink) {
        while (!waiting.isEmpty()) {
            sink.accept(waiting.removeFirst());
        }
    }
}
