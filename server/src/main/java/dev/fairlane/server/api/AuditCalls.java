package dev.fairlane.server.api;

import dev.fairlane.core.model.AuditDeed;
import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.Author;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.AuditQuery;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.AuditHead;
import dev.fairlane.protocol.v1.AuditHeads;
import dev.fairlane.protocol.v1.AuditRecord;
import dev.fairlane.protocol.v1.EraseReasonRequest;
import dev.fairlane.protocol.v1.GetAuditHeadsRequest;
import dev.fairlane.protocol.v1.ListAuditRequest;
import dev.fairlane.protocol.v1.ListAuditResponse;
import dev.fairlane.runtime.Node;
import dev.fairlane.server.admit.JobCheck;
import dev.fairlane.server.admit.Limits;
import dev.fairlane.server.fault.Refused;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reading the audit, and erasing reasons from it. What is written into it comes with the calls that change something: {@link Call#author}. */
public final class AuditCalls {
    private static final int BEFORE_ALL_CHAINS = -1;

    private final Node node;
    private final Tenants tenants;

    public AuditCalls(Node node) {
        this.node = node;
        this.tenants = new Tenants(node);
    }

    public CompletableFuture<ListAuditResponse> list(Call call, ListAuditRequest request) {
        int asked = (int) JobCheck.between("page_size", request.getPageSize(), 0, Limits.PAGE);
        int size = asked == 0 ? Limits.DEFAULT_PAGE : asked;
        JobCheck.time("from", request.getFromMicros());
        JobCheck.time("to", request.getToMicros());
        if (request.getToMicros() > 0 && request.getToMicros() <= request.getFromMicros()) {
            throw Refused.invalid("to", "expected a time after from");
        }
        AuditQuery begin = new AuditQuery(
                chain(call, request.getTenant(), request.getSystem()),
                request.getFromMicros(),
                request.getToMicros(),
                null,
                request.getOldestFirst(),
                size + 1);
        AuditQuery query = request.getCursor().isEmpty()
                ? begin
                : new AuditQuery(
                        begin.chain(),
                        begin.fromAt(),
                        begin.toAt(),
                        AuditCursor.read(begin, request.getCursor()),
                        begin.oldestFirst(),
                        begin.limit());
        return node.audit().list(query).thenApplyAsync(found -> page(query, found, size), call.executor());
    }

    private @Nullable TenantId chain(Call call, String tenant, boolean system) {
        if (!system) {
            return tenants.scope(call.caller(), tenant);
        }
        call.caller().requireAllTenants("see the audit of the system");
        if (!tenant.isEmpty() || call.caller().named() != null) {
            throw Refused.invalid("system", "expected either a tenant or the system, but there are both");
        }
        return AuditEntry.SYSTEM;
    }

    private ListAuditResponse page(AuditQuery query, List<AuditEntry> found, int size) {
        List<AuditEntry> shown = found.size() > size ? found.subList(0, size) : found;
        ListAuditResponse.Builder response = ListAuditResponse.newBuilder();
        shown.forEach(entry -> response.addEntries(message(entry)));
        if (found.size() > size) {
            response.setNextCursor(AuditCursor.write(query, AuditQuery.Place.of(shown.getLast())));
        }
        return response.build();
    }

    private AuditRecord message(AuditEntry entry) {
        return AuditRecord.newBuilder()
                .setChain(name(entry.chain()))
                .setSequence(entry.sequence())
                .setAtMicros(entry.at())
                .setKeyId(entry.by().keyId())
                .setKeyName(entry.by().keyName())
                .setRole(entry.by().role())
                .setRequestId(entry.by().request())
                .setTraceId(entry.by().trace())
                .setRequestDigest(entry.by().digest())
                .setAction(entry.deed().action())
                .setTarget(entry.deed().target())
                .setSummary(entry.deed().summary())
                .setReason(entry.deed().reason())
                .setReasonDigest(entry.reasonDigest())
                .setBeforeDigest(entry.deed().before())
                .setAfterDigest(entry.deed().after())
                .setHash(entry.hash())
                .build();
    }

    public CompletableFuture<AuditHeads> heads(Call call, GetAuditHeadsRequest request) {
        int asked = (int) JobCheck.between("page_size", request.getPageSize(), 0, Limits.PAGE);
        int size = asked == 0 ? Limits.PAGE : asked;
        TenantId scope = tenants.scope(call.caller(), request.getTenant());
        int after = request.getCursor().isEmpty() ? BEFORE_ALL_CHAINS : AuditCursor.readChain(request.getCursor());
        return node.audit()
                .heads(scope, after, size + 1)
                .thenApplyAsync(
                        found -> {
                            AuditHeads.Builder response = AuditHeads.newBuilder();
                            found.stream().limit(size).forEach(head -> response.addHeads(message(head)));
                            if (found.size() > size) {
                                response.setNextCursor(AuditCursor.write(
                                        found.get(size - 1).chain().number()));
                            }
                            return response.build();
                        },
                        call.executor());
    }

    public CompletableFuture<AuditRecord> eraseReason(Call call, EraseReasonRequest request) {
        TenantId chain = chain(call, request.getTenant(), request.getSystem());
        if (chain == null) {
            throw Refused.invalid(
                    "tenant", "expected a tenant or the system, since every chain counts its own entries");
        }
        long sequence = JobCheck.between("sequence", request.getSequence(), 1, Long.MAX_VALUE);
        return node.audit()
                .eraseReason(chain, sequence, call.author(request))
                .thenApplyAsync(
                        found -> message(found.orElseThrow(() -> Refused.field(
                                ErrorCode.AUDIT_ENTRY_NOT_FOUND,
                                "sequence",
                                "there is no entry " + sequence + " in this chain"))),
                        call.executor());
    }

    private AuditHead message(dev.fairlane.core.model.AuditHead head) {
        return AuditHead.newBuilder()
                .setChain(name(head.chain()))
                .setSequence(head.sequence())
                .setHash(head.hash())
                .setAtMicros(head.at())
                .setAnchorSequence(head.anchor())
                .setAnchorHash(head.anchorHash())
                .build();
    }

    /** Whoever can start the server can make an admin key without having one: that is written down too. */
    public static void keyMadeAtStart(Node node, String id) {
        node.audit()
                .note(
                        AuditEntry.SYSTEM,
                        new AuditDeed("key.create", "key/" + id, "role admin, for the home of the server", ""),
                        new Author("", "start of the server", "", "", "", ""))
                .join();
    }

    private String name(TenantId chain) {
        Tenant tenant = node.tenant(chain);
        return tenant == null ? "" : tenant.name();
    }
}
