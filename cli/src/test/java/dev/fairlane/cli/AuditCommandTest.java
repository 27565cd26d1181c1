package dev.fairlane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An export that was made without this code, and what is found when it is altered. */
class AuditCommandTest extends CommandLineBed {
    private List<String> export = new ArrayList<>();

    @BeforeEach
    void read() throws IOException {
        try (InputStream in = Objects.requireNonNull(AuditCommandTest.class.getResourceAsStream("audit.ndjson"))) {
            export = new ArrayList<>(new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList());
        }
    }

    private int verify(String... more) throws IOException {
        Path file = home.resolve("export.ndjson");
        Files.write(file, export);
        List<String> arguments = new ArrayList<>(List.of("audit", "verify", "--file", file.toString()));
        arguments.addAll(List.of(more));
        return run(arguments.toArray(String[]::new));
    }

    private String head() {
        return Json.text(Json.object(Json.parse(export.getFirst().getBytes(StandardCharsets.UTF_8))), "hash");
    }

    @Test
    void aGoodExportHoldsWithoutAServer() throws IOException {
        assertThat(verify("--head", head())).as(err()).isZero();
        assertThat(out()).startsWith("chain acme: 3 entries hold, head 3 " + head());
        assertThat(server.requests).isEmpty();
    }

    @Test
    void aReasonIsErasedWhenToldTo() {
        server.answer("POST /v1/audit:erase", 200, "{\"chain\":\"acme\",\"sequence\":17,\"action\":\"type.pause\"}");
        assertThat(run("audit", "erase", "17", "--tenant", "acme")).isEqualTo(ExitCode.USAGE);
        assertThat(server.requests).isEmpty();
        assertThat(run("audit", "erase", "17", "--tenant", "acme", "--yes"))
                .as(err())
                .isZero();
        assertThat(body()).isEqualTo("{\"tenant\":\"acme\",\"sequence\":17}");
        assertThat(out()).contains("type.pause");
    }

    @Test
    void anAlteredEntryIsNamed() throws IOException {
        export.set(2, export.get(2).replace("type/mail", "type/fax"));
        assertThat(verify()).isEqualTo(ExitCode.FAILED);
        assertThat(err()).contains("chain acme: entry 2 is not what was written");
    }

    @Test
    void anAlteredReasonIsNamed() throws IOException {
        export.set(2, export.get(2).replace("on fire", "out of ink"));
        assertThat(verify()).isEqualTo(ExitCode.FAILED);
        assertThat(err()).contains("entry 2 is not what was written");
    }

    @Test
    void aReasonCanBeErased() throws IOException {
        export.set(2, export.get(2).replaceFirst("\"reason\":\"(\\\\.|[^\"])*\",", ""));
        assertThat(export.get(2)).doesNotContain("printer").contains("\"reason_digest\":");
        assertThat(verify("--head", head())).as(err()).isZero();
    }

    @Test
    void anAlteredDigestOfAReasonIsNamed() throws IOException {
        export.set(2, export.get(2).replaceFirst(",\"reason_digest\":\"[^\"]*\"", ""));
        assertThat(verify()).isEqualTo(ExitCode.FAILED);
        assertThat(err()).contains("entry 2 is not what was written");
    }

    private static String text(String line, String field) {
        return Json.text(Json.object(Json.parse(line.getBytes(StandardCharsets.UTF_8))), field);
    }

    @Test
    void aBeginningThatWasRemovedIsTold() throws IOException {
        String first = text(export.get(1), "hash");
        String second = text(export.get(2), "hash");
        export.set(
                0,
                export.getFirst()
                        .replace("\"anchor_sequence\":0", "\"anchor_sequence\":2")
                        .replaceFirst("\"anchor_hash\":\"[^\"]*\"", "\"anchor_hash\":\"" + second + "\""));
        export.subList(1, 3).clear();
        assertThat(verify("--head", head())).as(err()).isZero();
        assertThat(out())
                .contains("chain acme: entries 1 to 2 were dropped (retention)")
                .contains("chain acme: 1 entries hold");
        assertThat(verify("--head", second)).isEqualTo(ExitCode.FAILED);
        assertThat(err())
                .contains("chain acme: entry 2, with the hash " + second + " that was kept, was dropped (retention)")
                .doesNotContain("broken");
        assertThat(verify("--head", first)).isEqualTo(ExitCode.FAILED);
        assertThat(err()).contains("no entry has the hash " + first);
    }

    @Test
    void whatTheFirstEntryFollowsIsNoEntry() throws IOException {
        assertThat(verify("--head", "0".repeat(64))).isEqualTo(ExitCode.FAILED);
    }

