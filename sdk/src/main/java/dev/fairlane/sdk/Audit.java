package dev.fairlane.sdk;

import dev.fairlane.protocol.v1.AuditGrpc;
import dev.fairlane.protocol.v1.AuditHeads;
import dev.fairlane.protocol.v1.AuditRecord;
import dev.fairlane.protocol.v1.EraseReasonRequest;
import dev.fairlane.protocol.v1.GetAuditHeadsRequest;
import dev.fairlane.protocol.v1.ListAuditRequest;
import dev.fairlane.protocol.v1.ListAuditResponse;
import dev.fairlane.sdk.internal.Rpc;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Who changed what, and proof that nobody changed that. Needs an admin key; one of a tenant sees its own chain.
 *
 * <pre>{@code
 * fairlane.audit().list(Audit.Filter.ALL.tenant("acme")).limit(20).forEach(System.out::println);
 * for (AuditChain chain : fairlane.audit().verify(null)) {
 *     chain.end().ifPresent(place -> System.err.println(chain.shownName() + " is broken: " + place));
 * }
 * }</pre>
 */
public final class Audit {
    private static final int PAGE = 1_000;

    private final Rpc rpc;

    Audit(Rpc rpc) {
        this.rpc = rpc;
    }

    /**
     * Which entries.
     *
     * @param tenant only its chain, for keys that see all tenants; empty for all the key sees
     * @param system only what concerns no single tenant, for keys that see all
     * @param from made at or after
     * @param to made before
     */
    public record Filter(
            String tenant,
            boolean system,
            @Nullable Instant from,
            @Nullable Instant to) {
        /** All the key sees. */
        public static final Filter ALL = new Filter("", false, null, null);

        public Filter tenant(String name) {
            return new Filter(name, false, from, to);
        }

        public Filter ofTheSystem() {
            return new Filter("", true, from, to);
        }

        public Filter between(@Nullable Instant start, @Nullable Instant end) {
            return new Filter(tenant, system, start, end);
        }
    }

    /** The newest first, fetched a page at a time while the stream is read. */
    public Stream<AuditEntry> list(Filter filter) {
        return pages(filter, false);
    }

    /**
     * Erases the text of an entry's reason, which is free and may name somebody. Its digest stays, so the chain holds; that it was erased is
     * an entry itself.
     *
     * @return the entry as it is now
     * @throws FairlaneException.NotFound if it is no longer kept
     */
    public AuditEntry eraseReason(AuditEntry entry) {
        return entry(rpc.call(
                AuditGrpc.getEraseReasonMethod(),
                EraseReasonRequest.newBuilder()
                        .setTenant(entry.chain())
                        .setSystem(entry.chain().isEmpty())
                        .setSequence(entry.sequence())
                        .build(),
                Rpc.Repeat.SAFE));
    }

    /**
     * The ends of the chains: keep the hashes elsewhere.
     *
     * @param tenant only its chain, for keys that see all tenants; null for all the key sees
     */
    public List<AuditHead> heads(@Nullable String tenant) {
        List<AuditHead> heads = new ArrayList<>();
        String cursor = "";
        do {
            AuditHeads page = rpc.call(
                    AuditGrpc.getGetAuditHeadsMethod(),
                    GetAuditHeadsRequest.newBuilder()
                            .setTenant(tenant == null ? "" : tenant)
                            .setPageSize(PAGE)
                            .setCursor(cursor)
                            .build(),
                    Rpc.Repeat.SAFE);
            page.getHeadsList()
                    .forEach(head -> heads.add(new AuditHead(
                            head.getChain(),
                            head.getSequence(),
                            head.getHash(),
                            time(head.getAtMicros()),
                            head.getAnchorSequence(),
                            head.getAnchorHash())));
            cursor = page.getNextCursor();
        } while (!cursor.isEmpty());
        return heads;
    }

