package dev.fairlane.server.api;

import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.runtime.Node;
import dev.fairlane.server.admit.Text;
import dev.fairlane.server.auth.Caller;
import dev.fairlane.server.fault.Refused;
import org.jspecify.annotations.Nullable;

/** Whom a call is about. */
public final class Tenants {
    /** Where a key that sees all tenants submits to unless it names another. Made at the first start. */
    public static final String DEFAULT = "default";

    private final Node node;

    public Tenants(Node node) {
        this.node = node;
    }

    /** The tenant that what the caller submits belongs to. */
    public Tenant ofSubmit(Caller caller) {
        return caller.named() != null ? caller.named() : existing(DEFAULT);
    }

    /** The tenant a request names, or the caller's; a caller bound to a tenant may name its own only. */
    @Nullable TenantId scope(Caller caller, String named) {
        return named.isEmpty() ? caller.scope() : named(caller, named).id();
    }

    Tenant named(Caller caller, String name) {
        Text.tenantName("tenant", name);
        Tenant own = caller.named();
        if (own == null) {
            return existing(name);
        }
        if (!own.name().equals(name)) {
            throw Refused.field(ErrorCode.PERMISSION_DENIED, "tenant", "the call is bound to another tenant");
        }
        return own;
    }

    private Tenant existing(String name) {
        Tenant tenant = node.tenant(name);
        if (tenant == null) {
            throw Refused.field(ErrorCode.TENANT_NOT_FOUND, "tenant", "there is no tenant " + name);
        }
        return tenant;
    }
}
