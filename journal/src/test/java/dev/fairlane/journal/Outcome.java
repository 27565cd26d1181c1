package dev.fairlane.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waiting for what a call of the port came to. */
public final class Outcome {
    private static final long PATIENCE_SECONDS = 30;

    private Outcome() {}

    /** Its value; a fault of the port is thrown as it is. */
    public static <T> T of(CompletableFuture<T> call) {
        try {
            return call.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException fault) {
                throw fault;
            }
            throw new AssertionError("failed with no fault of the port", e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("no answer", e);
        }
    }

    /** Asserts that it fails this way. */
    public static <F extends RuntimeException> F failure(Class<F> kind, CompletableFuture<?> call) {
        try {
            Object value = of(call);
            throw new AssertionError("expected " + kind.getSimpleName() + ", but got " + value);
        } catch (RuntimeException fault) {
            assertThat(fault).isInstanceOf(kind);
            return kind.cast(fault);
        }
    }
}
