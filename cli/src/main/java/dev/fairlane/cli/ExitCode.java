package dev.fairlane.cli;

/** What scripts go by. */
final class ExitCode {
    static final int OK = 0;
    static final int FAILED = 1;
    static final int USAGE = 2;
    static final int NOT_FOUND = 3;
    static final int AUTH = 4;
    static final int CONFLICT = 5;
    static final int UNREACHABLE = 6;
    static final int WAIT_TIMED_OUT = 124;

    private ExitCode() {}
}
