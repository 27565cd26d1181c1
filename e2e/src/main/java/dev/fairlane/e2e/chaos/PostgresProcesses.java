package dev.fairlane.e2e.chaos;

import dev.fairlane.bench.rig.Rig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;

/** The embedded PostgreSQL as the kernel sees it. */
final class PostgresProcesses {
    /** Backends that serve a connection say in their title whose. */
    private static final Pattern BACKEND_TITLE =
            Pattern.compile("postgres: .* 127\\.0\\.0\\.1\\(\\d+\\).*", Pattern.DOTALL);

    private PostgresProcesses() {}

    /** The process all others descend from. */
    static Optional<ProcessHandle> postmaster(Rig rig) {
        List<Long> pids = rig.postgresPids();
        Set<Long> all = new HashSet<>(pids);
        return pids.stream()
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .filter(process -> process.parent()
                        .map(parent -> !all.contains(parent.pid()))
                        .orElse(true))
                .findFirst();
    }

    static Optional<ProcessHandle> anyBackend(Rig rig, Random random) {
        List<ProcessHandle> backends = rig.postgresPids().stream()
                .filter(pid -> BACKEND_TITLE.matcher(title(pid)).matches())
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .toList();
        return backends.isEmpty() ? Optional.empty() : Optional.of(backends.get(random.nextInt(backends.size())));
    }

    private static String title(long pid) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
