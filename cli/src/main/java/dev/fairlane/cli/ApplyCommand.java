package dev.fairlane.cli;

import dev.fairlane.cli.ServerOptions.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;

/** {@code fairlane apply}: a file of schedules becomes true. */
@Command(
        name = "apply",
        description = "Make the schedules of a file what it says. Shows first what would change.",
        footer = {
            "",
            "Example: fairlane apply -f schedules.yaml --dry-run",
            "",
            "  schedules:",
            "    - name: nightly",
            "      cron: \"0 2 * * *\"",
            "      zone: Europe/Berlin",
            "      job: {type: report, payload: {of: yesterday}}",
            "    - name: poll",
            "      every: 30s",
            "      job: {type: poll_partner}"
        })
final class ApplyCommand implements Callable<Integer> {
    private static final int FILE_BYTES_MAX = 32 << 20;
    private static final Map<String, String> SPANS = Map.of("every", "every_ms", "jitter", "jitter_ms");

    @Mixin
    private final ServerOptions server;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            required = true,
            description = "YAML or JSON")
    private Path file = Path.of("");

    @Option(names = "--dry-run", description = "Only show what would change")
    private boolean dryRun;

    @Option(names = "--yes", description = "Do it; without it nothing is done")
    private boolean yes;

    @Option(names = "--tenant", paramLabel = "NAME", description = "For keys that see all tenants. Default: default")
    private @Nullable String tenant;

    ApplyCommand(Session session) {
        this.server = new ServerOptions(session);
    }

    @Override
    public Integer call() {
        Map<String, Map<String, @Nullable Object>> schedules = schedules(read());
        Api api = server.api(tenant);
        Printer printer = server.printer();
        Map<String, Map<String, @Nullable Object>> changed = new LinkedHashMap<>();
        // All are checked before any is changed.
        List<Map<String, @Nullable Object>> answers = new ScheduleBatch(api, true, (name, answer) -> {
                    if (!Json.text(answer, "outcome").equals("unchanged")) {
                        changed.put(name, Objects.requireNonNull(schedules.get(name)));
                    }
                    if (printer.format() == Format.table) {
                        ScheduleDiff.plan(printer, name, answer);
                    }
                })
                .putAll(schedules);
        if (dryRun || changed.isEmpty()) {
            printer.printAll(answers, "outcome", () -> {});
            return ExitCode.OK;
        }
        if (!yes) {
            throw Failed.usage(changed.size() + " of " + schedules.size()
                    + " schedules would change, nothing was done: say --yes to do it");
        }
        List<Map<String, @Nullable Object>> done = new ScheduleBatch(api, false, (name, answer) -> {}).putAll(changed);
        printer.printAll(done, "outcome", () -> {
            String outcomes = count(done, "created") + " created, " + count(done, "changed") + " changed";
            printer.out().println(done.size() + " of " + schedules.size() + " applied: " + outcomes);
        });
        return ExitCode.OK;
    }

    private static long count(List<Map<String, @Nullable Object>> answers, String outcome) {
        return answers.stream()
                .filter(answer -> Json.text(answer, "outcome").equals(outcome))
                .count();
    }

    private @Nullable Object read() {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw Failed.usage(file + ": expected at most 32 MiB");
            }
            return Yaml.parse(Files.readAllBytes(file), FILE_BYTES_MAX);
        } catch (NoSuchFileException e) {
            throw Failed.usage("there is no file " + file);
        } catch (IOException e) {
            throw Failed.usage("cannot read " + file + ": " + e.getMessage());
        } catch (JacksonException e) {
            throw Failed.usage(file + " cannot be read" + where(e) + ": " + e.getOriginalMessage());
        }
    }

    private static String where(JacksonException e) {
        return e.getLocation() == null || e.getLocation().getLineNr() < 1
                ? ""
                : " at line " + e.getLocation().getLineNr();
    }

    private Map<String, Map<String, @Nullable Object>> schedules(@Nullable Object document) {
        Map<String, @Nullable Object> root = Json.object(document);
        if (!root.keySet().equals(Set.of("schedules")) || !(root.get("schedules") instanceof List<?> list)) {
            throw Failed.usage(file + ": expected one list named schedules at the top");
        }
        Map<String, Map<String, @Nullable Object>> schedules = new LinkedHashMap<>();
        for (Object item : list) {
            Map<String, @Nullable Object> spec = new LinkedHashMap<>(Json.object(item));
            if (!(spec.remove("name") instanceof String name) || name.isEmpty()) {
                throw Failed.usage(file + ": expected a name in every schedule, but there is none in number "
                        + (schedules.size() + 1));
            }
            SPANS.forEach((given, sent) -> {
                if (spec.containsKey(given)) {
                    String span = String.valueOf(spec.remove(given));
                    spec.put(sent, Spans.span(name + "." + given, span).toMillis());
                }
            });
            if (schedules.put(name, spec) != null) {
                throw Failed.usage(file + ": expected every name once, but there are two schedules " + name);
            }
        }
        return schedules;
    }
}
