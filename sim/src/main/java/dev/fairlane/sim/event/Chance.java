package dev.fairlane.sim.event;

import java.util.List;
import java.util.SplittableRandom;

/** Everything random comes from here, and all of it from one seed. */
public final class Chance {
    private final SplittableRandom random;

    public Chance(long seed) {
        this(new SplittableRandom(seed));
    }

    private Chance(SplittableRandom random) {
        this.random = random;
    }

    /** A stream of its own, so that one part drawing more often does not change what another part draws. */
    public Chance split() {
        return new Chance(random.split());
    }

    public boolean of(double probability) {
        return random.nextDouble() < probability;
    }

    public int below(int bound) {
        return random.nextInt(bound);
    }

    /** Both ends included. */
    public long between(long least, long most) {
        return random.nextLong(least, most + 1);
    }

    public <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    /** Exponentially distributed, as the time to the next of many independent things; at most twelve times the mean. */
    public long around(long mean) {
        return (long) Math.min(12.0 * mean, -mean * Math.log(1 - random.nextDouble()));
    }

    public long any() {
        return random.nextLong();
    }
}
