package dev.fairlane.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Many seeds, one after the other. */
public final class Campaign {
    /** Of so many seeds one is run twice, to see that it comes to the same. */
    private static final int SAMPLE = 10;

    private final Consumer<String> progress;
    private final @Nullable Consumer<String> trace;
    private final List<Verdict> violations = new ArrayList<>();
    private final List<Long> nondeterministic = new ArrayList<>();
    private long seeds;
    private long virtualMicros;
    private long events;

    /** @param progress hears what is worth telling while it runs */
    public Campaign(Consumer<String> progress) {
        this(progress, null);
    }

    /** @param trace hears everything that happens */
    public Campaign(Consumer<String> progress, @Nullable Consumer<String> trace) {
        this.progress = progress;
        this.trace = trace;
    }

    /** Runs {@code count} seeds from {@code from} on. */
    public void run(long from, long count) {
        for (long seed = from; seed < from + count; seed++) {
            Verdict verdict = run(seed, null, false);
            if (verdict.violation() != null) {
                violations.add(verdict);
                tell(verdict);
            }
            if (seed % SAMPLE == 0 && trace == null && run(seed, null, false).hash() != verdict.hash()) {
                nondeterministic.add(seed);
                progress.accept("seed " + seed + " came to something else the second time");
            }
        }
        seeds += count;
    }

    /** Runs up to {@code count} seeds with a bug planted, until a world breaks a promise and keeps it without the bug; null when none does. */
    public @Nullable Verdict find(Plant plant, long from, long count) {
        for (long seed = from; seed < from + count; seed++) {
            Verdict verdict = run(seed, plant, true);
            if (verdict.violation() != null && run(seed, plant, false).violation() == null) {
                progress.accept("planted " + plant.label() + ": found with seed " + seed + " after " + (seed - from + 1)
                        + " seeds by " + verdict.violation().brief());
                seeds += seed - from + 1;
                return verdict;
            }
        }
        seeds += count;
        progress.accept("planted " + plant.label() + ": NOT FOUND within " + count + " seeds");
        return null;
    }

    private Verdict run(long seed, @Nullable Plant plant, boolean sown) {
        Verdict verdict = new Simulation(seed, plant, sown, plant == null || sown ? trace : null).run();
        virtualMicros += verdict.virtualMicros();
        events += verdict.events();
        return verdict;
    }

    private void tell(Verdict verdict) {
        if (trace == null) {
            verdict.last().forEach(progress);
        }
        progress.accept("seed " + verdict.seed() + " VIOLATES " + verdict.violation());
        progress.accept("again, with everything: ./fairlane sim --from " + verdict.seed() + " --seeds 1 --trace");
    }

    public long seeds() {
        return seeds;
    }

    public List<Verdict> violations() {
        return violations;
    }

    public List<Long> nondeterministic() {
        return nondeterministic;
    }

    public double virtualHours() {
        return virtualMicros / 3.6e9;
    }

    public long events() {
        return events;
    }
}
