package dev.fairlane.sdk;

import java.util.Objects;

/**
 * Names an effect of a job in another system: the same on every attempt of the job, different for every job. Give it to whatever is
 * called as its idempotency key, and a repeated attempt does not repeat the effect.
 *
 * <p>Not to be mixed up with the {@link FencingToken}, which differs between attempts.
 *
 * @param value 1 to {@value #LENGTH_MAX} characters
 */
public record EffectKey(String value) {
    /** Fits the idempotency keys of the usual systems. */
    public static final int LENGTH_MAX = 255;

    public EffectKey {
        Objects.requireNonNull(value, "value");
        if (value.isEmpty() || value.length() > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "expected an effect key of 1 to " + LENGTH_MAX + " characters, but got " + value.length());
        }
    }

    /**
     * The key of one of several effects of the same job: {@code key.of("invoice")}, {@code key.of("mail")}. The name must be the same
     * on every attempt, so it says what the effect is, never when or by whom.
     */
    public EffectKey of(String effect) {
        Objects.requireNonNull(effect, "effect");
        if (effect.isEmpty()) {
            throw new IllegalArgumentException("expected the name of an effect, but it is empty");
        }
        return new EffectKey(value + "/" + effect);
    }

    /** The value itself, as it goes to the other system. */
    @Override
    public String toString() {
        return value;
    }
}
