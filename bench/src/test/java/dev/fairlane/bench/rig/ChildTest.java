package dev.fairlane.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private Child shell(String script) {
        return Child.start("shell", List.of("sh", "-c", script), Map.of(), folder);
    }

    @Test
    void aQuestionIsAnsweredAndEverythingElseIsLogged() {
        try (Child child = shell("echo hello; read q; echo noise; echo '{\"answer\":\"'$q'\",\"n\":7}'; read q")) {
            assertThat(child.ask("sum", PATIENCE).get("n").intValue()).isEqualTo(7);
            assertThat(child.lastWords()).contains("hello", "noise");
        }
    }

    @Test
    void anErrorAndAnEndAreToldWithTheLog() {
        try (Child child =
                shell("read q; echo '{\"answer\":\"x\",\"error\":\"no such order\"}'; read q; echo last words")) {
            assertThatThrownBy(() -> child.ask("x", PATIENCE))
                    .isInstanceOf(RigException.class)
                    .hasMessageContaining("no such order");
            assertThatThrownBy(() -> child.ask("y", PATIENCE))
                    .isInstanceOf(RigException.class)
                    .hasMessageContaining("ended")
                    .hasMessageContaining("last words");
        }
    }

    @Test
    void whoDoesNotHearIsKilled() throws Exception {
        Child child = shell("trap '' TERM; echo '{\"answer\":\"up\"}'; while :; do read q || sleep 1; done");
        child.answer("up", PATIENCE);

        child.stop(Duration.ofMillis(100));

        assertThat(child.alive()).isFalse();
        assertThat(child.exitCode()).isEqualTo(137);
    }
}
