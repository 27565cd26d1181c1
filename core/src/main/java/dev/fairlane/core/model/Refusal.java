package dev.fairlane.core.model;

/**
 * A request that was understood and not granted.
 *
 * @param message what was expected, what came, what to do
 * @param retryAfterMicros when it may be worth asking again; 0: asking again will not help
 * @param limit what was reached, in the unit the message names; {@link #NO_NUMBER} where there is no number
 * @param present what there was of it; {@link #NO_NUMBER} where there is no number
 */
public record Refusal(RefusalCode code, String message, long retryAfterMicros, long limit, long present) {
    public static final long NO_NUMBER = -1;

    public Refusal {
        assert !code.counted() || limit != NO_NUMBER && present != NO_NUMBER
                : code + " without its limit and what there is";
    }

    /** One that is about no number. */
    public Refusal(RefusalCode code, String message, long retryAfterMicros) {
        this(code, message, retryAfterMicros, NO_NUMBER, NO_NUMBER);
    }
}
