package dev.fairlane.bench.rig;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a JVM cannot do without: its heap after full collections, asked for from outside. How much memory it has besides, free for the next
 * collection, is a matter of its options.
 */
public final class LiveHeap {
    private static final Pattern USED = Pattern.compile("used (\\d+)K");
    private static final long PATIENCE_SECONDS = 120;

    private LiveHeap() {}

    public static long bytes(long pid) {
        // The second one collects what the first has only found to be unreachable.
        jcmd(pid, "GC.run");
        jcmd(pid, "GC.run");
        return parseUsed(jcmd(pid, "GC.heap_info"));
    }

    static long parseUsed(String heapInfo) {
        Matcher matcher = USED.matcher(heapInfo);
        if (!matcher.find()) {
            throw new RigException("expected 'used …K' in what jcmd says of the heap, but got: " + heapInfo);
        }
        return Long.parseLong(matcher.group(1)) << 10;
    }

    private static String jcmd(long pid, String command) {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        try {
            Process process = new ProcessBuilder(List.of(jcmd, Long.toString(pid), command))
                    .redirectErrorStream(true)
                    .start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new RigException("jcmd " + command + " of process " + pid + " failed: " + text);
            }
            return text;
        } catch (IOException e) {
            throw new RigException("cannot start jcmd: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RigException("interrupted while asking process " + pid, e);
        }
    }
}
