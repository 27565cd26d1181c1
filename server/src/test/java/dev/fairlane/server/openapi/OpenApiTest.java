package dev.fairlane.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.server.routes.RouteTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OpenApiTest {
    private static final Path FILE = Path.of("..", "protocol", "src", "main", "resources", "openapi.json");

    /** Run with {@code -Dfairlane.update} to write it anew. */
    @Test
    void theDocumentInTheRepositoryIsWhatTheCodeSays() throws IOException {
        String generated = OpenApiWriter.write(RouteTable.build());
        if (System.getProperty("fairlane.update") != null) {
            Files.createDirectories(FILE.getParent());
            Files.writeString(FILE, generated);
        }
        assertThat(Files.readString(FILE)).isEqualTo(generated);
    }
}