    /**
     * Follows the chains from their first entry to their head. {@link AuditChain#end} says where one is broken, {@link AuditChain#has}
     * whether a head that was kept is among its entries.
     *
     * @param tenant only its chain, for keys that see all tenants; null for all the key sees
     */
    public List<AuditChain> verify(@Nullable String tenant) {
        List<AuditChain> chains = new ArrayList<>();
        for (AuditHead head : heads(tenant)) {
            AuditChain chain = new AuditChain(head);
            whole(head).forEach(chain::follow);
            chains.add(chain);
        }
        return chains;
    }

    /**
     * Tells the chains as lines of JSON, each chain behind a line with its head: what {@code fairlane audit verify --file} reads.
     *
     * @param tenant only its chain, for keys that see all tenants; null for all the key sees
     */
    public void export(@Nullable String tenant, Consumer<String> line) {
        JsonMapper json = new JsonMapper();
        for (AuditHead head : heads(tenant)) {
            line.accept(json.writeValueAsString(members(head)));
            whole(head)
                    .takeWhile(entry -> entry.sequence() <= head.sequence())
                    .forEach(entry -> line.accept(json.writeValueAsString(members(entry))));
        }
    }

    private Stream<AuditEntry> whole(AuditHead head) {
        Filter filter = head.chain().isEmpty() ? Filter.ALL.ofTheSystem() : Filter.ALL.tenant(head.chain());
        return pages(filter, true);
    }

    private Stream<AuditEntry> pages(Filter filter, boolean oldestFirst) {
        return Stream.iterate(
                        page(filter, oldestFirst, ""),
                        page -> page != null,
                        page -> page.getNextCursor().isEmpty() ? null : page(filter, oldestFirst, page.getNextCursor()))
                .flatMap(page -> page.getEntriesList().stream())
                .map(Audit::entry);
    }

    private @Nullable ListAuditResponse page(Filter filter, boolean oldestFirst, String cursor) {
        return rpc.call(
                AuditGrpc.getListAuditMethod(),
                ListAuditRequest.newBuilder()
                        .setTenant(filter.tenant())
                        .setSystem(filter.system())
                        .setFromMicros(micros(filter.from()))
                        .setToMicros(micros(filter.to()))
                        .setOldestFirst(oldestFirst)
                        .setPageSize(PAGE)
                        .setCursor(cursor)
                        .build(),
                Rpc.Repeat.SAFE);
    }

    private static AuditEntry entry(AuditRecord entry) {
        return new AuditEntry(
                entry.getChain(),
                entry.getSequence(),
                time(entry.getAtMicros()),
                entry.getKeyId(),
                entry.getKeyName(),
                entry.getRole(),
                entry.getRequestId(),
                entry.getTraceId(),
                entry.getRequestDigest(),
                entry.getAction(),
                entry.getTarget(),
                entry.getSummary(),
                entry.getReason(),
                entry.getReasonDigest(),
                entry.getBeforeDigest(),
                entry.getAfterDigest(),
                entry.getHash());
    }

    private static Map<String, Object> members(AuditHead head) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("chain", head.chain());
        members.put("sequence", head.sequence());
        members.put("hash", head.hash());
        members.put("at", head.at().toString());
        members.put("anchor_sequence", head.anchorSequence());
        members.put("anchor_hash", head.anchorHash());
        return members;
    }

    private static Map<String, Object> members(AuditEntry entry) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("chain", entry.chain());
        members.put("sequence", entry.sequence());
        members.put("at", entry.at().toString());
        members.put("key_id", entry.keyId());
        members.put("key_name", entry.keyName());
        members.put("role", entry.role());
        members.put("request_id", entry.requestId());
        members.put("trace_id", entry.traceId());
        members.put("request_digest", entry.requestDigest());
        members.put("action", entry.action());
        members.put("target", entry.target());
        members.put("summary", entry.summary());
        members.put("reason", entry.reason());
        members.put("before_digest", entry.beforeDigest());
        members.put("after_digest", entry.afterDigest());
        members.put("hash", entry.hash());
        members.put("reason_digest", entry.reasonDigest());
        members.values().removeIf(""::equals);
        return members;
    }

    private static Instant time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    private static long micros(@Nullable Instant time) {
        return time == null ? 0 : ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }
}
