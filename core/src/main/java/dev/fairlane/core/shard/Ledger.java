package dev.fairlane.core.shard;

import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.Usage;
import dev.fairlane.core.model.UsageAccount;
import dev.fairlane.core.model.UsageRow;
import dev.fairlane.core.share.Queue;
import dev.fairlane.core.share.Requirement;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What executions cost whom: dominant slots × time, which is what fair share counts too, its least charge aside. Applying the end of an
 * execution books it: whole, in the hour (UTC) in which it ended, however long it ran.
 * Bookings follow from facts alone, so replaying a log's tail makes the same ones again; whoever stores them takes those of a batch with
 * the batch, and stores both in one step.
 *
 * <p>For quotas it also knows what each tenant used in the present month (UTC).
 */
final class Ledger {
    private final ShardState state;
    /** Accounts by number: the queue of jobs that need nothing, which stays, or null and it is in {@link #others}. */
    private @Nullable Queue[] queues = new Queue[64];

    private int made;
    private final Map<Integer, UsageAccount> others = new HashMap<>();
    private final Map<UsageAccount, Integer> numbers = new HashMap<>();

    private Bookings bookings = new Bookings();
    private long hour;
    private long hourEnd;

    private final MonthUse month;

    Ledger(ShardState state) {
        this.state = state;
        this.month = new MonthUse(state.guards.notices);
    }

    MonthUse month() {
        return month;
    }

    /** An execution ended. */
    void ended(Queue queue, JobStatus was, JobStatus becomes) {
        long now = becomes.changedAt();
        long micros = slotMicros(queue.requirement().size(), Math.max(0, now - was.leasedAt()));
        JobState became = becomes.state();
        bookings.add(account(queue), hour(now), became, micros);
        month.book(queue.account().tenant(), became.terminal() ? 1 : 0, micros, now);
    }

    private static long slotMicros(long size, long ran) {
        return size == Requirement.SLOT ? ran : (long) ((double) size * ran / Requirement.SLOT);
    }

    /** A job that waited came to its end; it counts if it ever ran. */
    void endedWaiting(Queue queue, JobStatus becomes) {
        if (becomes.execution() > 0) {
            long now = becomes.changedAt();
            bookings.addEnd(account(queue), hour(now), becomes.state());
            month.book(queue.account().tenant(), 1, 0, now);
        }
    }

    /** What was stored of the present month. */
    void load(TenantId tenant, long at, Usage used) {
        month.book(tenant.number(), used.jobs(), used.slotMicros(), at);
    }

    private long hour(long now) {
        if (now >= hourEnd || now < hourEnd - UsageRow.HOUR_MICROS) {
            hour = now / UsageRow.HOUR_MICROS;
            hourEnd = (hour + 1) * UsageRow.HOUR_MICROS;
        }
        return hour;
    }

    private int account(Queue queue) {
        if (queue.usage() < 0) {
            queue.bookTo(number(queue));
        }
        return queue.usage();
    }

    private int number(Queue queue) {
        Queue plain = queue.line().plain(queue.name());
        if (plain != null && plain.usage() >= 0) {
            return plain.usage();
        }
        Integer known = numbers.isEmpty() ? null : numbers.get(accountOf(queue));
        if (known != null) {
            return known;
        }
        if (made == queues.length) {
            queues = Arrays.copyOf(queues, made / 2 * 3);
        }
        if (plain == queue) {
            queues[made] = queue;
        } else {
            // such a queue comes and goes
            UsageAccount account = accountOf(queue);
            others.put(made, account);
            numbers.put(account, made);
        }
        return made++;
    }

    private UsageAccount accountOf(Queue queue) {
        return new UsageAccount(
                new TenantId(queue.account().tenant()),
                state.pools[queue.account().pool()].rules().name(),
                queue.name(),
                queue.type());
    }

    UsageAccount account(int number) {
        Queue queue = queues[number];
        return queue != null ? accountOf(queue) : Objects.requireNonNull(others.get(number));
    }

    /** What was booked since the last call. */
    Bookings take() {
        Bookings taken = bookings;
        if (taken.size() == 0) {
            return Bookings.NONE;
        }
        bookings = new Bookings();
        return taken;
    }
}
