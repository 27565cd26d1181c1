package dev.fairlane.patience;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * What holds for every test of a module that has this one on its class path, started by the build or by an editor.
 *
 * <p>{@code await()} waits for a minute instead of ten seconds: a test that passes takes no longer, and one that fails has failed for a reason other
 * than a busy machine. The JDK's HTTP client may be told to close a connection after its answer, which it reads when its first class is loaded.
 */
public final class PatientTests implements LauncherSessionListener {
    private static final Duration WITHIN = Duration.ofSeconds(60);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(WITHIN);
        System.setProperty("jdk.httpclient.allowRestrictedHeaders", "connection");
    }
}
