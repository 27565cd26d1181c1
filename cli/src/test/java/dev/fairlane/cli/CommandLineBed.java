package dev.fairlane.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A command line in front of a server that answers as it was told. */
abstract class CommandLineBed {
    final FakeRest server = new FakeRest();
    final Map<String, String> environment = new HashMap<>(Map.of("FAIRLANE_KEY", "k1", "FAIRLANE_URL", server.url()));
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** What comes on standard input. */
    String stdin = "";

    /** Whether people look at what is printed. */
    boolean terminal;

    @TempDir
    Path home;

    @AfterEach
    void close() {
        server.close();
    }

    int run(String... arguments) {
        out.reset();
        err.reset();
        return Main.run(
                new Session(
                        new ByteArrayInputStream(stdin.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(out, false, StandardCharsets.UTF_8),
                        new PrintStream(err, false, StandardCharsets.UTF_8),
                        environment,
                        home,
                        terminal,
                        false),
                arguments);
    }

    /** What the last command printed. */
    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    /** What it complained of. */
    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    /** What the server was sent last. */
    String body() {
        return server.requests.getLast().body();
    }
}
