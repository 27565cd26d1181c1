package dev.fairlane.bench.run;

import java.time.Duration;

/** What people see while they wait, on standard error. */
final class Progress {
    private Progress() {}

    static void say(String format, Object... arguments) {
        System.err.println("bench: " + String.format(format, arguments));
    }

    static void pause(Duration time) throws InterruptedException {
        Thread.sleep(time);
    }
}
