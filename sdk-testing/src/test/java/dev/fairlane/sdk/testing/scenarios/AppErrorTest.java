package dev.fairlane.sdk.testing.scenarios;

import dev.fairlane.sdk.testing.TestFairlane;

class AppErrorTest extends AppErrorScenarios {
    AppErrorTest() {
        super(TestFairlane.start());
    }
}
