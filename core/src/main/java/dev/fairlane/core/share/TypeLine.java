package dev.fairlane.core.share;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All queues of one job type in an account: what holds back a type is set here. */
public final class TypeLine {
    private final Account account;
    private final String type;
    /** Reasons ({@link Block}) why nothing of the type may be given. */
    int blocks;

    /** Of jobs that need nothing, one for each lane. */
    final List<Queue> plain = new ArrayList<>(1);
    /** Of jobs that need something; null before the first. */
    private @Nullable Map<QueueKey, Queue> keyed;

    /** Whether the tree knows it by its type. */
    boolean met;

    private @Nullable Object attachment;

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

    @Nullable Queue plain(String lane) {
        for (int i = 0; i < plain.size(); i++) {
            if (plain.get(i).name().equals(lane)) {
                return plain.get(i);
            }
        }
        return null;
    }

    @Nullable Queue keyed(QueueKey key) {
        return keyed == null ? null : keyed.get(key);
    }

    void put(Queue queue) {
        if (queue.key == null) {
            plain.add(queue);
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
        for (int i = 0; i < plain.size(); i++) {
            action.accept(plain.get(i));
        }
        if (keyed != null) {
            keyed.values().forEach(action);
        }
    }
}
