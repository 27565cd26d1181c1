package dev.fairlane.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlane.cli.demo.Snapshot.Latency;
import dev.fairlane.cli.demo.Snapshot.TenantRow;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoViewTest {
    private static final Snapshot NOW = new Snapshot(
            Duration.ofMillis(72_340),
            1_542.6,
            23_411,
            312,
            9,
            1,
            new Latency(1.94, 12.3),
            new Latency(2.04, 10_500),
            List.of(row(0, 0.145, 1_204, 5), row(1, 0.286, 609, 10), row(2, 0.569, 17, 20)),
            "12.0 s  globex cancelled its build_report");

    private static TenantRow row(int tenant, double share, long waiting, long running) {
        return new TenantRow(
                DemoTenant.ALL.get(tenant), share, waiting, running, 1_542.6 * share, new Latency(2.04, 10_500));
    }

    @Test
    void thePictureShowsWhatEveryTenantGotAndWhatItWasDue() {
        List<String> lines = new DemoView(false, true).picture(NOW, "http://localhost:8080");
        assertThat(lines)
                .containsExactly(
                        "",
                        "  Fairlane demo · 01:12 · http://localhost:8080 · Ctrl-C ends it",
                        "",
                        "  1,543 jobs/s · 23,411 done · 312 retried · 9 dead · 1 cancelled",
                        "  submit p50 1.9 ms, p99 12 ms · urgent jobs start after p50 2.0 ms, p99 10.5 s",
                        "",
                        "  tenant   weight  share of slot-time     got     due  jobs/s  waiting  running",
                        "  acme          1  ██▌                 14.5 %  14.3 %     224    1,204        5",
                        "  globex        2  █████▏              28.6 %  28.6 %     441      609       10",
                        "  initech       4  ██████████▏         56.9 %  57.1 %     878       17       20",
                        "",
                        "  12.0 s  globex cancelled its build_report");
    }

    @Test
    void thePictureFitsAnOrdinaryTerminal() {
        assertThat(new DemoView(false, true).picture(NOW, "http://localhost:8080"))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void withoutBlockCharactersThePictureIsPlainAscii() {
        assertThat(String.join("\n", new DemoView(false, false).picture(NOW, "http://localhost:8080")))
                .contains("##########")
                .matches("\\A\\p{ASCII}*\\z");
    }

    @Test
    void coloursAreOnlyThereWhenAskedFor() {
        assertThat(String.join("\n", new DemoView(true, true).picture(NOW, "x")))
                .contains("\u001b[");
        assertThat(String.join("\n", new DemoView(false, true).picture(NOW, "x")))
                .doesNotContain("\u001b[");
        assertThat(String.join("\n", new DemoView(false, true).summary(NOW))).doesNotContain("\u001b[");
    }

    @Test
    void coloursDoNotMoveTheColumns() {
        List<String> plain = new DemoView(false, true).picture(NOW, "x");
        List<String> coloured = new DemoView(true, true)
                .picture(NOW, "x").stream()
                        .map(line -> line.replaceAll("\u001b\\[[0-9]+m", ""))
                        .toList();
        assertThat(coloured).isEqualTo(plain);
    }

    @Test
    void aLineIsEnoughWhereThereIsNoTerminal() {
        assertThat(new DemoView(false, true).line(NOW))
                .isEqualTo(
                        " 72.3 s   1,543 jobs/s  acme 14.5 % of 14.3 %  globex 28.6 % of 28.6 %  initech 56.9 % of 57.1 %"
                                + "  submit p99 12 ms  waiting 1,830  retried 312  dead 9");
    }

    @Test
    void theSummarySaysWhatHappenedInWords() {
        assertThat(new DemoView(false, true).summary(NOW))
                .contains(
                        "  23,411 jobs in 72 s on one server, one PostgreSQL and one worker, all on this machine",
                        "  312 failed attempts were tried again, 9 jobs ended dead, 1 was cancelled");
    }
}
