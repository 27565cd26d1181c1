package dev.fairlane.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the audit of a server: the ends of its chains, and whole chains from their begin. */
final class AuditReading {
    private static final String PAGE = "1000";

    private final Api api;

    AuditReading(Api api) {
        this.api = api;
    }

    /** @param tenant null for all that the key may see */
    List<Map<String, @Nullable Object>> heads(@Nullable String tenant) {
        List<Map<String, @Nullable Object>> heads = new ArrayList<>();
        pages(
                "/v1/audit/head",
                tenant == null ? List.of() : List.of(Map.entry("tenant", tenant)),
                page -> heads.addAll(Json.objects(page.get("heads"))));
        return heads;
    }

    /** The entries of a chain, the oldest first. */
    void entries(String chain, Consumer<Map<String, @Nullable Object>> sink) {
        List<Entry<String, String>> which = new ArrayList<>();
        which.add(chain.isEmpty() ? Map.entry("system", "true") : Map.entry("tenant", chain));
        which.add(Map.entry("oldest_first", "true"));
        pages("/v1/audit", which, page -> Json.objects(page.get("entries")).forEach(sink));
    }

    private void pages(String path, List<Entry<String, String>> which, Consumer<Map<String, @Nullable Object>> sink) {
        String cursor = "";
        do {
            List<Entry<String, String>> parameters = new ArrayList<>(which);
            parameters.add(Map.entry("page_size", PAGE));
            if (!cursor.isEmpty()) {
                parameters.add(Map.entry("cursor", cursor));
            }
            Map<String, @Nullable Object> page = Json.object(api.get(path + Api.query(parameters)));
            sink.accept(page);
            cursor = Json.text(page, "next_cursor");
        } while (!cursor.isEmpty());
    }
}
