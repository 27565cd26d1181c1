package dev.fairlane.core.shard;

/** So much a second, and a tenth of a second's worth at once. Soft: it begins full. */
final class Bucket {
    private static final long HOLDS_MICROS = 100_000;

    /** Of what it holds: it is worth coming back for so much. */
    private static final int PORTIONS = 10;

    private final double perMicro;
    private final double size;
    private double left;
    private long filledAt;

    Bucket(int perSecond) {
        this.perMicro = perSecond / 1e6;
        this.size = Math.max(1, perMicro * HOLDS_MICROS);
        this.left = size;
    }

    void fill(long now) {
        if (now > filledAt) {
            left = Math.min(size, left + (now - filledAt) * perMicro);
            filledAt = now;
        }
    }

    boolean has() {
        return left >= 1;
    }

    void take() {
        left--;
    }

    long filledAt() {
        return filledAt;
    }

    /** When there will be a portion. */
    long refilledAt() {
        double missing = Math.max(1, size / PORTIONS) - left;
        return filledAt + (long) Math.ceil(Math.max(0, missing) / perMicro);
    }
}
