package dev.fairlane.journal.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The PostgreSQL processes of one data folder, found by what the kernel says of them.
 *
 * <p>Every PostgreSQL process makes its data folder its working folder. That, and its name, is the proof: process ids are
 * reused and ports answer for anybody.
 */
record FolderProcesses(Path data) {

    private static final Path PROC = Path.of("/proc");

    /** The postmaster named in {@code postmaster.pid}, if that process really is one of this folder. */
    OptionalLong postmaster() throws IOException {
        var file = PostmasterFile.read(data);
        return file.isPresent() && owns(file.get().pid())
                ? OptionalLong.of(file.get().pid())
                : OptionalLong.empty();
    }

    /** Whether this process is alive and a PostgreSQL of this folder. */
    boolean owns(long pid) {
        Path process = PROC.resolve(Long.toString(pid));
        try {
            return running(pid)
                    && Files.readString(process.resolve("comm")).strip().equals("postgres")
                    && Files.isSameFile(process.resolve("cwd"), data);
        } catch (IOException goneOrNotOurs) {
            return false;
        }
    }

    /** A dead child nobody has collected yet still has an entry; it runs nothing and holds nothing. */
    static boolean running(long pid) {
        try {
            String stat = Files.readString(PROC.resolve(Long.toString(pid)).resolve("stat"));
            char state = stat.charAt(stat.lastIndexOf(')') + 2);
            return state != 'Z' && state != 'X';
        } catch (IOException gone) {
            return false;
        }
    }

    /** Whether the number is taken by anything, dead or alive. */
    static boolean known(long pid) {
        return Files.exists(PROC.resolve(Long.toString(pid)));
    }

    /**
     * Kills everything of this folder and waits until it is gone. Only for a folder whose postmaster is dead or must die
     * anyway: recovery follows.
     */
    void killAll(Duration limit) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        for (List<Long> left = all(); !left.isEmpty(); left = all()) {
            left.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
            if (System.nanoTime() > deadline) {
                throw new IOException("processes " + left + " of " + data + " do not end, not even killed");
            }
            Thread.sleep(Duration.ofMillis(5));
        }
    }

    /** Waits for those that are ending by themselves. */
    void awaitNone(Duration limit) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!all().isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(Duration.ofMillis(5));
        }
    }

    List<Long> all() throws IOException {
        try (Stream<Path> processes = Files.list(PROC)) {
            return processes
                    .map(path -> path.getFileName().toString())
                    .filter(name -> name.chars().allMatch(Character::isDigit))
                    .map(Long::valueOf)
                    .filter(this::owns)
                    .toList();
        }
    }
}
