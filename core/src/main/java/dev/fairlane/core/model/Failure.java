package dev.fairlane.core.model;

/**
 * What a worker, or the server in its place, says of an attempt that did not succeed.
 *
 * @param message one line for people
 * @param detail stack or output, empty when there is none
 * @param retryAfterMicros how long the handler asked to wait; 0 when it did not ask
 * @param dependency what failed outside, as the handler named it; empty for none
 * @param error name of the error (an exception's class, an exit code), as a type's {@code retryOn} may list it; may be empty
 */
public record Failure(
        FailureClass failureClass,
        String message,
        String detail,
        long retryAfterMicros,
        String dependency,
        String error) {

    /** A failure that names neither a dependency nor an error. */
    public Failure(FailureClass failureClass, String message, String detail, long retryAfterMicros) {
        this(failureClass, message, detail, retryAfterMicros, "", "");
    }

    public static Failure of(FailureClass failureClass, String message) {
        return new Failure(failureClass, message, "", 0);
    }
}
