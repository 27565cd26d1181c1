package dev.fairlane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UsageCommandTest extends CommandLineBed {
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
        assertThat(err()).isEmpty();
        assertThat(code).isZero();
        assertThat(out()).isEqualTo("type,jobs\r\nmail,3\r\n");
    }

    @Test
    void theTableEndsWithTheTotal() {
        server.answer("GET /v1/usage?group_by=type&group_by=day", 200, """
                {"currency":"EUR","entries":[
                  {"from":"2026-11-01T00:00:00Z","type":"mail","jobs":1200,"dead":2,"executions":1300,"slot_seconds":4.5,"amount":"1.25"}],
                 "total":{"jobs":1200,"dead":2,"executions":1300,"slot_seconds":4.5,"amount":"1.25"}}""");
        assertThat(run("usage", "--by", "type,day")).isZero();
        assertThat(out().lines().toList())
                .satisfiesExactly(
                        heading -> assertThat(heading).startsWith("FROM").contains("TYPE", "JOBS", "AMOUNT"),
                        row -> assertThat(row).contains("2026-11-01T00:00:00Z", "mail", "1,200", "4.500", "1.25 EUR"),
                        total -> assertThat(total).startsWith("total").contains("1,200"));
    }

    @Test
    void aBadTimeIsAMistakeOfTheCaller() {
        assertThat(run("usage", "--from", "yesterday")).isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains("--from: expected a time like 2026-11-01");
        assertThat(server.requests).isEmpty();
    }
}
