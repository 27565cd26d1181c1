package dev.fairlane.e2e.check;

import java.util.Set;

/** The states a job can end in, in the words of the API. */
final class States {
    static final String SUCCEEDED = "SUCCEEDED";
    static final String CANCELLED = "CANCELLED";

    private static final Set<String> ENDS = Set.of(SUCCEEDED, "DEAD", CANCELLED, "EXPIRED");

    private States() {}

    static boolean isEnd(String state) {
        return ENDS.contains(state);
    }
}
