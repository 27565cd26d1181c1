package dev.fairlane.journal.postgres.embedded;

import dev.fairlane.journal.postgres.embedded.testing.TestPostgres;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server of its own process that a test can kill: it starts the embedded PostgreSQL, says so, and waits. */
final class ServerProcess implements AutoCloseable {

    /** What the server found when it was ready. */
    record Ready(int port, long pid, boolean adopted) {}

    private final Process process;
    private final BufferedReader output;

    private ServerProcess(Process process) {
        this.process = process;
        this.output = process.inputReader();
    }

    static ServerProcess start(Path home, Path binaries) throws IOException {
        return start(List.of(), System.getProperty("java.class.path"), home, binaries);
    }

    /** Behind a prefix that changes the user, and with a class path that user can read. */
    static ServerProcess start(List<String> prefix, String classPath, Path home, Path binaries) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                ServerProcess.class.getName(),
                home.toString(),
                binaries.toString()));
        return new ServerProcess(new ProcessBuilder(command)
                .directory(new File("/"))
                .redirectErrorStream(true)
                .start());
    }

    Ready awaitReady() throws IOException {
        StringBuilder said = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            said.append(line).append('\n');
            if (line.startsWith("READY ")) {
                String[] words = line.split(" ");
                return new Ready(Integer.parseInt(words[1]), Long.parseLong(words[2]), Boolean.parseBoolean(words[3]));
            }
        }
        throw new AssertionError("the server process ended without being ready: " + said);
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Ends its input, on which it stops by itself. */
    int stop() throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError("the server process does not stop");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    public static void main(String[] args) throws IOException {
        EmbeddedPostgresConfig config = TestPostgres.config(Path.of(args[0])).withBinaries(Path.of(args[1]));
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(config)) {
            System.out.println("READY " + postgres.port() + " " + postgres.pid() + " " + postgres.adopted());
            System.in.transferTo(System.out);
        }
    }
}
