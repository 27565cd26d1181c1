package dev.fairlane.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the audit of a server: the ends of its chains, and whole chains from their begin. */
final class AuditReading {
    private final Api api;

    AuditReading(Api api) {
        this.api = api;
    }

    /** @param tenant null for all that the key may see */
    List<Map<String, @Nullable Object>> heads(@Nullable String tenant) {
        List<Map<String, @Nullable Object>> heads = new ArrayList<>();
        api.pages(
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
        api.pages("/v1/audit", which, page -> Json.objects(page.get("entries")).forEach(sink));
    }
}
