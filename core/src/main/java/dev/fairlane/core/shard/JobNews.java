package dev.fairlane.core.shard;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** The news of a job's end as the JSON a webhook carries: what happened, and nothing of what the job was about. */
final class JobNews {
    private static final int MICROS = 1_000_000;

    private JobNews() {}

    static Payload of(Fact.JobEnded ended, String tenant, String type) {
        JobStatus status = ended.status();
        StringBuilder json = new StringBuilder(200).append('{');
        text(json, "event", "job.ended");
        text(json.append(','), "id", ended.id().toString());
        text(json.append(','), "tenant", tenant);
        text(json.append(','), "type", type);
        text(json.append(','), "state", status.state().name());
        json.append(",\"attempt\":").append(status.attempt());
        text(json.append(','), "ended_at", time(status.changedAt()));
        if (ended.failure() != null) {
            text(
                    json.append(','),
                    "failure_class",
                    ended.failure().failureClass().name());
        }
        return new Payload(json.append('}').toString().getBytes(StandardCharsets.UTF_8), Payload.JSON);
    }

    private static String time(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1_000L)
                .toString();
    }

    private static void text(StringBuilder json, String name, String value) {
        json.append('"').append(name).append("\":\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append("\\u00").append(c < 16 ? "0" : "").append(Integer.toHexString(c));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }
}
