package dev.fairlane.core.share;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All queues of one job type in an account: what holds back a type is set here. */
public final class TypeLine {
    private final Account account;
    private final String type;
    /** Reasons ({@link Block}) why nothing of the type may be given. */
    short blocks;

    /** Whether the tree knows it by its type. */
    boolean met;

    /** The next type of the account. */
    @Nullable TypeLine next;

    /** Of jobs that need nothing, one for each lane; the others follow by {@link Queue#nextPlain}. */
    private @Nullable Queue plain;
    /** Of jobs that need something; null before the first. */
    private @Nullable Map<QueueKey, Queue> keyed;

    private @Nullable Object attachment;
    private @Nullable TypeLine elsewhere;

    TypeLine(Account account, String type) {
        this.account = account;
        this.type = type;
    }

    public Account account() {
        return account;
    }

    public String type() {
        return type;
    }

    /** Whatever the one who watches the type wants to find again with it. */
    public void attach(Object object) {
        attachment = object;
    }

    public @Nullable Object attachment() {
        return attachment;
    }

    /** The same type of the tenant in another pool, as far as {@link #setElsewhere} told. */
    public @Nullable TypeLine elsewhere() {
        return elsewhere;
    }

    public void setElsewhere(@Nullable TypeLine line) {
        elsewhere = line;
    }

    /** The queue of jobs that need nothing in a lane. */
    public @Nullable Queue plain(String lane) {
        for (Queue queue = plain; queue != null; queue = queue.nextPlain) {
            if (queue.name().equals(lane)) {
                return queue;
            }
        }
        return null;
    }

    @Nullable Queue keyed(QueueKey key) {
        return keyed == null ? null : keyed.get(key);
    }

    void put(Queue queue) {
        if (queue.key == null) {
            queue.nextPlain = plain;
            plain = queue;
            return;
        }
        if (keyed == null) {
            keyed = new HashMap<>(4);
        }
        keyed.put(queue.key, queue);
    }

    void drop(Queue queue) {
        if (keyed != null) {
            keyed.remove(queue.key);
        }
    }

    public void forEach(Consumer<Queue> action) {
        for (Queue queue = plain; queue != null; queue = queue.nextPlain) {
            action.accept(queue);
        }
        if (keyed != null) {
            keyed.values().forEach(action);
        }
    }
}
