package dev.fairlane.bench.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsPageTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** Run with {@code -Dfairlane.update}, or {@code ./fairlane bench page}, to write it anew. */
    @Test
    void thePageIsWhatTheResultsSay() throws IOException {
        if (System.getProperty("fairlane.update") != null) {
            ResultsPage.write(ROOT);
        }
        for (Map.Entry<String, String> file :
                ResultsPage.render(Results.of(ROOT)).entrySet()) {
            assertThat(ROOT.resolve(file.getKey())).content().isEqualTo(file.getValue());
        }
    }

    @Test
    void theNewestResultCountsAndWhatIsMissingIsSaid(@TempDir Path root) throws IOException {
        Path folder = Files.createDirectories(root.resolve("bench/results"));
        Files.writeString(
                folder.resolve("b.json"),
                "{\"name\":\"held-snapshot\",\"at\":\"2026-01-01\",\"ratio_to_clean\":0.5,\"slice_s\":20,"
                        + "\"held_jobs_per_s_by_slice\":[1,2],\"clean_jobs_per_s_by_slice\":[2,2]}");
        Files.writeString(
                folder.resolve("a.json"),
                "{\"name\":\"held-snapshot\",\"at\":\"2026-02-01\",\"ratio_to_clean\":0.98,\"slice_s\":20,"
                        + "\"held_jobs_per_s_by_slice\":[1,2],\"clean_jobs_per_s_by_slice\":[2,2]}");

        Map<String, String> files = ResultsPage.render(Results.of(root));

        assertThat(files).containsOnlyKeys("docs/plots/held-snapshot.svg", "docs/benchmarks.md");
        assertThat(files.get("docs/benchmarks.md"))
                .contains("0.98 of the clean rate")
                .contains("Not kept yet: `./fairlane bench peers --save`");
    }

    @Test
    void nothingHasAPlaceOnALogarithmicScale() {
        assertThat(new Lines("rate", "ms", true)
                        .line("p99", List.of(new double[] {500, 0}, new double[] {1_000, 3}))
                        .svg())
                .doesNotContain("NaN")
                .doesNotContain("Infinity");
    }

    @Test
    void plotsAreWellFormedAndNumbersShort() {
        assertThat(new Bars("jobs/s", List.of("a"))
                        .row("x < y & z", List.of(112_600.0))
                        .svg())
                .startsWith("<svg ")
                .endsWith("</svg>\n")
                .contains("x &lt; y &amp; z")
                .contains("113 k");
        assertThat(Svg.number(0.83)).isEqualTo("0.83");
        assertThat(Svg.number(5)).isEqualTo("5");
        assertThat(Svg.number(4_613)).isEqualTo("4613");
        assertThat(Svg.number(1_000_000)).isEqualTo("1 M");
    }
}
