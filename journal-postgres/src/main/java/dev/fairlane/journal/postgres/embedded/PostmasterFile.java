package dev.fairlane.journal.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What {@code postmaster.pid} says: process id, folder, start, port, socket folder, address, shared memory, status, one
 * a line. It is written piecemeal, so late lines may be missing.
 */
record PostmasterFile(long pid, int port, String status) {

    static final String NAME = "postmaster.pid";

    /** Empty when there is none, or nothing sensible in it. */
    static Optional<PostmasterFile> read(Path data) throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(data.resolve(NAME));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        try {
            // A negative number is a single-user backend; it counts the same.
            long pid = Math.abs(Long.parseLong(line(lines, 0)));
            int port = lines.size() > 3 ? Integer.parseInt(line(lines, 3)) : 0;
            return Optional.of(new PostmasterFile(pid, port, line(lines, 7)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    boolean ready() {
        return status.equals("ready");
    }

    private static String line(List<String> lines, int index) {
        return index < lines.size() ? lines.get(index).strip() : "";
    }
}
