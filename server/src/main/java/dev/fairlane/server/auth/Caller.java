package dev.fairlane.server.auth;

import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.server.fault.Refused;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a call, as its key and the tenant it named say.
 *
 * @param keyName what people call the key: it stands in records of what was done
 * @param keyTenant the tenant the key is bound to; null for one that sees all tenants
 * @param named the tenant this call is about: the key's, or the one an all-tenant key named; null when it named none
 */
public record Caller(
        String keyId,
        String keyName,
        Role role,
        @Nullable Tenant keyTenant,
        @Nullable Tenant named) {

    /** What the call may see: null for everything. */
    public @Nullable TenantId scope() {
        return named == null ? null : named.id();
    }

    public boolean seesAllTenants() {
        return keyTenant == null;
    }

    /** Only keys that see all tenants pass. */
    public void requireAllTenants(String deed) {
        if (!seesAllTenants()) {
            throw Refused.of(
                    ErrorCode.PERMISSION_DENIED,
                    "expected a key that sees all tenants to " + deed + ", but this one is bound to a tenant");
        }
    }
}
