package dev.fairlane.sdk.testing.scenarios;

import dev.fairlane.sdk.ServerStatus;
import dev.fairlane.sdk.testing.TestFairlane;
import java.time.Duration;
import org.awaitility.Awaitility;

/** What the server told people. */
final class Alerts {
    /** The picture that the server gives of itself is taken twice a second. */
    private static final Duration PICTURE = Duration.ofSeconds(1);

    private Alerts() {}

    /** How often the server gave this notice. */
    static long told(TestFairlane test, String kind) {
        Duration before = test.client().status().uptime();
        test.clock().advance(PICTURE);
        ServerStatus after = Awaitility.await()
                .until(() -> test.client().status(), status -> status.uptime().compareTo(before.plus(PICTURE)) >= 0);
        return after.notices().getOrDefault(kind, 0L);
    }
}
