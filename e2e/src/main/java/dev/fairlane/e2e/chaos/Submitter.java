package dev.fairlane.e2e.chaos;

import dev.fairlane.e2e.chaos.Calls.Answer;
import dev.fairlane.e2e.chaos.Calls.Outcome;
import dev.fairlane.e2e.chaos.Calls.Submit;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One caller: submits, submits again, cancels and reads, as its seed says, until it is told to stop. */
final class Submitter implements Runnable {
    private static final int BATCH_MAX = 30;
    private static final int REMEMBERED = 200;
    private static final int CANCELLABLE = 12;

    private final String name;
    private final Calls calls;
    private final Random random;
    private final Pace pace;
    private final AtomicBoolean stop;
    private final List<Submit> keyed = new ArrayList<>();
    private final Deque<Submit> unresolved = new ArrayDeque<>();
    private final Deque<String> acked = new ArrayDeque<>();
    private final Deque<String> cancellable = new ArrayDeque<>();
    private int keys;

    Submitter(String name, Calls calls, long seed, Pace pace, AtomicBoolean stop) {
        this.name = name;
        this.calls = calls;
        this.random = new Random(seed);
        this.pace = pace;
        this.stop = stop;
    }

    @Override
    public void run() {
        while (!stop.get()) {
            int dice = random.nextInt(100);
            if (dice < 50) {
                submit(fresh(null));
            } else if (dice < 65) {
                submit(fresh(newKey()));
            } else if (dice < 75) {
                submitAgain();
            } else if (dice < 82) {
                batch();
            } else if (dice < 90) {
                cancel();
            } else {
                read();
            }
        }
    }

    /** Makes every keyed call whose outcome is not known again, until it is. */
    boolean resolve() {
        while (!unresolved.isEmpty()) {
            if (submit(unresolved.removeFirst()).answer() == Answer.UNKNOWN) {
                return false;
            }
        }
        return true;
    }

    private Outcome submit(Submit submit) {
        pace.next(1);
        Outcome outcome = calls.submit(submit);
        remember(submit, outcome);
        return outcome;
    }

    private void batch() {
        List<Submit> submits = new ArrayList<>();
        int size = 2 + random.nextInt(BATCH_MAX - 1);
        for (int i = 0; i < size; i++) {
            submits.add(fresh(random.nextInt(5) == 0 ? newKey() : null));
        }
        pace.next(size);
        List<Outcome> outcomes = calls.submitAll(submits);
        for (int i = 0; i < size; i++) {
            remember(submits.get(i), outcomes.get(i));
        }
    }

    /** Calls whose outcome is open come first; else any earlier one, or another body under a key that is taken. */
    private void submitAgain() {
        if (!unresolved.isEmpty()) {
            submit(unresolved.removeFirst());
        } else if (!keyed.isEmpty()) {
            Submit earlier = keyed.get(random.nextInt(keyed.size()));
            pace.next(1);
            calls.submit(random.nextInt(4) == 0 ? Calls.prepare(Work.QUICK, earlier.key(), null) : earlier);
        }
    }

    private void cancel() {
        String job = random.nextBoolean() ? cancellable.pollFirst() : cancellable.pollLast();
        if (job != null) {
            pace.next(1);
            calls.cancel(job);
        }
    }

    private void read() {
        if (!acked.isEmpty()) {
            String job = random.nextBoolean() ? acked.peekLast() : acked.pollFirst();
            if (job != null) {
                pace.next(1);
                calls.read(job);
            }
        }
    }

    private void remember(Submit submit, Outcome outcome) {
        switch (outcome.answer()) {
            case ACKED -> {
                push(acked, outcome.job(), REMEMBERED);
                if (submit.job().type().equals(Work.SLOW) || submit.delayed()) {
                    push(cancellable, outcome.job(), CANCELLABLE);
                }
                if (submit.key() != null) {
                    keyed.add(submit);
                }
            }
            case UNKNOWN -> {
                if (submit.key() != null) {
                    unresolved.add(submit);
                }
            }
            case REFUSED -> {}
        }
    }

    private static void push(Deque<String> deque, String job, int max) {
        deque.addLast(job);
        if (deque.size() > max) {
            deque.removeFirst();
        }
    }

    private Submit fresh(@Nullable String key) {
        int dice = random.nextInt(100);
        if (dice < 1) {
            return Calls.prepare(Work.POISON, key, null);
        } else if (dice < 7) {
            return Calls.prepare(Work.SLOW, key, null);
        } else if (dice < 12) {
            return Calls.prepare(Work.FLAKY, key, null);
        } else if (dice < 20) {
            return Calls.prepare(Work.ZOMBIE, key, null);
        } else if (dice < 26) {
            return Calls.prepare(Work.QUICK, key, Duration.ofMillis(200 + random.nextInt(2_000)));
        }
        return Calls.prepare(Work.QUICK, key, null);
    }

    private String newKey() {
        return name + "-" + ++keys;
    }
}
