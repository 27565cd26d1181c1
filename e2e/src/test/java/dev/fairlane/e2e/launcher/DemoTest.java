package dev.fairlane.e2e.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.e2e.launcher.Launcher.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Order(Integer.MAX_VALUE)
class DemoTest {
    private static final Pattern SHARE =
            Pattern.compile("(\\w+) +weight (\\d) got ([0-9.]+) % of the slot-time, due ([0-9.]+) %");

    /** Off by so much at most, on a machine that does much else in these few seconds. */
    private static final double POINTS = 10;

    @TempDir
    private Path folder;

    @Test
    void theDemoShowsWhatItPromisesAndLeavesNothingBehind() throws IOException {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        Result result = new Launcher(folder, Map.of("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + temporary))
                .execute(List.of(Launcher.script().toString(), "demo", "--exit"), Duration.ofMinutes(3))
                .succeeded();

        assertThat(result.out())
                .contains("jobs/s", "What you saw", "1 was cancelled", "Try next", "./fairlane up", "/openapi.json")
                .doesNotContain("\u001b[");
        assertThat(result.out()).containsPattern("[1-9][0-9,]* failed attempts were tried again");
        Matcher shares = SHARE.matcher(result.out());
        int tenants = 0;
        while (shares.find()) {
            tenants++;
            System.out.println(shares.group());
            assertThat(Double.parseDouble(shares.group(3)))
                    .as("share of %s", shares.group(1))
                    .isBetween(
                            Double.parseDouble(shares.group(4)) - POINTS, Double.parseDouble(shares.group(4)) + POINTS);
        }
        assertThat(tenants).isEqualTo(3);
        try (Stream<Path> left = Files.list(temporary)) {
            assertThat(left.filter(path -> path.getFileName().toString().startsWith("fairlane-demo")))
                    .isEmpty();
        }
    }
}
