package dev.fairlane.sdk;

/**
 * Guards what a job writes: grows with every lease of the job. Store it next to what is written and refuse a write with a smaller one,
 * and a worker that was believed dead cannot overwrite its successor.
 *
 * <p>Comparable within one job only. Never an idempotency key: it differs between attempts; that is the {@link EffectKey}.
 */
public record FencingToken(long value) implements Comparable<FencingToken> {

    @Override
    public int compareTo(FencingToken other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
