package dev.fairlane.journal.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostmasterFileTest {

    @TempDir
    Path data;

    @Test
    void aWholeFileNamesProcessPortAndStatus() throws IOException {
        write("4711\n/somewhere/data\n1700000000\n25432\n\n127.0.0.1\n  12345  1\nready   \n");
        assertThat(PostmasterFile.read(data)).contains(new PostmasterFile(4711, 25432, "ready"));
    }

    @Test
    void aFileStillBeingWrittenIsNotReady() throws IOException {
        write("4711\n/somewhere/data\n1700000000\n");
        assertThat(PostmasterFile.read(data)).contains(new PostmasterFile(4711, 0, ""));
        assertThat(PostmasterFile.read(data).orElseThrow().ready()).isFalse();
    }

    @Test
    void noneAndNonsenseAreTheSame() throws IOException {
        assertThat(PostmasterFile.read(data)).isEmpty();
        write("");
        assertThat(PostmasterFile.read(data)).isEmpty();
        write("who knows\n");
        assertThat(PostmasterFile.read(data)).isEmpty();
    }

    private void write(String text) throws IOException {
        Files.writeString(data.resolve(PostmasterFile.NAME), text);
    }
}
