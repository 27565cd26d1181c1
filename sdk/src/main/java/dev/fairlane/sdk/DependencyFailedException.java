package dev.fairlane.sdk;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler: something it depends on failed (a 5xx, a timeout), named so that failures of one dependency can be told
 * from failures of the handler. Retried like any other error.
 */
public class DependencyFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String dependency;

    public DependencyFailedException(String dependency, String message) {
        this(dependency, message, null);
    }

    public DependencyFailedException(String dependency, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.dependency = dependency;
    }

    /** Its name, e.g. {@code smtp}. */
    public String dependency() {
        return dependency;
    }
}
