package dev.fairlane.server.auth;

import dev.fairlane.journal.ApiKeyStore.ApiKey;
import dev.fairlane.server.config.CannotStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The key of whoever runs the server: made at the first start, kept in a file only its owner can read, known to the store by its hash.
 *
 * <p>The file is written before the store hears of the key. A crash in between leaves a file the store does not know, and so does a
 * fresh database behind an old home: both are mended by registering what the file says.
 */
public final class AdminKey {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final String NEW_KEY_HINT = "make a new one with: fairlane up --new-admin-key";

    private final Path file;
    private final KeyRing keys;
    private final SecureRandom random;

    public AdminKey(Path home, KeyRing keys, SecureRandom random) {
        this.file = home.resolve("admin.key");
        this.keys = keys;
        this.random = random;
    }

    /** What the start found. */
    public enum Found {
        /** A key was made and written to the file. */
        MADE,
        /** The file's key is known and good. */
        KEPT,
        /** The file's key was not known to the store; now it is. */
        REGISTERED,
        /** There are admin keys but no file; somebody keeps them elsewhere, or lost them. */
        ELSEWHERE
    }

    public Path file() {
        return file;
    }

    /** Call after the key ring was read. */
    public Found ensure(boolean makeNew, long nowMicros) {
        return ensure(makeNew, nowMicros, id -> {});
    }

    /** @param announced hears the id of a key before the store does */
    public Found ensure(boolean makeNew, long nowMicros, Consumer<String> announced) {
        try {
            if (!makeNew && Files.exists(file)) {
                return check(nowMicros, announced);
            }
            if (!makeNew && anyAdmin()) {
                return Found.ELSEWHERE;
            }
            Credential credential = Credential.make(random);
            write(credential);
            register(credential, nowMicros, announced);
            return Found.MADE;
        } catch (IOException e) {
            throw new CannotStart("cannot read or write " + file + ": " + e, e);
        }
    }

    private Found check(long nowMicros, Consumer<String> announced) throws IOException {
        if (!Files.getPosixFilePermissions(file).equals(OWNER_ONLY)) {
            Files.setPosixFilePermissions(file, OWNER_ONLY);
        }
        Credential credential = Credential.parse(Files.readString(file).strip())
                .orElseThrow(() -> new CannotStart(file + " does not hold a key (flk_…); " + NEW_KEY_HINT));
        if (keys.verify(credential).isPresent()) {
            return Found.KEPT;
        }
        if (keys.find(credential.id()).isPresent()) {
            throw new CannotStart("the key in " + file + " was revoked; " + NEW_KEY_HINT);
        }
        register(credential, nowMicros, announced);
        return Found.REGISTERED;
    }

    private boolean anyAdmin() {
        return keys.all().stream()
                .anyMatch(key -> key.revokedAt() == 0
                        && key.tenant().isEmpty()
                        && key.role().equals(Role.ADMIN.text()));
    }

    private void register(Credential credential, long nowMicros, Consumer<String> announced) {
        announced.accept(credential.id());
        keys.add(new ApiKey(
                        credential.id(), credential.hash(), "admin of this home", "", Role.ADMIN.text(), nowMicros, 0))
                .join();
    }

    private void write(Credential credential) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Path draft = file.resolveSibling("admin.key.new");
        Files.deleteIfExists(draft);
        Files.createFile(draft, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        Files.writeString(draft, credential.text() + "\n");
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
