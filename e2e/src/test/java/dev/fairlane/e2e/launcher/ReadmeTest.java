package dev.fairlane.e2e.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairlane.e2e.launcher.Launcher.Result;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README tells newcomers to type works when it is typed, in that order, on a fresh home. */
class ReadmeTest {
    private static final Pattern BLOCK = Pattern.compile("(?m)^```(\\w*)\\n(.*?)^```$", Pattern.DOTALL);

    private static final String SDK_IMPORTS = Stream.of("Fairlane", "Job", "JobHandle", "Pool", "Worker")
            .map(name -> "import dev.fairlane.sdk." + name + ";")
            .collect(Collectors.joining());

    @TempDir
    private Path folder;

    private final List<Process> running = new ArrayList<>();
    private String readme;
    private Path home;
    private int port;
    private Launcher launcher;

    @BeforeEach
    void prepare() throws IOException {
        Path script = Launcher.script();
        readme = Files.readString(script.resolveSibling("README.md"));
        Files.createSymbolicLink(folder.resolve("fairlane"), script);
        home = folder.resolve("home");
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        launcher = new Launcher(folder, Map.of("FAIRLANE_HOME", home.toString()));
    }

    @AfterEach
    void stop() {
        running.reversed().forEach(Launcher::stop);
    }

    @Test
    void everyShellCommandWorksInTheOrderOfThePage() {
        int commands = 0;
        for (String block : blocks("")) {
            // The demo has a test of its own, and the tests are what is running here.
            if (block.contains("./fairlane demo")) {
                continue;
            }
            commands++;
            run(block);
        }
        assertThat(commands).isGreaterThanOrEqualTo(4);
    }

    /** Commands that stay in the foreground are left running; all others have to succeed. */
    private void run(String block) {
        String script = block.replace("localhost:8080", "localhost:" + port)
                .replace("~/.fairlane", home.toString())
                .replaceAll("\\bget ID\\b", Matcher.quoteReplacement("get $(./fairlane job list -o name | head -n 1)"));
        if (script.contains("./fairlane up")) {
            go("up.log", script, Map.of("FAIRLANE_LISTEN_PORT", Integer.toString(port)));
            await().atMost(Duration.ofMinutes(3)).until(this::serving);
        } else if (script.contains("./fairlane worker")) {
            go("worker.log", script, Map.of());
        } else {
            Result result = client().execute(List.of("bash", "-euo", "pipefail", "-c", script), Duration.ofMinutes(2));
            assertThat(result.exitCode())
                    .as("%s%n%s%n%s", script, result.out(), result.err())
                    .isZero();
            assertThat(result.out()).as(script).isNotBlank();
        }
    }

    private void go(String log, String script, Map<String, String> more) {
        Launcher with = script.contains("./fairlane up") ? launcher : client();
        for (Map.Entry<String, String> entry : more.entrySet()) {
            with = with.with(entry.getKey(), entry.getValue());
        }
        // The last command takes the shell's place, so that stopping one stops the other.
        String last = script.strip().replaceFirst("(?m)^\\./fairlane (up|worker)", "exec ./fairlane $1");
        running.add(with.start(log, List.of("bash", "-euc", last)));
    }

    private boolean serving() {
        return client().run("status").exitCode() == 0;
    }

    private Launcher client() {
        return launcher.with("FAIRLANE_URL", "http://localhost:" + port);
    }

    @Test
    void theJavaExampleCompiles() {
        for (String example : blocks("java")) {
            String source = """
                    import module java.base;
                    %s
                    class Readme {
                        record SendResult(String id) {}
                        interface Mailer { SendResult send(Object email, String effectKey); }
                        static void run(String key, Mailer mailer) throws Exception {
                    %s
                        }
                    }
                    """.formatted(SDK_IMPORTS, example);
            JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
            StringWriter messages = new StringWriter();
            JavaFileObject unit =
                    new SimpleJavaFileObject(URI.create("string:///Readme.java"), JavaFileObject.Kind.SOURCE) {
                        @Override
                        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                            return source;
                        }
                    };
            List<String> options =
                    List.of("-proc:none", "-d", folder.toString(), "-cp", System.getProperty("java.class.path"));
            assertThat(compiler.getTask(messages, null, null, options, null, List.of(unit))
                            .call())
                    .as("%s%n%s", source, messages)
                    .isTrue();
        }
        assertThat(blocks("java")).isNotEmpty();
    }

    private List<String> blocks(String language) {
        return BLOCK.matcher(readme)
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2))
                .toList();
    }
}
