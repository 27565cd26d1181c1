package dev.fairlane.sdk.testing;

import dev.fairlane.sdk.Handler;
import dev.fairlane.sdk.JobContext;

/**
 * Runs a handler without a server, on the thread of the test.
 *
 * <pre>{@code
 * var first = TestJobContext.of("send_email");
 * HandlerRunner.run(first, handler, email);
 * HandlerRunner.run(first.nextAfterCrash(), handler, email);   // the worker died before anybody heard of it
 * assertThat(outbox).hasSize(1);
 * }</pre>
 */
public final class HandlerRunner {

    private HandlerRunner() {}

    /** Runs it as the first attempt of a job of its own. */
    public static <T> HandlerOutcome run(Handler<T> handler, T payload) {
        return run(TestJobContext.of("test"), handler, payload);
    }

    /** Runs it as this attempt. */
    public static <T> HandlerOutcome run(JobContext context, Handler<T> handler, T payload) {
        try {
            return new HandlerOutcome(handler.run(context, payload), null);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return failed(interrupted);
        } catch (Exception thrown) {
            return failed(thrown);
        }
    }

    private static HandlerOutcome failed(Throwable thrown) {
        return new HandlerOutcome(null, thrown);
    }
}
