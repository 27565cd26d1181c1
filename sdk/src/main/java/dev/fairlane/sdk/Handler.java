package dev.fairlane.sdk;

import org.jspecify.annotations.Nullable;

/**
 * Does the work of one job. Called on a virtual thread of its own, so it may block.
 *
 * <p>What it throws decides what happens next: {@link NonRetryableException} ends the job, {@link RetryAfterException} postpones
 * it at no cost, {@link DependencyFailedException} and everything else is retried by the rules of its type.
 *
 * <p><b>At least once:</b> the same job may come again, even after this method returned. See the package documentation.
 *
 * @param <T> what the payload is read as
 */
@FunctionalInterface
public interface Handler<T> {

    /**
     * Does the work.
     *
     * @param payload the job's payload, read as the class given with the handler
     * @return the result: null for none, a {@link Payload} or {@code byte[]} as it is, anything else written as JSON; one above
     *     256 KiB is stored apart, the server bounds it
     */
    @Nullable Object run(JobContext context, T payload) throws Exception;
}
