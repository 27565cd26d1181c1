package dev.fairlane.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvironmentTest {
    @TempDir
    private Path home;

    @Test
    void variablesComeFirst() {
        Environment environment = new Environment(Map.of("FAIRLANE_URL", "https://x", "FAIRLANE_KEY", " k "), home);
        assertThat(environment.url()).isEqualTo("https://x");
        assertThat(environment.key()).contains("k");
    }

    @Test
    void theServersOwnKeyIsFoundInItsHome() throws IOException {
        assertThat(new Environment(Map.of(), home).key()).isEmpty();
        assertThat(new Environment(Map.of(), home).url()).isEqualTo("http://localhost:8080");
        Files.createDirectories(home.resolve(".fairlane"));
        Files.writeString(home.resolve(".fairlane/admin.key"), "a\n");
        assertThat(new Environment(Map.of(), home).key()).contains("a");

        Path other = Files.createDirectories(home.resolve("other"));
        Files.writeString(other.resolve("admin.key"), "b\n");
        assertThat(new Environment(Map.of("FAIRLANE_HOME", other.toString()), home).key())
                .contains("b");
        assertThatThrownBy(() -> Environment.readKey(other)).isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void contentTypesThatCannotBeAreRefusedWhereTheyAreMade() {
        assertThatThrownBy(() -> Payload.of(new byte[0], "text"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("text/plain");
    }
}
