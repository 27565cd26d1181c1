package dev.fairlane.journal.postgres.embedded;

import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresConfig.RootMode;
import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * As whom PostgreSQL runs, as a prefix of its command lines.
 *
 * <p>Anybody but root runs it directly. Root cannot, because PostgreSQL refuses; there are two ways out:
 *
 * <ul>
 *   <li>A <b>user namespace</b> ({@code unshare -U}): inside it root is nobody, while for the files nothing changes; they
 *       stay root's. Preferred: it needs no second user and no change of owners. No mapping is written, since mapping
 *       root asks for a capability containers often lack.
 *   <li>A <b>switch</b> to an unprivileged user ({@code setpriv}), who then owns the data folder. Containers commonly
 *       forbid namespaces, and this is for them. If that user cannot reach the folder (below a closed home, say), it gets
 *       the one capability that lets it.
 * </ul>
 *
 * <p>The owner of an existing data folder decides, so that data made in one way can be opened by the same user later even
 * where the other way would be preferred today. Every prefix replaces itself by the program it starts: the process keeps
 * its id.
 *
 * @param prefix of every command line
 * @param uid owner of the data folder
 * @param gid group of the data folder
 */
record RunAs(List<String> prefix, int uid, int gid) {

    private record User(String name, int uid, int gid) {}

    private static final Duration PROBE = Duration.ofSeconds(10);

    /** The ways through closed folders, weakest first. */
    private static final List<String> CAPABILITIES = List.of("", "dac_read_search", "dac_override");

    static RunAs choose(EmbeddedPostgresConfig config, Path data, PostgresBinaries binaries)
            throws IOException, InterruptedException {
        Identity me = Identity.ofThisProcess();
        if (!me.root()) {
            return new RunAs(List.of(), me.uid(), me.gid());
        }
        int owner = Files.exists(data) ? Folders.uid(data) : 0;
        if (owner != 0) {
            return switched(new User("owner of the data folder", owner, Folders.gid(data)), config.home(), binaries);
        }
        if (config.rootMode() != RootMode.SWITCH_USER) {
            RunAs inside = new RunAs(List.of("unshare", "-U"), 0, 0);
            if (inside.works(config.home(), binaries)) {
                return inside;
            }
        }
        if (config.rootMode() == RootMode.USER_NAMESPACE) {
            throw new EmbeddedPostgresException(
                    Reason.ROOT,
                    "PostgreSQL refuses root, and this system allows root no user namespace (unshare -U).");
        }
        return switched(unprivileged(), config.home(), binaries);
    }

    List<String> command(List<String> command) {
        List<String> all = new ArrayList<>(prefix);
        all.addAll(command);
        return all;
    }

    private static RunAs switched(User user, Path home, PostgresBinaries binaries)
            throws IOException, InterruptedException {
        // Nothing inside is readable by others, so letting them pass through costs nothing.
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx--x--x"));
        for (String capability : CAPABILITIES) {
            List<String> prefix =
                    new ArrayList<>(List.of("setpriv", "--reuid=" + user.uid, "--regid=" + user.gid, "--clear-groups"));
            if (!capability.isEmpty()) {
                prefix.add("--inh-caps=+" + capability);
                prefix.add("--ambient-caps=+" + capability);
            }
            RunAs runAs = new RunAs(List.copyOf(prefix), user.uid, user.gid);
            if (runAs.works(home, binaries)) {
                return runAs;
            }
        }
        throw new EmbeddedPostgresException(
                Reason.ROOT,
                "PostgreSQL refuses root, and running it as " + user.name + " (user id " + user.uid
                        + ") through setpriv failed. Start Fairlane as an ordinary user, or give it --db URL.");
    }

    /** Whether a program started this way is not root, may enter the home and may run the binaries. */
    private boolean works(Path home, PostgresBinaries binaries) throws InterruptedException {
        return Commands.run(
                        command(List.of(
                                "sh",
                                "-c",
                                "test \"$(id -u)\" != 0 && cd \"$0\" && exec \"$1\" --version",
                                home.toString(),
                                binaries.postgres().toString())),
                        PROBE)
                .ok();
    }

    /** PostgreSQL's own user if there is one, else nobody; initdb wants a user with a name. */
    private static User unprivileged() throws IOException {
        Path passwd = Path.of("/etc/passwd");
        List<String> lines = Files.exists(passwd) ? Files.readAllLines(passwd) : List.of();
        return user(lines, "postgres")
                .or(() -> user(lines, "nobody"))
                .orElseThrow(() -> new EmbeddedPostgresException(
                        Reason.ROOT,
                        "PostgreSQL refuses root, and /etc/passwd names neither postgres nor nobody to run it as."));
    }

    private static Optional<User> user(List<String> passwd, String name) {
        return passwd.stream()
                .map(line -> line.split(":"))
                .filter(fields -> fields.length > 3 && fields[0].equals(name))
                .map(fields -> new User(name, Integer.parseInt(fields[2]), Integer.parseInt(fields[3])))
                .findFirst();
    }
}
