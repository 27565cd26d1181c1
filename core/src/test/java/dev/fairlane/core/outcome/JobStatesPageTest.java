package dev.fairlane.core.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;

class JobStatesPageTest {
    private static final Path PAGE = Path.of("..", "docs", "reference", "job-states.md");

    /** Run with {@code -Dfairlane.update} to write the page anew. */
    @Test
    void theReferencePageShowsTheTableAsItIs() throws IOException {
        String expected = page();
        if (System.getProperty("fairlane.update") != null) {
            Files.writeString(PAGE, expected);
        }
        assertThat(PAGE).hasContent(expected);
    }

    private static String page() {
        return """
                # States of a job

                Every step a job can take is a row of one table in the code, `JobLife.TABLE`; the server refuses to take any other. This page
                is written from the table by `JobStatesPageTest`, and `JobLifeWalkTest` drives a job through every row of it.

                A job is `SCHEDULED` until its time comes, `QUEUED` until a worker is free, `LEASED` once it is given to a worker, `RUNNING`
                when the worker said so, and `RETRY_WAIT` between attempts. `SUCCEEDED`, `DEAD`, `CANCELLED` and `EXPIRED` are ends.

                A worker runs a job as soon as it has it, so a job that is `LEASED` by its `not_after` has begun in time: it runs on and does not expire. If the
                worker loses it or hands it back after that time, it is not given to another, but expires.

                ## Without a cancel request

                ```mermaid
                %s
                ```

                ## After a cancel request

                A job in a worker's hands is asked to stop; how its execution then ends decides.

                ```mermaid
                %s
                ```

                ## All steps

                | from | cancel requested | on | to |
                | --- | --- | --- | --- |
                %s
                """.formatted(diagram(false), diagram(true), rows());
    }

    private static String diagram(boolean cancelRequested) {
        Map<String, StringJoiner> labels = new LinkedHashMap<>();
        for (Transition row : JobLife.TABLE) {
            if (row.cancelRequested() == cancelRequested) {
                labels.computeIfAbsent(arrow(row), _ -> new StringJoiner(", ")).add(deed(row));
            }
        }
        StringJoiner lines = new StringJoiner("\n");
        lines.add("stateDiagram-v2");
        labels.forEach((arrow, label) -> lines.add("    " + arrow + " : " + label));
        JobLife.TABLE.stream()
                .filter(row -> row.cancelRequested() == cancelRequested)
                .map(Transition::to)
                .filter(to -> to.terminal())
                .distinct()
                .forEach(end -> lines.add("    " + end + " --> [*]"));
        return lines.toString();
    }

    private static String arrow(Transition row) {
        return (row.from() == null ? "[*]" : row.from().name()) + " --> " + row.to();
    }

    private static String rows() {
        StringJoiner rows = new StringJoiner("\n");
        for (Transition row : JobLife.TABLE) {
            rows.add("| %s | %s | %s | `%s` |"
                    .formatted(
                            row.from() == null ? "–" : "`" + row.from() + "`",
                            row.cancelRequested() ? "yes" : "no",
                            deed(row),
                            row.to()));
        }
        return rows.toString();
    }

    private static String deed(Transition row) {
        return row.on().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
