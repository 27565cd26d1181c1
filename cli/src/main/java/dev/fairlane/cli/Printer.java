package dev.fairlane.cli;

import dev.fairlane.cli.ServerOptions.Format;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.dataformat.yaml.YAMLFactory;

/** Puts data on stdout in the format that was asked for. */
final class Printer {
    private static final String RESET = "\033[0m";

    private final Session session;
    private final Format format;

    Printer(Session session, Format format) {
        this.session = session;
        this.format = format;
    }

    Format format() {
        return format;
    }

    PrintStream out() {
        return session.out();
    }

    /**
     * Prints one thing.
     *
     * @param name which member names it
     * @param asTable how it looks as a table
     */
    void print(@Nullable Object value, String name, Consumer<Map<String, @Nullable Object>> asTable) {
        switch (format) {
            case json -> Json.print(value, true, out());
            case yaml -> Yaml.print(value, out());
            case name -> out().println(Json.text(Json.object(value), name));
            case table -> asTable.accept(Json.object(value));
        }
    }

    /** Prints one thing as a sheet of its members, as the server names them. */
    void sheet(@Nullable Object value, String name) {
        print(
                value,
                name,
                one -> one.forEach((member, content) ->
                        field(member, content instanceof String text ? text : Json.compact(content))));
    }

    /** Prints several things of a kind. */
    void printAll(List<Map<String, @Nullable Object>> values, String name, Runnable asTable) {
        switch (format) {
            case json -> Json.print(values, true, out());
            case yaml -> Yaml.print(values, out());
            case name -> values.forEach(value -> out().println(Json.text(value, name)));
            case table -> asTable.run();
        }
    }

    /** Prints several things of a kind; as a table, each is a row. */
    void rows(
            List<Map<String, @Nullable Object>> values,
            String name,
            List<String> heading,
            Function<Map<String, @Nullable Object>, List<String>> row) {
        printAll(values, name, () -> {
            List<List<String>> rows = new ArrayList<>();
            rows.add(heading);
            values.forEach(value -> rows.add(row.apply(value)));
            table(rows);
        });
    }

    /** Prints several things of a kind; as a table, these members of each, as they are. */
    void columns(List<Map<String, @Nullable Object>> values, String name, List<String> heading, List<String> members) {
        rows(
                values,
                name,
                heading,
                value ->
                        members.stream().map(member -> Json.text(value, member)).toList());
    }

    /** Columns as wide as they need to be; the first row is the heading. */
    void table(List<List<String>> rows) {
        List<Integer> widths = new ArrayList<>();
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                int width = row.get(i).length();
                if (i == widths.size()) {
                    widths.add(width);
                } else {
                    widths.set(i, Math.max(widths.get(i), width));
                }
            }
        }
        boolean heading = true;
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                String cell = row.get(i);
                line.append(heading ? styled("\033[1m", cell) : state(cell));
                if (i < row.size() - 1) {
                    line.repeat(' ', widths.get(i) - cell.length() + 2);
                }
            }
            out().println(line.toString().stripTrailing());
            heading = false;
        }
    }

    /** One line of a sheet of names and values; nothing for an empty value. */
    void field(String name, String value) {
        if (!value.isEmpty()) {
            StringBuilder line = new StringBuilder(styled("\033[1m", name));
            line.repeat(' ', Math.max(1, 13 - name.length())).append(state(value));
            out().println(line);
        }
    }

    /** States in their colour, everything else as it is. */
    String state(String text) {
        return switch (text) {
            case "SUCCEEDED", "serving" -> styled("\033[32m", text);
            case "DEAD", "EXPIRED", "fenced" -> styled("\033[31m", text);
            case "RUNNING", "LEASED" -> styled("\033[36m", text);
            case "RETRY_WAIT", "CANCELLED", "recovering", "stalled" -> styled("\033[33m", text);
            default -> text;
        };
    }

    private String styled(String style, String text) {
        return session.colour() && !text.isEmpty() ? style + text + RESET : text;
    }

    /** Apart, so that its library is loaded only when YAML is asked for. */
    private static final class Yaml {
        static void print(@Nullable Object value, PrintStream out) {
            Json.print(value, new YAMLFactory(), ObjectWriteContext.empty(), out);
        }
    }
}
