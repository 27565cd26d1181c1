package dev.fairlane.journal.postgres.embedded;

import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresException.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The PostgreSQL cluster inside a home: made once, checked at every start, its settings rewritten. */
record DataFolder(Path home) {

    static final String SUPERUSER = "fairlane";

    private static final String SETTINGS = "fairlane.conf";
    private static final String UNFINISHED = "initialising-";
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private static final String OPERATORS_SETTINGS = """
            # Fairlane computes settings for this machine and rewrites fairlane.conf at every start.
            include 'fairlane.conf'
            # Settings of your own go below this line: they win, and they stay.
            """;

    Path path() {
        return home.resolve("data");
    }

    boolean exists() {
        return Files.exists(path().resolve("PG_VERSION"));
    }

    /** Refuses what this PostgreSQL cannot open, with advice; says nothing about an absent folder. */
    void requireUsable(int major) throws IOException {
        if (!Files.exists(path())) {
            return;
        }
        requireOwner(Identity.ofThisProcess());
        if (!exists()) {
            if (Folders.empty(path())) {
                Files.delete(path());
                return;
            }
            throw new EmbeddedPostgresException(
                    Reason.FOLDER,
                    "Expected PostgreSQL data in " + path() + ", but there is something else. Move it away, or give "
                            + "Fairlane another data folder.");
        }
        String found = Files.readString(path().resolve("PG_VERSION")).strip();
        if (!found.equals(Integer.toString(major))) {
            throw new EmbeddedPostgresException(
                    Reason.OTHER_VERSION,
                    "The data in " + path() + " were written by PostgreSQL " + found + ", and this Fairlane brings "
                            + "PostgreSQL " + major
                            + ", which cannot open them. Nothing was changed. Start the Fairlane "
                            + "release that wrote them, copy the database out (pg_dump " + found
                            + ") and load it into a new "
                            + "folder, or run pg_upgrade of a full PostgreSQL " + major
                            + " on a copy, or keep the data on a "
                            + "PostgreSQL of your own with --db URL.");
        }
    }

    private void requireOwner(Identity me) throws IOException {
        int owner = Folders.uid(path());
        if (!me.root() && owner != me.uid()) {
            throw new EmbeddedPostgresException(
                    Reason.FOLDER,
                    "The data folder " + path() + " belongs to user id " + owner + ", but this server runs as user id "
                            + me.uid() + ". Start it as that user, or give the folder to this one (chown -R).");
        }
    }

    /** The stored password; a new one if there is none. It is stored before anything depends on it. */
    String password() throws IOException {
        Path file = home.resolve("password");
        if (Files.exists(file)) {
            return Files.readString(file).strip();
        }
        byte[] random = new byte[24];
        new SecureRandom().nextBytes(random);
        String password = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        Folders.write(file, password + "\n");
        return password;
    }

    boolean passwordLost() {
        return exists() && !Files.exists(home.resolve("password"));
    }

    /** The builtin locale sorts and compares alike on every machine and needs none to be installed. */
    void initialise(PostgresBinaries binaries, RunAs runAs, String password) throws IOException, InterruptedException {
        removeUnfinished();
        Path fresh = Files.createTempDirectory(home, UNFINISHED);
        try {
            Path data = fresh.resolve("data");
            Path passwordFile = fresh.resolve("password");
            Folders.write(passwordFile, password + "\n");
            if (Folders.uid(fresh) != runAs.uid()) {
                Folders.give(fresh, runAs.uid(), runAs.gid());
            }
            run(
                    runAs,
                    "",
                    binaries.initdb().toString(),
                    "--pgdata=" + data,
                    "--username=" + SUPERUSER,
                    "--auth=scram-sha-256",
                    "--pwfile=" + passwordFile,
                    "--encoding=UTF8",
                    "--locale=C",
                    "--locale-provider=builtin",
                    "--builtin-locale=C.UTF-8",
                    "--data-checksums",
                    "--no-instructions");
            writeFor(runAs, data.resolve("postgresql.conf"), OPERATORS_SETTINGS);
            Files.move(data, path(), StandardCopyOption.ATOMIC_MOVE);
            Folders.forceEntry(home);
        } finally {
            Folders.delete(fresh);
        }
    }

    /** Makes the stored password the superuser's again, without any server running. */
    void resetPassword(PostgresBinaries binaries, RunAs runAs, String password)
            throws IOException, InterruptedException {
        run(
                runAs,
                "ALTER ROLE " + SUPERUSER + " PASSWORD '" + password + "';\n",
                binaries.postgres().toString(),
                "--single",
                "-D",
                path().toString(),
                "postgres");
    }

    /** Data that root made under the other way of leaving root change hands; PostgreSQL insists on its owner. */
    void giveTo(RunAs runAs) throws IOException {
        if (exists() && Folders.uid(path()) != runAs.uid()) {
            Folders.give(path(), runAs.uid(), runAs.gid());
        }
    }

    boolean hasSettings(Map<String, String> settings) throws IOException {
        Path file = path().resolve(SETTINGS);
        return Files.exists(file) && Files.readString(file).equals(text(settings));
    }

    void writeSettings(Map<String, String> settings, RunAs runAs) throws IOException {
        writeFor(runAs, path().resolve(SETTINGS), text(settings));
    }

    /** The last lines PostgreSQL wrote, wherever it wrote them, for the message of a failed start. */
    String lastWords(long sinceMillis) throws IOException {
        StringBuilder words = new StringBuilder(tail(home.resolve("start.log")));
        Path logs = path().resolve("log");
        if (Files.isDirectory(logs)) {
            List<Path> files;
            try (Stream<Path> entries = Files.list(logs)) {
                files = entries.toList();
            }
            for (Path file : files) {
                if (Files.getLastModifiedTime(file).toMillis() >= sinceMillis) {
                    words.append(tail(file));
                }
            }
        }
        return words.toString().strip();
    }

    private static String tail(Path file) throws IOException {
        if (!Files.exists(file)) {
            return "";
        }
        byte[] bytes;
        try (var in = Files.newInputStream(file)) {
            in.skipNBytes(Math.max(0, Files.size(file) - 2_000));
            bytes = in.readNBytes(2_000);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private void removeUnfinished() throws IOException {
        List<Path> unfinished;
        try (Stream<Path> entries = Files.list(home)) {
            unfinished = entries.filter(p -> p.getFileName().toString().startsWith(UNFINISHED))
                    .toList();
        }
        for (Path folder : unfinished) {
            Folders.delete(folder);
        }
    }

    private static void writeFor(RunAs runAs, Path file, String text) throws IOException {
        Folders.write(file, text);
        if (Folders.uid(file) != runAs.uid()) {
            Folders.give(file, runAs.uid(), runAs.gid());
        }
    }

    private static String text(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(e -> e.getKey() + " = '" + e.getValue().replace("'", "''") + "'\n")
                .collect(Collectors.joining("", "# Written by Fairlane at every start.\n", ""));
    }

    private static void run(RunAs runAs, String input, String... command) throws InterruptedException {
        Commands.Outcome outcome = Commands.run(runAs.command(List.of(command)), input, LIMIT);
        if (!outcome.ok()) {
            throw new EmbeddedPostgresException(
                    Reason.START,
                    "Expected " + command[0] + " to succeed, but it ended with " + outcome.exit() + ": "
                            + outcome.output().strip());
        }
    }
}
