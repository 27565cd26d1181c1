package dev.fairlane.server.api;

import dev.fairlane.journal.UsageQuery.By;
import dev.fairlane.protocol.v1.UsageEntry;
import dev.fairlane.protocol.v1.UsageReportOrBuilder;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A report as a CSV file (RFC 4180), with the columns that were asked for and then the numbers. */
final class UsageCsv {
    private UsageCsv() {}

    static String of(UsageReportOrBuilder report, boolean timed, Set<By> by) {
        List<String> heading = new ArrayList<>();
        if (timed) {
            heading.add("from");
        }
        for (By column : List.of(By.TENANT, By.LANE, By.TYPE, By.POOL)) {
            if (by.contains(column)) {
                heading.add(column.name().toLowerCase(Locale.ROOT));
            }
        }
        heading.addAll(List.of(
                "executions",
                "jobs",
                "succeeded",
                "dead",
                "cancelled",
                "expired",
                "slot_seconds",
                "amount",
                "currency"));
        StringBuilder csv = new StringBuilder();
        line(csv, heading);
        for (UsageEntry entry : report.getEntriesList()) {
            List<String> cells = new ArrayList<>();
            if (timed) {
                cells.add(
                        Instant.ofEpochSecond(entry.getFromMicros() / 1_000_000).toString());
            }
            if (by.contains(By.TENANT)) {
                cells.add(entry.getTenant());
            }
            if (by.contains(By.LANE)) {
                cells.add(entry.getLane());
            }
            if (by.contains(By.TYPE)) {
                cells.add(entry.getType());
            }
            if (by.contains(By.POOL)) {
                cells.add(entry.getPool());
            }
            for (long number : new long[] {
                entry.getExecutions(),
                entry.getJobs(),
                entry.getSucceeded(),
                entry.getDead(),
                entry.getCancelled(),
                entry.getExpired()
            }) {
                cells.add(Long.toString(number));
            }
            cells.add(BigDecimal.valueOf(entry.getSlotSeconds())
                    .stripTrailingZeros()
                    .toPlainString());
            cells.add(entry.getAmount());
            cells.add(report.getCurrency());
            line(csv, cells);
        }
        return csv.toString();
    }

    private static void line(StringBuilder csv, List<String> cells) {
        for (int i = 0; i < cells.size(); i++) {
            csv.append(i == 0 ? "" : ",").append(cell(cells.get(i)));
        }
        csv.append("\r\n");
    }

    private static String cell(String text) {
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
