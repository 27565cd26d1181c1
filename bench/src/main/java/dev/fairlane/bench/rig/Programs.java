package dev.fairlane.bench.rig;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How the programs are started. With a built working tree at hand the server is started by the launcher itself, so that what is measured
 * runs with the options users get; without one (tests that run before packaging) from this JVM's own class path.
 *
 * @param root of the working tree
 * @param serverJvm more options for the server's JVM
 */
public record Programs(Path root, List<String> serverJvm) {
    private static final List<String> QUIET =
            List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

    /** @param root null: the tree above the present folder that holds the launcher */
    public static Programs here(List<String> serverJvm) {
        String root = System.getProperty("fairlane.root");
        return new Programs(root == null ? findRoot() : Path.of(root), serverJvm);
    }

    private static Path findRoot() {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.isExecutable(folder.resolve("fairlane")) && Files.exists(folder.resolve("bench/pom.xml"))) {
                return folder;
            }
        }
        throw new RigException("expected to run inside a working tree of Fairlane, but there is no launcher above "
                + Path.of("").toAbsolutePath());
    }

    boolean packaged() {
        return Files.exists(root.resolve("dist/target/fairlane/fairlane-dist.classpath"));
    }

    List<String> server(String command) {
        if (packaged()) {
            return List.of(root.resolve("fairlane").toString(), command);
        }
        List<String> all = new ArrayList<>(
                List.of("-XX:+UseCompactObjectHeaders", "-Dfairlane.home=" + root.resolve("dist/target/fairlane")));
        all.addAll(serverJvm);
        return java(all, "dev.fairlane.dist.Main", List.of(command));
    }

    Map<String, String> environment() {
        return Map.of(
                "FAIRLANE_NO_BUILD",
                "1",
                "FAIRLANE_JAVA_HOME",
                System.getProperty("java.home"),
                "FAIRLANE_JAVA_OPTS",
                String.join(" ", serverJvm));
    }

    /** A program of this module, on this JVM's class path. */
    List<String> java(List<String> jvm, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(QUIET);
        command.addAll(jvm);
        command.addAll(List.of("-cp", absolute(System.getProperty("java.class.path")), mainClass));
        command.addAll(arguments);
        return command;
    }

    private static String absolute(String classPath) {
        List<String> entries = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator)) {
            entries.add(Path.of(entry).toAbsolutePath().toString());
        }
        return String.join(File.pathSeparator, entries);
    }
}
