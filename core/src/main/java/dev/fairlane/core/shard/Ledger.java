package dev.fairlane.core.shard;

import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.model.Usage;
import dev.fairlane.core.model.UsageAccount;
import dev.fairlane.core.model.UsageRow;
import dev.fairlane.core.share.Queue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What executions cost whom. Applying the end of an execution books it: whole, in the hour (UTC) in which it ended, however long it ran.
 * Bookings follow from facts alone, so replaying a log's tail makes the same ones again; whoever stores them takes those of a batch with
 * the batch, and stores both in one step.
 *
 * <p>For quotas it also knows what each tenant used in the present month (UTC).
 */
final class Ledger {
    private final ShardState state;
    private final List<UsageAccount> accounts = new ArrayList<>();
    /** Of queues of jobs that need something, which come and go; others know their own. */
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
        long micros = Math.max(0, now - was.leasedAt());
        JobState became = becomes.state();
        bookings.add(account(queue), hour(now), became, micros);
        month.book(queue.account().tenant(), became.terminal() ? 1 : 0, micros, now);
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
        int tenant = queue.account().tenant();
        Tenant known = state.directory.tenant(tenant);
        UsageAccount account = new UsageAccount(
                known == null ? new TenantId(tenant) : known.id(),
                state.pools[queue.account().pool()].rules().name(),
                queue.name(),
                queue.type());
        Integer number = numbers.isEmpty() ? null : numbers.get(account);
        if (number != null) {
            return number;
        }
        accounts.add(account);
        if (plain != queue) {
            numbers.put(account, accounts.size() - 1);
        }
        return accounts.size() - 1;
    }

    UsageAccount account(int number) {
        return accounts.get(number);
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
