package dev.fairlane.bench.peers;

import dev.fairlane.bench.rig.RigException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** Gets the peers from Maven's and npm's registries, whichever this machine has set, and builds the programs around them. */
final class Fetching {
    private static final JsonMapper JSON = new JsonMapper();
    private static final long PATIENCE_MINUTES = 10;
    private static final List<String> JVM =
            List.of("-XX:+UseSerialGC", "-Xms256m", "-Xmx1g", "-Xmn400m", "-XX:+UseCompactObjectHeaders");

    private final Path sources;
    private final Path built;

    Fetching(Path root) {
        this.sources = root.resolve("bench/peers");
        this.built = root.resolve("bench/target/peers");
    }

    /** Compiles the Java peers and gathers their libraries. */
    void fetchJava() {
        run(
                sources.resolve("java"),
                List.of("mvn", "--batch-mode", "--quiet", "compile", "dependency:copy-dependencies"));
    }

    void fetchNode() {
        Path folder = built.resolve("node");
        try (Stream<Path> files = Files.list(sources.resolve("node"))) {
            Files.createDirectories(folder);
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, folder.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new RigException("cannot copy the programs of the Node peers: " + e.getMessage(), e);
        }
        run(folder, List.of("npm", "ci", "--no-audit", "--no-fund", "--loglevel", "error"));
    }

    /** Of what was fetched, not of what was asked for. */
    String version(Peer peer) {
        try {
            if (!peer.java()) {
                Path description = built.resolve("node/node_modules/" + peer.name() + "/package.json");
                return JSON.readTree(Files.readString(description))
                        .path("version")
                        .asString("unknown");
            }
            try (Stream<Path> jars = Files.list(built.resolve("java/lib"))) {
                Pattern jar = Pattern.compile(Pattern.quote(peer.name()) + "-(\\d.*)\\.jar");
                return jars.map(file -> jar.matcher(file.getFileName().toString()))
                        .filter(Matcher::matches)
                        .map(found -> found.group(1))
                        .findFirst()
                        .orElse("unknown");
            }
        } catch (IOException e) {
            throw new RigException("cannot see which " + peer.name() + " was fetched: " + e.getMessage(), e);
        }
    }

    /** How a client or worker of the peer is started. */
    List<String> command(Peer peer, Access access, Path tally) {
        List<String> command = new ArrayList<>();
        if (peer.java()) {
            Path folder = built.resolve("java");
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(JVM);
            command.addAll(List.of(
                    "-cp",
                    folder.resolve("classes") + File.pathSeparator + folder.resolve("lib") + "/*",
                    "dev.fairlane.peers.PeerMain",
                    peer.name(),
                    access.jdbcUrl(),
                    access.user(),
                    access.password(),
                    tally.toString()));
        } else {
            command.addAll(List.of(
                    "node", built.resolve("node/peer.mjs").toString(), peer.name(), access.uri(), tally.toString()));
        }
        return command;
    }

    /** A database of the peers' PostgreSQL. */
    record Access(int port, String user, String password, String database) {
        String jdbcUrl() {
            return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?sslmode=disable&gssEncMode=disable";
        }

        String uri() {
            return "postgres://" + user + ":" + password + "@127.0.0.1:" + port + "/" + database + "?sslmode=disable";
        }
    }

    private static void run(Path folder, List<String> command) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(new File("/dev/stderr")));
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            Process process = builder.start();
            try {
                if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
                    throw new RigException("'" + String.join(" ", command) + "' failed in " + folder);
                }
            } finally {
                process.destroy();
            }
        } catch (IOException e) {
            throw new RigException(
                    "cannot run " + command.getFirst() + ", which fetches the peers: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RigException("interrupted while fetching peers", e);
        }
    }
}
