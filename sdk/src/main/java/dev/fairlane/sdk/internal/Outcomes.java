package dev.fairlane.sdk.internal;

import dev.fairlane.protocol.v1.LeaseRef;
import dev.fairlane.protocol.v1.WorkerFailure;
import dev.fairlane.sdk.DependencyFailedException;
import dev.fairlane.sdk.FailureDetail;
import dev.fairlane.sdk.FailureName;
import dev.fairlane.sdk.NonRetryableException;
import dev.fairlane.sdk.ResourceViolationException;
import dev.fairlane.sdk.RetryAfterException;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;

/** From what a handler threw to the failure the server is told. */
final class Outcomes {
    static final int DETAIL_CHARS_MAX = 8 * 1024;
    static final int MESSAGE_CHARS_MAX = 1_024;
    static final int NAME_CHARS_MAX = 128;
    static final int RESULT_BYTES_MAX = 256 * 1024;

    /** No job is kept open for longer. */
    private static final Duration RETRY_AFTER_MAX = Duration.ofDays(7);

    private Outcomes() {}

    static WorkerFailure thrown(LeaseRef lease, Throwable thrown) {
        WorkerFailure.Builder failure = WorkerFailure.newBuilder()
                .setLease(lease)
                .setMessage(message(thrown))
                .setDetail(detail(thrown))
                .setError(name(thrown));
        switch (thrown) {
            case NonRetryableException e -> failure.setFailureClass("NON_RETRYABLE");
            case RetryAfterException e ->
                failure.setFailureClass("RATE_LIMITED").setRetryAfterMs(retryAfterMillis(e.retryAfter()));
            case DependencyFailedException e ->
                failure.setFailureClass("DEPENDENCY")
                        .setDependency(bounded(e.dependency(), NAME_CHARS_MAX))
                        .setMessage(bounded(e.dependency() + ": " + message(e), MESSAGE_CHARS_MAX));
            case ResourceViolationException e -> failure.setFailureClass("RESOURCE_VIOLATION");
            default -> failure.setFailureClass("APP_ERROR");
        }
        return failure.build();
    }

    static WorkerFailure timedOut(LeaseRef lease, long limitMillis, String how) {
        return WorkerFailure.newBuilder()
                .setLease(lease)
                .setFailureClass("TIMEOUT")
                .setMessage("over its time limit of " + limitMillis + " ms" + how)
                .build();
    }

    /** The worker had to go before the job was done: it is given back at no cost. */
    static WorkerFailure givenBack(LeaseRef lease) {
        return WorkerFailure.newBuilder()
                .setLease(lease)
                .setFailureClass("RATE_LIMITED")
                .setRetryAfterMs(1)
                .setMessage("the worker stopped before the job was done")
                .build();
    }

    private static long retryAfterMillis(Duration asked) {
        return asked.compareTo(RETRY_AFTER_MAX) > 0 ? RETRY_AFTER_MAX.toMillis() : Math.max(1, asked.toMillis());
    }

    private static String message(Throwable thrown) {
        String message = thrown.getMessage();
        if (message != null && thrown instanceof FailureDetail) {
            return bounded(message, MESSAGE_CHARS_MAX);
        }
        String text = thrown.getClass().getPackageName().equals("dev.fairlane.sdk") && message != null
                ? message
                : message == null
                        ? thrown.getClass().getName()
                        : thrown.getClass().getSimpleName() + ": " + message;
        return bounded(text, MESSAGE_CHARS_MAX);
    }

    private static String name(Throwable thrown) {
        String name = thrown instanceof FailureName named
                ? named.failureName()
                : thrown.getClass().getName();
        return bounded(name, NAME_CHARS_MAX);
    }

    private static String detail(Throwable thrown) {
        return thrown instanceof FailureDetail told
                ? bounded(told.failureDetail(), DETAIL_CHARS_MAX)
                : stackTrace(thrown);
    }

    private static String stackTrace(Throwable thrown) {
        BoundedWriter writer = new BoundedWriter();
        PrintWriter printer = new PrintWriter(writer);
        thrown.printStackTrace(printer);
        printer.flush();
        return writer.text.toString();
    }

    static String bounded(String text, int chars) {
        if (text.length() <= chars) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(chars - 2)) ? chars - 2 : chars - 1;
        return text.substring(0, end) + "…";
    }

    /** Keeps the beginning, so that a deep stack costs no more than what is kept of it. */
    private static final class BoundedWriter extends Writer {
        private final StringBuilder text = new StringBuilder();

        @Override
        public void write(char[] chars, int from, int count) {
            text.append(chars, from, Math.min(count, DETAIL_CHARS_MAX - text.length()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
