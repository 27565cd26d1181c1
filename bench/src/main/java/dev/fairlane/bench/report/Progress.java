package dev.fairlane.bench.report;

import java.time.Duration;

/** What people see while they wait, on standard error. */
public final class Progress {
    private Progress() {}

    public static void say(String format, Object... arguments) {
        System.err.println("bench: " + String.format(format, arguments));
    }

    public static void pause(Duration time) throws InterruptedException {
        Thread.sleep(time);
    }
}
