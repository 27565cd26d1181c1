package dev.fairlane.cli.demo;

import dev.fairlane.cli.demo.Snapshot.Latency;
import dev.fairlane.cli.demo.Snapshot.TenantRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Turns measurements into text, 80 columns wide. */
final class DemoView {
    private static final int BAR = 18;
    private static final String EIGHTHS = " ▏▎▍▌▋▊▉█";
    private static final String[] COLOURS = {"36", "33", "35"};

    private final boolean colours;
    private final boolean blocks;

    /** @param blocks whether the terminal can show block characters */
    DemoView(boolean colours, boolean blocks) {
        this.colours = colours;
        this.blocks = blocks;
    }

    /** The whole picture, for a terminal. */
    List<String> picture(Snapshot now, String url) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("  " + ink("1", "Fairlane demo")
                + ink("2", dot() + clock(now.elapsed().toSeconds()) + dot() + url + dot() + "Ctrl-C ends it"));
        lines.add("");
        lines.add("  " + ink("1", number(now.jobsPerSecond()) + " jobs/s") + dot() + number(now.done()) + " done"
                + dot() + number(now.retried()) + " retried" + dot() + number(now.dead()) + " dead" + dot()
                + number(now.cancelled()) + " cancelled");
        lines.add("  submit p50 " + millis(now.submit().p50Millis()) + ", p99 "
                + millis(now.submit().p99Millis()) + dot() + "urgent jobs start after p50 "
                + millis(now.urgent().p50Millis()) + ", p99 "
                + millis(now.urgent().p99Millis()));
        lines.add("");
        lines.add(ink(
                "2",
                "  %-8s %6s  %-" + BAR + "s %7s %7s %7s %8s %8s",
                "tenant",
                "weight",
                "share of slot-time",
                "got",
                "due",
                "jobs/s",
                "waiting",
                "running"));
        for (int i = 0; i < now.tenants().size(); i++) {
            lines.add(row(now.tenants().get(i), COLOURS[i % COLOURS.length]));
        }
        lines.add("");
        lines.add(now.event().isEmpty() ? "" : "  " + ink("2", now.event()));
        return lines;
    }

    private String row(TenantRow row, String colour) {
        return "  %-8s %6d  %s %7s %7s %7s %8s %8s"
                .formatted(
                        row.tenant().name(),
                        row.tenant().weight(),
                        ink(colour, bar(row.share())),
                        percent(row.share()),
                        percent(row.tenant().due()),
                        number(row.jobsPerSecond()),
                        number(row.waiting()),
                        number(row.running()));
    }

    /** One line, for everything that is not a terminal. */
    String line(Snapshot now) {
        StringBuilder line = new StringBuilder(
                "%5.1f s  %6s jobs/s".formatted(now.elapsed().toMillis() / 1_000.0, number(now.jobsPerSecond())));
        for (TenantRow row : now.tenants()) {
            line.append("  %s %5s of %5s"
                    .formatted(
                            row.tenant().name(),
                            percent(row.share()),
                            percent(row.tenant().due())));
        }
        return line.append("  submit p99 %s  waiting %s  retried %s  dead %s"
                        .formatted(
                                millis(now.submit().p99Millis()),
                                number(now.waiting()),
                                number(now.retried()),
                                number(now.dead())))
                .toString();
    }

    List<String> summary(Snapshot end) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add(ink("1", "What you saw"));
        lines.add("  %s jobs in %d s on one server, one PostgreSQL and one worker, all on this machine"
                .formatted(number(end.done()), end.elapsed().toSeconds()));
        for (TenantRow row : end.tenants()) {
            lines.add("  %-8s weight %d got %s of the slot-time, due %s; its urgent jobs began after %s"
                    .formatted(
                            row.tenant().name(),
                            row.tenant().weight(),
                            percent(row.share()),
                            percent(row.tenant().due()),
                            both(row.urgent()) + " (p50, p99)"));
        }
        lines.add("  %s failed attempts were tried again, %s ended dead, %s cancelled"
                .formatted(
                        jobs(end.retried(), "", ""),
                        jobs(end.dead(), "job", "jobs"),
                        jobs(end.cancelled(), "was", "were")));
        return lines;
    }

    List<String> next() {
        return List.of(
                "",
                ink("1", "Try next"),
                "  ./fairlane up                                      a server that keeps its data in ~/.fairlane",
                "  ./fairlane worker --exec 'echo=cat'                a worker: payload on stdin, result on stdout",
                "  ./fairlane submit echo '{\"hello\":\"world\"}' --wait  a job, and its result",
                "  ./fairlane status                                  what the server is doing",
                "  curl -H \"Authorization: Bearer $(cat ~/.fairlane/admin.key)\" localhost:8080/v1/jobs",
                "  curl localhost:8080/openapi.json                   the whole API");
    }

    /** For those who want to look into the demo's own server while it runs. */
    List<String> welcome(String url, Path home) {
        return List.of(
                "  " + url + ink("2", "   REST and gRPC; /openapi.json, /metrics"),
                "  " + home.resolve("admin.key")
                        + ink("2", "   its key; everything in this folder goes when the demo ends"),
                "  FAIRLANE_HOME=" + home + " FAIRLANE_URL=" + url + " ./fairlane status");
    }

    private String bar(double share) {
        double cells = Math.clamp(share, 0, 1) * BAR;
        int full = (int) cells;
        if (!blocks) {
            return "#".repeat(full) + " ".repeat(BAR - full);
        }
        String part = full < BAR ? String.valueOf(EIGHTHS.charAt((int) ((cells - full) * 8))) : "";
        return "█".repeat(full) + part + " ".repeat(BAR - full - part.length());
    }

    private String dot() {
        return blocks ? " · " : " - ";
    }

    private String ink(String code, String format, Object... arguments) {
        String text = arguments.length == 0 ? format : format.formatted(arguments);
        return colours && !text.isBlank() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }

    private static String jobs(long count, String one, String many) {
        return (number(count) + " " + (count == 1 ? one : many)).strip();
    }

    private static String both(Latency latency) {
        return millis(latency.p50Millis()) + ", " + millis(latency.p99Millis());
    }

    private static String clock(long seconds) {
        return "%02d:%02d".formatted(seconds / 60, seconds % 60);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }

    private static String millis(double millis) {
        return millis < 10
                ? String.format(Locale.ROOT, "%.1f ms", millis)
                : millis < 1_000
                        ? String.format(Locale.ROOT, "%.0f ms", millis)
                        : String.format(Locale.ROOT, "%.1f s", millis / 1_000);
    }
}
