package dev.fairlane.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path home;

    @Test
    void theConfigurationIsShownWithItsOriginAndWithoutSecrets() throws IOException {
        Path file =
                Files.writeString(home.resolve("fairlane.yaml"), "listen:\n  port: 9000\ndb:\n  password: s3cret\n");
        int code = run(
                "config", "--home", home.toString(), "--db", "postgresql://me:pw9@db/x", "--set", "engine.hold=40s");
        assertThat(code).isZero();
        assertThat(out.toString())
                .containsPattern("listen\\.port +9000 +file " + file)
                .containsPattern("engine\\.hold +40s +flag")
                .containsPattern("engine\\.burst +10s +default")
                .containsPattern("db\\.password +\\(hidden\\) +file")
                .containsPattern("db\\.url +postgresql://me:\\(hidden\\)@db/x +flag")
                .doesNotContain("s3cret", "pw9");
    }

    @Test
    void onlyWhatWasChangedIsShownWhenAsked() {
        assertThat(run("config", "--home", home.toString(), "--changed")).isZero();
        assertThat(out.toString().lines()).hasSize(1).first().asString().startsWith("home");
    }

    @Test
    void aMisspelledKeyIsOneLineWithAHint() {
        assertThat(run("up", "--home", home.toString(), "--set", "listen.prot=1"))
                .isEqualTo(1);
        assertThat(err).hasToString("fairlane: unknown key listen.prot; did you mean listen.port?\n");
    }

    @Test
    void aWrongFlagIsAUsageError() {
        assertThat(run("up", "--no-such-flag")).isEqualTo(2);
        assertThat(run("nonsense")).isEqualTo(2);
    }

    @Test
    void aPortInUseIsOneLineAndNothingIsTouched() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            int code = run("up", "--home", home.toString(), "--port", Integer.toString(taken.getLocalPort()));
            assertThat(code).isEqualTo(1);
            assertThat(err.toString().lines()).hasSize(1);
            assertThat(err.toString()).contains("cannot listen on 127.0.0.1:" + taken.getLocalPort(), "--port");
            assertThat(home).isEmptyDirectory();
        }
    }

    @Test
    void aHostThatIsNotThereIsOneLine() {
        assertThat(run("up", "--home", home.toString(), "--port", "0", "--host", "192.0.2.1"))
                .isEqualTo(1);
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(err.toString()).contains("cannot listen on 192.0.2.1");
    }

    @Test
    void aDatabaseOutOfReachIsOneLine() {
        assertThat(run("up", "--home", home.toString(), "--port", "0", "--db", "postgresql://me:pw9@127.0.0.1:1/x"))
                .isEqualTo(1);
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(err.toString()).contains("the database cannot be used").doesNotContain("pw9");
    }

    private int run(String... arguments) {
        return Main.run(
                new CommandLine(new Main()).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)),
                arguments);
    }
}
