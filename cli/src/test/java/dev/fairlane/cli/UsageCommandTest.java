package dev.fairlane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsageCommandTest {
    private final FakeRest server = new FakeRest();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path home;

    @AfterEach
    void close() {
        server.close();
    }

    private int run(String... arguments) {
        return Main.run(
                new Session(
                        new ByteArrayInputStream(new byte[0]),
                        new PrintStream(out, false, StandardCharsets.UTF_8),
                        new PrintStream(err, false, StandardCharsets.UTF_8),
                        Map.of("FAIRLANE_KEY", "k1", "FAIRLANE_URL", server.url()),
                        home,
                        false,
                        false),
                arguments);
    }

    @Test
    void csvIsPrintedAsItCame() {
        server.answer(
                "GET /v1/usage?group_by=type&tenant=acme&from=2026-11-01T00%3A00%3A00Z&to=2026-12-01T00%3A00%3A00Z&format=csv",
                200, "text/csv", "type,jobs\r\nmail,3\r\n");
        int code = run(
                "usage",
                "--tenant",
                "acme",
                "--from",
                "2026-11-01",
                "--to",
                "2026-12-01",
                "--by",
                "type",
                "--format",
                "csv");
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(code).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("type,jobs\r\nmail,3\r\n");
    }

    @Test
    void theTableEndsWithTheTotal() {
        server.answer("GET /v1/usage?group_by=type&group_by=day", 200, """
                {"currency":"EUR","entries":[
                  {"from":"2026-11-01T00:00:00Z","type":"mail","jobs":1200,"dead":2,"executions":1300,"slot_seconds":4.5,"amount":"1.25"}],
                 "total":{"jobs":1200,"dead":2,"executions":1300,"slot_seconds":4.5,"amount":"1.25"}}""");
        assertThat(run("usage", "--by", "type,day")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8).lines().toList())
                .satisfiesExactly(
                        heading -> assertThat(heading).startsWith("FROM").contains("TYPE", "JOBS", "AMOUNT"),
                        row -> assertThat(row).contains("2026-11-01T00:00:00Z", "mail", "1,200", "4.500", "1.25 EUR"),
                        total -> assertThat(total).startsWith("total").contains("1,200"));
    }

    @Test
    void aBadTimeIsAMistakeOfTheCaller() {
        assertThat(run("usage", "--from", "yesterday")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--from: expected a time like 2026-11-01");
        assertThat(server.requests).isEmpty();
    }
}
