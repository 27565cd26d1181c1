package dev.fairlane.e2e.chaos;

import dev.fairlane.e2e.chaos.Calls.Answer;
import dev.fairlane.e2e.chaos.Calls.Submit;
import dev.fairlane.e2e.history.EventLog;
import java.time.Duration;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A caller who wants more than it may have: bursts that are larger than what may run at once, and jobs beyond a quota, before and after
 * everything was killed. It submits about two thirds of what can run under the limits, so that little is left to do at the end.
 */
final class LimitSeeker implements Runnable {
    private static final int BURST = 8;
    private static final int COUNTED_MAX = 4;
    private static final Duration TURN = Duration.ofSeconds(2);
    private static final Duration POLL = Duration.ofMillis(50);

    private final Calls capped;
    private final Calls counted;
    private final EventLog log;
    private final Random random;
    private final AtomicBoolean stop;
    private final YearMonth begun = YearMonth.now(ZoneOffset.UTC);

    LimitSeeker(Calls capped, Calls counted, EventLog log, long seed, AtomicBoolean stop) {
        this.capped = capped;
        this.counted = counted;
        this.log = log;
        this.random = new Random(seed);
        this.stop = stop;
    }

    @Override
    public void run() {
        while (!stop.get()) {
            long next = System.nanoTime() + TURN.toNanos();
            capped.submitAll(burst());
            count(1 + random.nextInt(COUNTED_MAX));
            while (!stop.get() && System.nanoTime() - next < 0) {
                LockSupport.parkNanos(POLL.toNanos());
            }
        }
    }

    /** Submits until the quota is used up; returns whether it is. */
    boolean exhaust() {
        for (int i = 0; i <= Limits.QUOTA; i++) {
            if (count(1).contains(Answer.REFUSED)) {
                if (!YearMonth.now(ZoneOffset.UTC).equals(begun)) {
                    log.record(Limits.month());
                }
                return true;
            }
        }
        return false;
    }

    private List<Answer> count(int jobs) {
        List<Submit> submits = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            submits.add(Calls.prepare(Work.COUNTED, null, null));
        }
        return counted.submitAll(submits).stream().map(Calls.Outcome::answer).toList();
    }

    /** Two in five under the wider key, one under the narrower one, and two under none. */
    private List<Submit> burst() {
        List<Submit> submits = new ArrayList<>();
        List<String> keys = List.copyOf(Limits.KEYS.keySet());
        for (int i = 0; i < BURST; i++) {
            int dice = random.nextInt(5);
            if (dice < 2) {
                submits.add(Calls.prepare(Work.LIMITED, null, null));
            } else {
                String key = keys.get(dice == 2 ? 1 : 0);
                submits.add(Calls.prepare(
                        Work.LIMITED, job -> job.concurrencyKey(key).header(Limits.KEY_HEADER, key)));
            }
        }
        return submits;
    }
}
