package dev.fairlane.cli;

/** A command that cannot go on, with the exit code and what to tell. */
final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;
    private final String code;

    Failed(int exitCode, String code, String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
        this.code = code;
    }

    static Failed usage(String message) {
        return new Failed(ExitCode.USAGE, "", message);
    }

    int exitCode() {
        return exitCode;
    }

    /** The stable code of the server's catalogue; empty when it is not the server's word. */
    String code() {
        return code;
    }
}
