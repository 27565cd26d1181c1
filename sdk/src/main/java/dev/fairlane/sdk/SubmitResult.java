package dev.fairlane.sdk;

import org.jspecify.annotations.Nullable;

/**
 * What became of one job of a batch: accepted or refused, each on its own.
 *
 * @param handle the accepted job; null when it was refused
 * @param refusal why not; null when it was accepted
 */
public record SubmitResult(
        @Nullable JobHandle handle, @Nullable FairlaneException refusal) {

    public boolean accepted() {
        return handle != null;
    }

    /**
     * The accepted job.
     *
     * @throws FairlaneException the refusal, if it was refused
     */
    public JobHandle orThrow() {
        if (handle == null) {
            throw refusal != null ? refusal : new IllegalStateException("neither accepted nor refused");
        }
        return handle;
    }
}
