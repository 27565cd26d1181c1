package dev.fairlane.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ConfigurationPageTest {
    private static final Path PAGE = Path.of("..", "docs", "reference", "configuration.md");

    /** Run with {@code -Dfairlane.update} to write the page anew. */
    @Test
    void theReferencePageListsEveryKey() throws IOException {
        String expected = page();
        if (System.getProperty("fairlane.update") != null) {
            Files.writeString(PAGE, expected);
        }
        assertThat(PAGE).hasContent(expected);
    }

    private static String page() {
        String rows = Keys.ALL.stream()
                .map(key -> "| `%s` | %s | %s | %s |"
                        .formatted(
                                key.name(),
                                key.fallback().isEmpty() ? "not set" : "`" + key.fallback() + "`",
                                key.form().expected(),
                                key.about() + (key.secret() ? "; never printed" : "")))
                .collect(Collectors.joining("\n"));
        return """
                # Configuration

                Settings come from one YAML file (`--config FILE`, else `FAIRLANE_CONFIG`, else `fairlane.yaml` in the home), then from the
                environment, then from flags; the later wins. A key is nested in the file and flat elsewhere: `listen: {port: 9000}`,
                `FAIRLANE_LISTEN_PORT=9000` and `--set listen.port=9000` (or `--port 9000`) say the same. A key that does not exist stops
                the start and names the nearest one. The file is plain YAML: duplicate keys, anchors and aliases are refused.
                `./fairlane config` prints the effective settings with the origin of each, secrets hidden.

                The server listens on the loopback address unless `listen.host` says otherwise: it speaks plain HTTP, so put a proxy
                that ends TLS in front of it before it faces a network you do not trust.

                This page is written from the keys by `ConfigurationPageTest`.

                | key | default | form | meaning |
                | --- | --- | --- | --- |
                %s
                """.formatted(rows);
    }
}
