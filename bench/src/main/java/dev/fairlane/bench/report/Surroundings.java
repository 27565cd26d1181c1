package dev.fairlane.bench.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Where and of what a result was made. */
public final class Surroundings {
    /** A load average falls to a third in a minute. */
    private static final Duration QUIET_PATIENCE = Duration.ofMinutes(4);

    private static final Duration LOOK = Duration.ofSeconds(5);

    private Surroundings() {}

    /** Waits for the last benchmark, or a build, to fade from the load average; false if the machine stays busy. */
    public static boolean awaitQuiet() throws InterruptedException {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long end = System.nanoTime() + QUIET_PATIENCE.toNanos();
        boolean said = false;
        while (busy(system.getSystemLoadAverage(), system.getAvailableProcessors())) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            if (!said) {
                Progress.say("load average %.1f: waiting until the machine is quiet", system.getSystemLoadAverage());
                said = true;
            }
            Progress.pause(LOOK);
        }
        return true;
    }

    /** More runs than there are processors for: what is measured now says little. */
    static boolean busy(double load, int cores) {
        return load > cores;
    }

    public static Figures describe(String benchmark, Path root) {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new Figures()
                .put("name", benchmark)
                .put("commit", commit(root))
                .put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())
                .put(
                        "machine",
                        new Figures()
                                .put("cores", (long) system.getAvailableProcessors())
                                .put("ram_mb", system.getTotalMemorySize() >> 20)
                                .put("cpu", cpu())
                                .put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"))
                                // What else ran: a result of a busy machine says little.
                                .put("load_before", system.getSystemLoadAverage()))
                .put("java", Runtime.version().toString());
    }

    /** The commit of the working tree, with {@code +} behind it when there are changes that are not in it. */
    public static String commit(Path root) {
        String commit = git(root, "rev-parse", "--short=10", "HEAD");
        boolean clean =
                git(root, "status", "--porcelain", "--untracked-files=no").isEmpty();
        return commit.isEmpty() ? "unknown" : clean ? commit : commit + "+";
    }

    private static String git(Path root, String... arguments) {
        try {
            List<String> command = new java.util.ArrayList<>(List.of("git", "-C", root.toString()));
            command.addAll(List.of(arguments));
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String text = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0 ? text.strip() : "";
        } catch (IOException noGit) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    private static String cpu() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }
}
