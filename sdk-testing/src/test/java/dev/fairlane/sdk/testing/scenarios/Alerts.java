package dev.fairlane.sdk.testing.scenarios;

import dev.fairlane.sdk.testing.TestFairlane;
import java.time.Duration;

/** What the server told people. */
final class Alerts {
    /** The picture that the server gives of itself is taken twice a second. */
    private static final Duration PICTURE = Duration.ofSeconds(1);

    private Alerts() {}

    /** How often the server gave this notice. */
    static long told(TestFairlane test, String kind) {
        test.clock().advance(PICTURE);
        return test.client().status().notices().getOrDefault(kind, 0L);
    }
}
