package dev.fairlane.core.model;

/**
 * What a worker, or the server in its place, says of an attempt that did not succeed.
 *
 * @param message one line for people
 * @param detail stack or output, empty when there is none
 * @param retryAfterMicros how long the handler asked to wait; 0 when it did not ask
 */
public record Failure(FailureClass failureClass, String message, String detail, long retryAfterMicros) {
    public static Failure of(FailureClass failureClass, String message) {
        return new Failure(failureClass, message, "", 0);
    }
}
