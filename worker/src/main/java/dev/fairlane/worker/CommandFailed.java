package dev.fairlane.worker;

import dev.fairlane.sdk.FailureDetail;
import dev.fairlane.sdk.NonRetryableException;
import dev.fairlane.sdk.RetryAfterException;
import java.time.Duration;

/** A command that did not exit with 0. What it wrote to stderr says more than a stack trace of ours. */
final class CommandFailed extends RuntimeException implements FailureDetail {
    private static final long serialVersionUID = 1L;

    /** From sysexits.h. */
    static final int EX_DATAERR = 65;

    static final int EX_TEMPFAIL = 75;
    static final int EX_CONFIG = 78;

    static final Duration COME_BACK_AFTER = Duration.ofSeconds(10);

    private final String stderr;

    private CommandFailed(String message, String stderr) {
        super(message, null, false, false);
        this.stderr = stderr;
    }

    static RuntimeException of(int exit, String stderr) {
        String message = message(exit, stderr);
        return switch (exit) {
            case EX_TEMPFAIL -> new ComeBack(message, stderr);
            case EX_DATAERR, EX_CONFIG -> new Hopeless(message, stderr);
            default -> new CommandFailed(message, stderr);
        };
    }

    @Override
    public String failureDetail() {
        return stderr;
    }

    private static String message(int exit, String stderr) {
        String how = exit > 128 ? "ended by signal " + (exit - 128) : "exit " + exit;
        String lines = stderr.strip();
        String last = lines.substring(lines.lastIndexOf('\n') + 1).strip();
        return last.isEmpty() ? how : how + ": " + last;
    }

    private static final class ComeBack extends RetryAfterException implements FailureDetail {
        private static final long serialVersionUID = 1L;
        private final String stderr;

        ComeBack(String message, String stderr) {
            super(COME_BACK_AFTER, message);
            this.stderr = stderr;
        }

        @Override
        public String failureDetail() {
            return stderr;
        }
    }

    private static final class Hopeless extends NonRetryableException implements FailureDetail {
        private static final long serialVersionUID = 1L;
        private final String stderr;

        Hopeless(String message, String stderr) {
            super(message);
            this.stderr = stderr;
        }

        @Override
        public String failureDetail() {
            return stderr;
        }
    }
}
