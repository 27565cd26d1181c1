package dev.fairlane.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlane.journal.ApiKeyStore;
import dev.fairlane.journal.memory.InMemoryJournal;
import dev.fairlane.journal.memory.InMemoryStore;
import dev.fairlane.server.auth.AdminKey.Found;
import dev.fairlane.server.config.CannotStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdminKeyTest {
    private final ApiKeyStore store = new InMemoryJournal(new InMemoryStore(() -> 1), "n").keys();

    @TempDir
    Path home;

    @Test
    void theFirstStartMakesAKeyOnlyItsOwnerCanRead() throws IOException {
        AdminKey admin = admin(store);
        assertThat(admin.ensure(false, 7)).isEqualTo(Found.MADE);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(admin.file())))
                .isEqualTo("rw-------");
        String text = Files.readString(admin.file()).strip();
        assertThat(text).matches("flk_[0-9a-f]{12}_[A-Za-z0-9_-]{43}");
        assertThat(store.all().join()).singleElement().satisfies(key -> {
            assertThat(key.tenant()).isEmpty();
            assertThat(key.role()).isEqualTo("admin");
            assertThat(new String(key.hash(), java.nio.charset.StandardCharsets.ISO_8859_1))
                    .doesNotContain(text);
            assertThat(key.createdAt()).isEqualTo(7);
        });
        assertThat(admin(store).ensure(false, 8)).isEqualTo(Found.KEPT);
        assertThat(store.all().join()).hasSize(1);
    }

    @Test
    void aFreshDatabaseLearnsTheKeyOfAnOldHome() throws IOException {
        AdminKey admin = admin(store);
        admin.ensure(false, 1);
        ApiKeyStore fresh = new InMemoryJournal(new InMemoryStore(() -> 1), "n").keys();
        assertThat(admin(fresh).ensure(false, 1)).isEqualTo(Found.REGISTERED);
        assertThat(fresh.all().join()).hasSize(1);
        KeyRing ring = ring(fresh);
        assertThat(ring.verify(
                        Credential.parse(Files.readString(admin.file()).strip()).orElseThrow()))
                .isPresent();
    }

    @Test
    void aLostFileIsSaidAndANewKeyMadeOnlyWhenAsked() throws IOException {
        AdminKey admin = admin(store);
        admin.ensure(false, 1);
        Files.delete(admin.file());
        assertThat(admin(store).ensure(false, 1)).isEqualTo(Found.ELSEWHERE);
        assertThat(admin.file()).doesNotExist();
        assertThat(admin(store).ensure(true, 1)).isEqualTo(Found.MADE);
        assertThat(store.all().join()).hasSize(2);
    }

    @Test
    void aRevokedOrBrokenFileStopsTheStart() throws IOException {
        AdminKey admin = admin(store);
        admin.ensure(false, 1);
        store.revoke(store.all().join().getFirst().id(), 2).join();
        assertThatThrownBy(() -> admin(store).ensure(false, 3))
                .isInstanceOf(CannotStart.class)
                .hasMessageContaining("--new-admin-key");
        Files.writeString(admin.file(), "nonsense");
        assertThatThrownBy(() -> admin(store).ensure(false, 3)).isInstanceOf(CannotStart.class);
    }

    @Test
    void othersAreLockedOutOfAFileTheyCouldRead() throws IOException {
        AdminKey admin = admin(store);
        admin.ensure(false, 1);
        Files.setPosixFilePermissions(admin.file(), PosixFilePermissions.fromString("rw-r--r--"));
        admin(store).ensure(false, 1);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(admin.file())))
                .isEqualTo("rw-------");
    }

    private AdminKey admin(ApiKeyStore keys) {
        return new AdminKey(home, ring(keys), new SecureRandom());
    }

    private static KeyRing ring(ApiKeyStore keys) {
        KeyRing ring = new KeyRing(keys);
        ring.refresh().join();
        return ring;
    }
}
