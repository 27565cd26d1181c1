package dev.fairlane.server.auth;

import dev.fairlane.core.model.Tenant;
import dev.fairlane.journal.ApiKeyStore.ApiKey;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.runtime.Node;
import dev.fairlane.server.fault.Refused;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The first check of every call: a good key, of a role that may do this, for a tenant that exists. */
public final class Gate {
    /** Header, or gRPC metadata, by which a key that sees all tenants names one. */
    public static final String TENANT_HEADER = "fairlane-tenant";

    private static final String BEARER = "Bearer ";

    private final KeyRing keys;
    private final Node node;

    public Gate(KeyRing keys, Node node) {
        this.keys = keys;
        this.node = node;
    }

    /**
     * @param authorization the header of that name
     * @param tenantName what {@link #TENANT_HEADER} says
     * @throws Refused when the call may not go on
     */
    public Caller admit(@Nullable String authorization, @Nullable String tenantName, Set<Role> allowed) {
        ApiKey key = authenticate(authorization);
        Role role = Role.find(key.role())
                .orElseThrow(() -> Refused.of(
                        ErrorCode.PERMISSION_DENIED,
                        "the key has the role '" + key.role() + "', which this server does not know"));
        if (!allowed.contains(role)) {
            throw Refused.of(
                    ErrorCode.PERMISSION_DENIED,
                    "expected a key with a role of "
                            + allowed.stream().map(Role::text).sorted().toList() + ", but this one is " + role.text());
        }
        Tenant bound = key.tenant().isEmpty() ? null : existing(key.tenant());
        if (tenantName == null || tenantName.isEmpty()) {
            return new Caller(key.id(), key.name(), role, bound, bound);
        }
        if (bound == null) {
            return new Caller(key.id(), key.name(), role, null, existing(tenantName));
        }
        if (!bound.name().equals(tenantName)) {
            throw Refused.of(ErrorCode.PERMISSION_DENIED, "the key is bound to another tenant than the one named");
        }
        return new Caller(key.id(), key.name(), role, bound, bound);
    }

    /**
     * For streams, which may last for days: looks at the key again.
     *
     * @throws Refused when it was revoked since
     */
    public void admitAgain(Caller caller) {
        if (keys.find(caller.keyId()).filter(key -> key.revokedAt() == 0).isEmpty()) {
            throw Refused.of(ErrorCode.UNAUTHENTICATED, "the API key was revoked");
        }
    }

    private ApiKey authenticate(@Nullable String authorization) {
        if (authorization == null) {
            throw Refused.of(
                    ErrorCode.UNAUTHENTICATED, "expected the header 'Authorization: Bearer flk_…', but there was none");
        }
        if (!authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            throw Refused.of(ErrorCode.UNAUTHENTICATED, "expected 'Bearer flk_…' in the header Authorization");
        }
        return Credential.parse(authorization.substring(BEARER.length()).strip())
                .flatMap(keys::verify)
                .orElseThrow(() -> Refused.of(ErrorCode.UNAUTHENTICATED, "the API key is not known or was revoked"));
    }

    private Tenant existing(String name) {
        Tenant tenant = node.tenant(name);
        if (tenant == null) {
            throw Refused.of(ErrorCode.TENANT_NOT_FOUND, "there is no tenant of that name");
        }
        return tenant;
    }
}
