package dev.fairlane.core.shard;

/**
 * A rate that two draw on: each is sure of half, and has the other's half as well while that one has nothing to do. Together they never
 * get more than the rate, and a fiftieth of a second's worth at once: whoever comes behind it waits for all of it. Soft: it begins full.
 */
final class SharedRate {
    private static final long HOLDS_MICROS = 20_000;

    /** Of what it holds: it is worth coming back for so much. */
    private static final int PORTIONS = 8;

    private final double perMicro;
    private final double sizeOfHalf;
    private final Half one;
    private final Half other;
    private long filledAt;

    SharedRate(int perSecond) {
        perMicro = perSecond / 1e6;
        sizeOfHalf = Math.max(1, perMicro * HOLDS_MICROS / 2);
        one = new Half();
        other = new Half();
    }

    Half one() {
        return one;
    }

    Half other() {
        return other;
    }

    /** What a half cannot hold goes to the other. */
    void fill(long now) {
        if (now > filledAt) {
            double half = (now - filledAt) * perMicro / 2;
            filledAt = now;
            double over = one.add(half);
            one.add(other.add(half + over));
        }
    }

    final class Half {
        private double left = sizeOfHalf;

        /** What did not fit. */
        private double add(double more) {
            double sum = left + more;
            left = Math.min(sizeOfHalf, sum);
            return sum - left;
        }

        private Half beside() {
            return this == one ? other : one;
        }

        private double left(boolean alone) {
            return alone ? left + beside().left : left;
        }

        /** @param alone the other has nothing to do */
        boolean has(boolean alone) {
            return left(alone) >= 1;
        }

        /** If it {@link #has} one. */
        void take() {
            left--;
            if (left < 0) {
                beside().left += left;
                left = 0;
            }
        }

        /** When there will be a portion. */
        long refilledAt(boolean alone) {
            double portion = Math.max(1, 2 * sizeOfHalf / PORTIONS);
            double missing = Math.max(0, portion - left(alone));
            return filledAt + (long) Math.ceil(missing / (alone ? perMicro : perMicro / 2));
        }
    }
}
