package dev.fairlane.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
    private final StringWriter messages = new StringWriter();

    @TempDir
    private Path folder;

    private int run(String... arguments) {
        return Main.commandLine()
                .setErr(new PrintWriter(messages, true))
                .setOut(new PrintWriter(messages, true))
                .execute(arguments);
    }

    @Test
    void wrongUseIsSaidSo() {
        assertThat(run()).isEqualTo(2);
        assertThat(messages.toString()).contains("--exec");
        assertThat(run("--exec", "echo", "--key", "k")).isEqualTo(2);
        assertThat(messages.toString()).contains("expected --exec TYPE=COMMAND, but got 'echo'");
        assertThat(run("--exec", "a=cat", "--exec", "a=cat", "--key", "k")).isEqualTo(2);
        assertThat(run("--exec", "a=cat", "--pool", "no pool", "--key", "k")).isEqualTo(2);
        assertThat(messages.toString()).contains("expected a pool like short, medium or long");
        assertThat(run("--exec", "a=cat", "--pool", "short=x", "--key", "k")).isEqualTo(2);
        assertThat(run("--exec", "a=cat", "--memory", "lots", "--key", "k")).isEqualTo(2);
        assertThat(messages.toString()).contains("expected --memory SIZE like 512MiB or 64GiB, but got 'lots'");
        assertThat(run("--exec", "a=cat", "--gpus", "-1", "--key", "k")).isEqualTo(2);
        assertThat(run("--exec", "a=cat", "--cpu", "NaN", "--key", "k")).isEqualTo(2);
        assertThat(run("--exec", "a=cat", "--url", "localhost", "--key", "k")).isEqualTo(2);
    }

    @Test
    void withoutAKeyItEndsWithTheExitCodeForIt() {
        assertThat(run("--exec", "a=cat", "--key-file", folder.resolve("none").toString()))
                .isEqualTo(4);
        assertThat(messages.toString()).contains("no API key");
    }

    @Test
    void helpTellsTheContractOfTheCommand() {
        assertThat(run("--help")).isZero();
        assertThat(messages.toString()).contains("75 come back later", "FAIRLANE_EFFECT_KEY");
    }
}
