package dev.fairlane.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalDiskContract extends StoreContract {
    @TempDir
    private Path folder;

    private ObjectStore store;

    @BeforeEach
    void open() {
        store = LocalDisk.open(folder.resolve("objects"));
    }

    @Override
    ObjectStore store() {
        return store;
    }

    @Test
    void whatADeadProcessWasWritingIsForgotten() throws IOException {
        Path left = folder.resolve("objects/.incoming/left");
        Files.writeString(left, "half");
        Files.setLastModifiedTime(left, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
        Path young = Files.writeString(folder.resolve("objects/.incoming/young"), "half");

        store = LocalDisk.open(folder.resolve("objects"));

        assertThat(left).doesNotExist();
        assertThat(young).exists();
        assertThat(store.list("", "", 10).objects()).isEmpty();
    }

    @Test
    void aNameMayBeginAnother() {
        store.put("nest", new ByteArrayInputStream(new byte[1]), 1, false);
        store.put("nest/inner", new ByteArrayInputStream(new byte[2]), 2, false);

        assertThat(store.list("nest", "", 10).objects())
                .extracting(ObjectInfo::name, ObjectInfo::size)
                .containsExactly(tuple("nest", 1L), tuple("nest/inner", 2L));
    }

    @Test
    void emptyFoldersGo() {
        store.put("a/b/c/d", new ByteArrayInputStream(new byte[1]), 1, false);
        store.delete("a/b/c/d");

        assertThat(folder.resolve("objects/a")).doesNotExist();
    }
}
