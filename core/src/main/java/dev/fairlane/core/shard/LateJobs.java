package dev.fairlane.core.shard;

import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.Notice;
import dev.fairlane.core.share.Queue;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Says when jobs come too late: those that were skipped because their time had passed or were queued long after they were due, once a minute
 * for a type, and those that are due and cannot be queued. Soft: a failover says it again.
 */
final class LateJobs {
    private static final long SAID_FOR_MICROS = 60_000_000;
    private static final int MAX_TYPES = 10_000;

    /** Due for longer than this and not queued is worth a word; and again when it has been less than a tenth. */
    private static final long OVERDUE_MICROS = 60_000_000;

    private final Notices notices;
    private final Map<Name, Long> said = new LinkedHashMap<>();
    private boolean overdue;

    private record Name(int tenant, String type) {}

    LateJobs(Notices notices) {
        this.notices = notices;
    }

    /** A job of this queue that was scheduled is queued. */
    void queued(Queue queue, long dueAt, long now) {
        if (now - dueAt > OVERDUE_MICROS) {
            say(queue, now);
        }
    }

    /** A job of this queue ended because its time had passed. */
    void skipped(Queue queue, long now) {
        say(queue, now);
    }

    private void say(Queue queue, long now) {
        Name name = new Name(queue.account().tenant(), queue.type());
        Long before = said.get(name);
        if (before != null && now - before < SAID_FOR_MICROS) {
            return;
        }
        said.remove(name);
        said.put(name, now);
        if (said.size() > MAX_TYPES) {
            said.remove(said.keySet().iterator().next());
        }
        notices.add(Notice.Kind.LATE_EXECUTION, name.tenant, "", name.type, "");
    }

    /** @param micros for how long the job that is due longest has been due */
    void due(long micros) {
        if (!overdue && micros > OVERDUE_MICROS) {
            overdue = true;
            notices.add(Notice.Kind.PROMOTION_BEHIND, Gate.EVERYBODY.number(), "", "", "");
        } else if (overdue && micros < OVERDUE_MICROS / 10) {
            overdue = false;
        }
    }
}
