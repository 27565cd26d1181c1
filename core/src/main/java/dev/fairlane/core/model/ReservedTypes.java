package dev.fairlane.core.model;

/** Job types that are Fairlane's own. Nobody submits them and no worker from outside runs them. */
public final class ReservedTypes {
    public static final String PREFIX = "fairlane.";

    /** Delivers the news of a job's end to the address in its header {@link #URL_HEADER}. */
    public static final String WEBHOOK = PREFIX + "webhook";

    /** Name of the server's own worker, which runs them. */
    public static final String WORKER = "fairlane-webhooks";

    public static final String URL_HEADER = "fairlane-webhook-url";

    private ReservedTypes() {}

    public static boolean reserved(String type) {
        return type.startsWith(PREFIX);
    }
}
