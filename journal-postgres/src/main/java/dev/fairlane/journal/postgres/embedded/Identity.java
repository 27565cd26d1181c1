package dev.fairlane.journal.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A user and a group by their numbers. */
record Identity(int uid, int gid) {

    /** The effective ones, as the kernel sees them; the owner of {@code /proc/self} can be another. */
    static Identity ofThisProcess() throws IOException {
        List<String> status = Files.readAllLines(Path.of("/proc/self/status"));
        return new Identity(effective(status, "Uid:"), effective(status, "Gid:"));
    }

    boolean root() {
        return uid == 0;
    }

    private static int effective(List<String> status, String name) throws IOException {
        return status.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> Integer.parseInt(line.split("\\s+", -1)[2]))
                .findFirst()
                .orElseThrow(() -> new IOException("/proc/self/status has no " + name));
    }
}
