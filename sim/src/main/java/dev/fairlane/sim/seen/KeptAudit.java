package dev.fairlane.sim.seen;

import dev.fairlane.core.model.AuditEntry;
import dev.fairlane.core.model.AuditHead;
import dev.fairlane.core.model.TenantId;
import java.util.List;
import java.util.Map;

/**
 * The audit as the store has kept it.
 *
 * @param entries of all chains, each in its order
 * @param names of all tenants
 */
public record KeptAudit(List<AuditHead> heads, List<AuditEntry> entries, Map<TenantId, String> names) {
    public List<AuditEntry> of(TenantId chain) {
        return entries.stream().filter(entry -> entry.chain().equals(chain)).toList();
    }
}
