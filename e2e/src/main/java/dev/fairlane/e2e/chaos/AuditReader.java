package dev.fairlane.e2e.chaos;

import dev.fairlane.bench.rig.RigException;
import dev.fairlane.core.model.AuditDeed;
import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.AuditHead;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.e2e.history.Event;
import dev.fairlane.e2e.history.EventLog;
import dev.fairlane.journal.AuditCheck;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the whole audit as an operator would, follows its chains, and puts on record what it saw. */
final class AuditReader {
    private static final JsonMapper JSON = new JsonMapper();
    private static final TenantId ANY = new TenantId(0);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;
    private final String key;
    private final EventLog log;

    AuditReader(String url, String key, EventLog log) {
        this.url = url;
        this.key = key;
        this.log = log;
    }

    void read(String pass) {
        long asked = EventLog.now();
        List<Event> seen = new ArrayList<>();
        seen.add(new Event.AuditRead(asked, pass));
        for (JsonNode head : pages("/v1/audit/head?page_size=1000", "heads")) {
            String chain = text(head, "chain");
            AuditHead ends = new AuditHead(
                    ANY,
                    head.get("anchor_sequence").asLong(),
                    text(head, "anchor_hash"),
                    head.get("sequence").asLong(),
                    text(head, "hash"),
                    0);
            String which = chain.isEmpty() ? "system=true" : "tenant=" + encoded(chain);
            List<AuditEntry> entries = pages("/v1/audit?page_size=1000&oldest_first=true&" + which, "entries").stream()
                    .map(AuditReader::entry)
                    .filter(entry -> entry.sequence() <= ends.sequence())
                    .toList();
            String name = chain.isEmpty() ? Event.NONE : chain;
            boolean holds = AuditCheck.firstBreak(ends, chain, entries).isEmpty();
            seen.add(new Event.ChainRead(asked, pass, name, holds));
            entries.forEach(entry -> seen.add(new Event.Audited(
                    EventLog.now(),
                    pass,
                    name,
                    entry.sequence(),
                    entry.deed().action(),
                    entry.deed().target().replace(' ', '_'))));
        }
        log.record(seen);
    }

    private static AuditEntry entry(JsonNode entry) {
        return new AuditEntry(
                ANY,
                entry.get("sequence").asLong(),
                ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(text(entry, "at"))),
                new Author(
                        text(entry, "key_id"),
                        text(entry, "key_name"),
                        text(entry, "role"),
                        text(entry, "request_id"),
                        text(entry, "trace_id"),
                        text(entry, "request_digest")),
                new AuditDeed(
                        text(entry, "action"),
                        text(entry, "target"),
                        text(entry, "summary"),
                        text(entry, "reason"),
                        text(entry, "before_digest"),
                        text(entry, "after_digest")),
                text(entry, "reason_digest"),
                text(entry, "hash"));
    }

    private List<JsonNode> pages(String path, String list) {
        List<JsonNode> all = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = get(path + (cursor.isEmpty() ? "" : "&cursor=" + encoded(cursor)));
            page.get(list).forEach(all::add);
            cursor = text(page, "next_cursor");
        } while (!cursor.isEmpty());
        return all;
    }

    private JsonNode get(String path) {
        try {
            HttpResponse<String> response = http.send(
                    HttpRequest.newBuilder(URI.create(url + path))
                            .header("Authorization", "Bearer " + key)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new RigException("the audit cannot be read: " + response.body());
            }
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new RigException("the audit cannot be read: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RigException("interrupted", e);
        }
    }

    private static String text(JsonNode node, String name) {
        return node.has(name) ? node.get(name).asString() : "";
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
