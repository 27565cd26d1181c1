package dev.fairlane.server;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * How much of the heap the last collections left in use, in percent. One collection of the young alone leaves garbage in the old, so the
 * least of the last few counts: a node is full only when none of them could make room.
 */
final class HeapGauge implements IntSupplier, AutoCloseable {
    private static final int COLLECTIONS = 4;

    private final int[] last = new int[COLLECTIONS];
    private final List<Runnable> closing = new ArrayList<>();
    private int next;
    private volatile int percent;

    static HeapGauge start() {
        HeapGauge gauge = new HeapGauge();
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector instanceof NotificationEmitter emitter) {
                gauge.listen(emitter);
            }
        }
        return gauge;
    }

    private void listen(NotificationEmitter emitter) {
        NotificationListener listener = (notification, handback) -> heard(notification);
        emitter.addNotificationListener(listener, null, null);
        closing.add(() -> {
            try {
                emitter.removeNotificationListener(listener);
            } catch (ListenerNotFoundException e) {
                throw new IllegalStateException("it was added here", e);
            }
        });
    }

    private void heard(Notification notification) {
        if (!notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            return;
        }
        GarbageCollectionNotificationInfo info =
                GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
        long used = 0;
        for (var pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage after = info.getGcInfo().getMemoryUsageAfterGc().get(pool.getName());
            if (after != null && pool.getType() == MemoryType.HEAP) {
                used += after.getUsed();
            }
        }
        collected(used, Runtime.getRuntime().maxMemory());
    }

    synchronized void collected(long used, long max) {
        last[next++ % COLLECTIONS] = (int) (used * 100 / Math.max(1, max));
        int least = 100;
        for (int one : last) {
            least = Math.min(least, one);
        }
        percent = least;
    }

    /** Collections so far; for tests. */
    synchronized int heard() {
        return next;
    }

    @Override
    public int getAsInt() {
        return percent;
    }

    @Override
    public void close() {
        closing.forEach(Runnable::run);
        closing.clear();
    }
}
