package dev.fairlane.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class WeightsTest {
    private final Weights weights = new Weights();

    @Test
    void aSessionOfItsOwnWeighsLessUntilItDoesNot() throws IOException {
        assumeThat(Path.of("/proc/self/autogroup")).exists();
        Process apart = new ProcessBuilder("setsid", "sh", "-c", "echo begun; read line").start();
        try (var out = apart.inputReader()) {
            assertThat(out.readLine()).isEqualTo("begun");
            assertThat(weights.set(apart.pid(), Weights.LOWERED).join()).isTrue();
            assertThat(group(apart.pid())).endsWith("nice 10\n");
            assertThat(weights.set(apart.pid(), Weights.USUAL).join()).isTrue();
            assertThat(group(apart.pid())).endsWith("nice 0\n");
        } finally {
            apart.destroy();
        }
    }

    @Test
    void whoIsInTheSessionOfThisProgramKeepsItsWeight() throws IOException {
        assumeThat(Path.of("/proc/self/autogroup")).exists();
        String own = group(ProcessHandle.current().pid());
        Process here = new ProcessBuilder("sh", "-c", "echo begun; read line").start();
        try (var out = here.inputReader()) {
            assertThat(out.readLine()).isEqualTo("begun");
            assertThat(weights.set(here.pid(), Weights.LOWERED).join()).isFalse();
            assertThat(group(here.pid())).isEqualTo(own);
        } finally {
            here.destroy();
        }
    }

    @Test
    void aProcessThatIsGoneIsLeftAlone() throws IOException, InterruptedException {
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        assertThat(weights.set(gone.pid(), Weights.LOWERED).join()).isFalse();
    }

    private static String group(long pid) throws IOException {
        return Files.readString(Path.of("/proc/" + pid + "/autogroup"));
    }
}
