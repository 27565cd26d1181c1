package dev.fairlane.journal.postgres.embedded;

import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresException.Reason;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.XZInputStream;

/**
 * The unpacked programs of one PostgreSQL version.
 *
 * <p>Unpacked in Java, not by {@code tar}: a bare machine often has no {@code xz}. Unpacking goes to a folder of another
 * name that is renamed when it is complete and on disk, so several servers may share one binaries folder and race.
 */
record PostgresBinaries(Path folder, String version) {

    private static final String UNFINISHED = ".unpacking-";

    /** Only what runs a server: no static libraries and no build files. */
    private static boolean needed(String name) {
        return !name.endsWith(".a") && !name.contains("/pkgconfig/") && !name.contains("/pgxs/");
    }

    static PostgresBinaries unpacked(Path parent) throws IOException, InterruptedException {
        String archive = archiveName(System.getProperty("os.name"), System.getProperty("os.arch"));
        String version = bundledVersion();
        PostgresBinaries binaries = new PostgresBinaries(parent.resolve(version), version);
        if (Files.exists(binaries.postgres())) {
            return binaries;
        }
        try (InputStream packed = PostgresBinaries.class.getResourceAsStream("/" + archive)) {
            if (packed == null) {
                throw new EmbeddedPostgresException(
                        Reason.PLATFORM,
                        "Expected the PostgreSQL binaries " + archive
                                + " on the class path, but they are not there. Build "
                                + "Fairlane on this kind of machine, or give it a PostgreSQL of your own with --db URL.");
            }
            Files.createDirectories(parent);
            Folders.inheritOwner(parent);
            removeAbandoned(parent);
            Path fresh = Files.createTempDirectory(
                    parent, UNFINISHED + ProcessHandle.current().pid() + "-");
            try {
                unpack(packed, fresh);
                Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
                new PostgresBinaries(fresh, version).requireRunning();
                Folders.inheritOwner(fresh);
                publish(fresh, binaries.folder);
            } finally {
                Folders.delete(fresh);
            }
        }
        return binaries;
    }

    /** The archive inside the binaries artifact of one platform. */
    static String archiveName(String os, String arch) {
        String processor = switch (arch.toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "arm_64";
            default -> "";
        };
        if (!os.toLowerCase(Locale.ROOT).equals("linux") || processor.isEmpty()) {
            throw new EmbeddedPostgresException(
                    Reason.PLATFORM,
                    "The embedded PostgreSQL runs on Linux (x86-64, ARM64), and this is " + os + " on " + arch
                            + ". Give Fairlane a PostgreSQL of your own with --db URL.");
        }
        return "postgres-linux-" + processor + ".txz";
    }

    Path postgres() {
        return folder.resolve("bin/postgres");
    }

    Path initdb() {
        return folder.resolve("bin/initdb");
    }

    Path pgCtl() {
        return folder.resolve("bin/pg_ctl");
    }

    /** The part of the version that data folders are bound to. */
    int major() {
        return Integer.parseInt(version.substring(0, version.indexOf('.')));
    }

    /** Whether the program was built with a WAL compression method; costs a few milliseconds. */
    boolean compressesWalWith(String method, RunAs runAs) throws InterruptedException {
        return Commands.run(
                        runAs.command(List.of(
                                postgres().toString(),
                                "-C",
                                "wal_compression",
                                "-c",
                                "wal_compression=" + method,
                                "-c",
                                "config_file=/dev/null",
                                "-D",
                                folder.toString())),
                        Duration.ofSeconds(10))
                .ok();
    }

    private void requireRunning() throws InterruptedException {
        Commands.Outcome outcome = Commands.run(List.of(postgres().toString(), "--version"), Duration.ofSeconds(30));
        if (!outcome.ok() || !outcome.output().contains(" " + major() + ".")) {
            throw new EmbeddedPostgresException(
                    Reason.PLATFORM,
                    "Expected the bundled PostgreSQL " + version + " to run here, but it answered: "
                            + outcome.output().strip()
                            + ". It needs a Linux with glibc and libstdc++, and a folder that is not mounted noexec.");
        }
    }

    private static void unpack(InputStream packed, Path target) throws IOException {
        try (var tar = new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(packed, 1 << 16)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                if (needed(entry.getName())) {
                    unpack(tar, entry, target);
                }
            }
        }
        Folders.force(target);
    }

    private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path target) throws IOException {
        Path path = target.resolve(entry.getName()).normalize();
        if (!path.startsWith(target)) {
            throw new IOException("archive entry outside of its folder: " + entry.getName());
        }
        if (entry.isDirectory()) {
            Files.createDirectories(path);
            return;
        }
        Files.createDirectories(Folders.parent(path));
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
            return;
        }
        Files.copy(tar, path);
        boolean executable = (entry.getMode() & 0100) != 0;
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
    }

    /** Whoever renames first wins; the folders are equal. */
    private static void publish(Path fresh, Path folder) throws IOException {
        try {
            Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
            Folders.forceEntry(Folders.parent(folder));
        } catch (FileSystemException e) {
            if (!Files.exists(folder.resolve("bin/postgres"))) {
                throw e;
            }
        }
    }

    private static void removeAbandoned(Path parent) throws IOException {
        List<Path> unfinished;
        try (Stream<Path> entries = Files.list(parent)) {
            unfinished = entries.filter(p -> p.getFileName().toString().startsWith(UNFINISHED))
                    .toList();
        }
        for (Path folder : unfinished) {
            String owner = folder.getFileName()
                    .toString()
                    .substring(UNFINISHED.length())
                    .split("-", 2)[0];
            if (ProcessHandle.of(Long.parseLong(owner)).isEmpty()) {
                Folders.delete(folder);
            }
        }
    }

    private static String bundledVersion() throws IOException {
        Properties properties = new Properties();
        try (InputStream in = PostgresBinaries.class.getResourceAsStream("bundled.properties")) {
            if (in != null) {
                properties.load(in);
            }
        }
        @Nullable String version = properties.getProperty("version");
        if (version == null) {
            throw new IOException("bundled.properties names no version of PostgreSQL");
        }
        return version;
    }
}
