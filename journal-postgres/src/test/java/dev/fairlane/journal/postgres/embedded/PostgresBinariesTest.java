package dev.fairlane.journal.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fairlane.journal.postgres.embedded.EmbeddedPostgresException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresBinariesTest {

    @TempDir
    Path temp;

    @Test
    void severalServersMayUnpackIntoOneFolderAtOnce() throws IOException, InterruptedException, ExecutionException {
        Files.createDirectories(temp.resolve(".unpacking-999999999-x/bin"));
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Future<PostgresBinaries>> both = threads.invokeAll(
                    List.of(() -> PostgresBinaries.unpacked(temp), () -> PostgresBinaries.unpacked(temp)));
            for (Future<PostgresBinaries> one : both) {
                assertThat(one.get().postgres()).isExecutable();
                assertThat(one.get().folder().getFileName())
                        .hasToString(one.get().version());
                assertThat(one.get().major()).isEqualTo(18);
            }
        }
        try (Stream<Path> left = Files.list(temp)) {
            assertThat(left).hasSize(1);
        }
    }

    @Test
    void platformsWithoutBinariesAreSentToADatabaseOfTheirOwn() {
        assertThat(PostgresBinaries.archiveName("Linux", "amd64")).isEqualTo("postgres-linux-x86_64.txz");
        assertThat(PostgresBinaries.archiveName("Linux", "aarch64")).isEqualTo("postgres-linux-arm_64.txz");
        for (String[] platform :
                new String[][] {{"Mac OS X", "aarch64"}, {"Windows 11", "amd64"}, {"Linux", "s390x"}}) {
            assertThatExceptionOfType(EmbeddedPostgresException.class)
                    .isThrownBy(() -> PostgresBinaries.archiveName(platform[0], platform[1]))
                    .withMessageContaining("--db")
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.PLATFORM));
        }
    }
}
