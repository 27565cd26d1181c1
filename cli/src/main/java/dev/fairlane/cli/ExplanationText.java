package dev.fairlane.cli;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Why a job waits, as people read it. */
final class ExplanationText {
    /** Beyond it the server estimates. */
    private static final int COUNTED_AHEAD = 1_000;

    private ExplanationText() {}

    static void sheet(Map<String, @Nullable Object> told, Printer printer) {
        printer.field("Id", Json.text(told, "id"));
        printer.field("State", Json.text(told, "state"));
        printer.field("Summary", Json.text(told, "summary"));
        List<Map<String, @Nullable Object>> reasons = Json.objects(told.get("reasons"));
        for (Map<String, @Nullable Object> reason : reasons) {
            printer.field("Reason", Json.text(reason, "code") + ": " + Json.text(reason, "text"));
            printer.field("Unblock", Json.text(reason, "unblock"));
        }
        if (reasons.isEmpty()) {
            return;
        }
        printer.field("Pool", Json.text(told, "pool"));
        printer.field("Lane", Json.text(told, "lane") + ", " + Json.number(told, "lane_waiting") + " waiting");
        long ahead = Json.number(told, "ahead");
        printer.field("Ahead", ahead >= COUNTED_AHEAD ? "about " + ahead : String.valueOf(ahead));
        printer.field("Goes on", Json.text(told, "goes_on_at"));
        printer.field("Starts in", eta(Json.object(told.get("eta"))));
        share(Json.object(told.get("share")), printer);
    }

    private static String eta(Map<String, @Nullable Object> eta) {
        return eta.isEmpty() ? "" : seconds(eta, "earliest_ms") + " to " + seconds(eta, "latest_ms");
    }

    private static String seconds(Map<String, @Nullable Object> eta, String name) {
        return String.format(Locale.ROOT, "%.1f s", Json.number(eta, name) / 1e3);
    }

    private static void share(Map<String, @Nullable Object> share, Printer printer) {
        if (!share.isEmpty()) {
            printer.field(
                    "Tenant",
                    "holds " + slots(share, "held_slots") + " of its fair " + slots(share, "fair_slots") + " slots, "
                            + Json.number(share, "waiting") + " waiting, deficit "
                            + slots(share, "deficit_slot_seconds") + " slot-seconds");
        }
    }

    private static String slots(Map<String, @Nullable Object> share, String name) {
        return share.get(name) instanceof Number number
                ? String.format(Locale.ROOT, "%.1f", number.doubleValue())
                : "0";
    }
}
