package dev.fairlane.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a schedule was and would be, as people read it. */
final class ScheduleDiff {
    private ScheduleDiff() {}

    /** @param put what a PUT answered */
    static void print(Printer printer, String name, Map<String, @Nullable Object> put) {
        print(printer, name, put, Json.text(put, "outcome"));
    }

    /** @param put what a PUT answered that only asked */
    static void plan(Printer printer, String name, Map<String, @Nullable Object> put) {
        String outcome = Json.text(put, "outcome");
        print(printer, name, put, outcome.equals("unchanged") ? outcome : "would be " + outcome);
    }

    private static void print(Printer printer, String name, Map<String, @Nullable Object> put, String said) {
        String outcome = Json.text(put, "outcome");
        printer.out().println(sign(outcome) + " " + name + " (" + said + ")");
        if (!outcome.equals("unchanged")) {
            for (Map<String, @Nullable Object> change : Json.objects(put.get("changes"))) {
                String before = Json.text(change, "before");
                String after = Json.text(change, "after");
                printer.out()
                        .println("    " + Json.text(change, "field") + ": "
                                + (before.isEmpty() ? after : before + " → " + (after.isEmpty() ? "(unset)" : after)));
            }
        }
    }

    private static String sign(String outcome) {
        return switch (outcome) {
            case "created" -> "+";
            case "changed" -> "~";
            default -> "=";
        };
    }
}