    @Test
    void aSecondHeadOfAChainIsRefused() throws IOException {
        export.add(export.getFirst());
        assertThat(verify()).isEqualTo(ExitCode.FAILED);
        assertThat(err()).contains("line 5 of the export: a second head of chain acme");
    }

    @Test
    void aChainThatIsNotThereIsNoGoodOne() throws IOException {
        assertThat(verify("--tenant", "globex")).isEqualTo(ExitCode.FAILED);
        assertThat(err()).contains("the export has no chain globex");
        server.answer("GET /v1/audit/head?tenant=globex&page_size=1000", 200, "{}");
        assertThat(run("audit", "verify", "--tenant", "globex")).isEqualTo(ExitCode.FAILED);
        assertThat(err()).contains("the server has no chain globex");
        assertThat(verify("--tenant", "acme")).isZero();
    }

    @Test
    void aMissingEntryIsNamed() throws IOException {
        export.remove(2);
        assertThat(verify()).isEqualTo(ExitCode.FAILED);
        assertThat(err()).contains("entry 2 is missing; the next one is 3");
    }

    @Test
    void aMissingEndIsNamed() throws IOException {
        export.removeLast();
        assertThat(verify()).isEqualTo(ExitCode.FAILED);
        assertThat(err()).contains("entry 3 is missing; the chain ends with 3");
    }

    @Test
    void swappedEntriesAreNamed() throws IOException {
        Collections.swap(export, 2, 3);
        assertThat(verify()).isEqualTo(ExitCode.FAILED);
        assertThat(err()).contains("entry 2 is missing; the next one is 3");
    }

    @Test
    void aChainThatWasWrittenAnewIsFoundByAHeadKeptElsewhere() throws IOException {
        assertThat(verify("--head", "ab".repeat(32))).isEqualTo(ExitCode.FAILED);
        assertThat(err()).contains("no entry has the hash abab").contains("that was kept");
    }

    @Test
    void nonsenseIsAFindingAndNoCrash() throws IOException {
        List<String> good = List.copyOf(export);
        export.set(1, good.get(1).replaceFirst("\"at\":\"[^\"]*\"", "\"at\":\"yesterday\""));
        assertThat(verify()).isEqualTo(ExitCode.FAILED);
        export = new ArrayList<>(good);
        export.set(0, good.getFirst().replaceFirst("\"anchor_hash\":\"[^\"]*\"", "\"anchor_hash\":\"xyz\""));
        assertThat(verify()).isEqualTo(ExitCode.FAILED);
        export = new ArrayList<>(good.subList(1, 4));
        assertThat(verify()).isEqualTo(ExitCode.FAILED);
        assertThat(err()).contains("line 1 of the export: an entry without the head of its chain");
        export = new ArrayList<>(List.of("{"));
        assertThat(verify()).isEqualTo(ExitCode.FAILED);
        assertThat(run("audit", "verify", "--file", home.resolve("none").toString()))
                .isEqualTo(ExitCode.USAGE);
    }

    private void serve() {
        server.answer("GET /v1/audit/head?page_size=1000", 200, "{\"heads\":[" + export.getFirst() + "]}");
        server.answer(
                "GET /v1/audit?tenant=acme&oldest_first=true&page_size=1000",
                200,
                "{\"entries\":[" + export.get(1) + "," + export.get(2) + "],\"next_cursor\":\"abc\"}");
        server.answer(
                "GET /v1/audit?tenant=acme&oldest_first=true&page_size=1000&cursor=abc",
                200,
                "{\"entries\":[" + export.get(3) + "]}");
    }

    @Test
    void aServersChainsAreFollowedPageByPage() {
        serve();
        assertThat(run("audit", "verify")).as(err()).isZero();
        assertThat(out()).contains("chain acme: 3 entries hold");
    }

    @Test
    void anExportIsWhatVerifyReads() {
        serve();
        assertThat(run("audit", "export")).as(err()).isZero();
        assertThat(out().lines().toList()).isEqualTo(export);
    }

    @Test
    void theListShowsWhoDidWhat() {
        server.answer(
                "GET /v1/audit?tenant=acme&page_size=2",
                200,
                "{\"entries\":[" + export.get(3) + "," + export.get(2) + "],\"next_cursor\":\"more\"}");
        assertThat(run("audit", "list", "--tenant", "acme", "--limit", "2"))
                .as(err())
                .isZero();
        assertThat(out()).contains("AT", "job.cancel", "type/mail", "Änne", "admin");
        assertThat(err()).contains("There are more");
    }

    @Test
    void headsAreShownToBeKept() {
        serve();
        assertThat(run("audit", "head", "-o", "name")).isZero();
        assertThat(out()).isEqualTo(head() + System.lineSeparator());
    }
}
