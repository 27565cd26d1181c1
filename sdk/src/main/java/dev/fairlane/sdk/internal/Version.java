package dev.fairlane.sdk.internal;

/** The version this SDK reports of itself. */
public final class Version {
    public static final String CURRENT = read();

    private Version() {}

    private static String read() {
        String implementation = Version.class.getPackage().getImplementationVersion();
        return implementation != null ? implementation : "dev";
    }
}
