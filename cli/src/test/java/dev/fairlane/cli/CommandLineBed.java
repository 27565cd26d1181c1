package dev.fairlane.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A command line in front of a server that answers as it was told. */
abstract class CommandLineBed {
    final FakeRest server = new FakeRest();
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path home;

    @AfterEach
    void close() {
        server.close();
    }

    int run(String... arguments) {
        return type("", arguments);
    }

    /** @param input what comes on standard input */
    int type(String input, String... arguments) {
        out.reset();
        err.reset();
        return Main.run(
                new Session(
                        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(out, false, StandardCharsets.UTF_8),
                        new PrintStream(err, false, StandardCharsets.UTF_8),
                        Map.of("FAIRLANE_KEY", "k1", "FAIRLANE_URL", server.url()),
                        home,
                        false,
                        false),
                arguments);
    }
}
