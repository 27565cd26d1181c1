package dev.fairlane.cli;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where a command runs: its streams, its environment, and whether a person is watching.
 *
 * @param outTerminal whether stdout is a terminal
 * @param errTerminal whether stderr is a terminal
 */
record Session(
        InputStream in,
        PrintStream out,
        PrintStream err,
        Map<String, String> environment,
        Path userHome,
        boolean outTerminal,
        boolean errTerminal) {

    static Session ofProcess() {
        return new Session(
                System.in,
                new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8),
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                System.getenv(),
                Path.of(System.getProperty("user.home", ".")),
                isTerminal(1),
                isTerminal(2));
    }

    /** Whether colours may be used on stdout. */
    boolean colour() {
        return outTerminal
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
    }

    /** The JDK can only tell about stdin and stdout together, and loads much for it; Linux says it for each. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isTerminal(int descriptor) {
        Path link = Path.of("/proc/self/fd", String.valueOf(descriptor));
        if (!Files.isSymbolicLink(link)) {
            Console console = System.console();
            return console != null && console.isTerminal();
        }
        try {
            String target = Files.readSymbolicLink(link).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }
}
