package dev.fairlane.server.hostile;

import static org.awaitility.Awaitility.await;

import dev.fairlane.core.model.JobId;
import dev.fairlane.journal.JobQuery;
import dev.fairlane.protocol.v1.AdminGrpc;
import dev.fairlane.protocol.v1.ListKeysRequest;
import dev.fairlane.protocol.v1.RevokeKeyRequest;
import dev.fairlane.runtime.Position;
import dev.fairlane.server.TestServer;
import dev.fairlane.server.auth.Role;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the hostile tests share: bad keys, bad values, and a look at everything that is stored. */
final class Hostile {
    static final List<String> TEXTS = List.of(
            "\0",
            "a\0b",
            "\u202e\ud83d\ude00\u0301",
            "' OR 1=1; DROP TABLE job_open; --",
            "..\\..\\etc\\passwd",
            "<script>alert(1)</script>",
            "${jndi:ldap://x}",
            "%s%n%x",
            "x".repeat(100_000),
            " ",
            "\r\nSet-Cookie: a=b",
            "- 1",
            "#NaN");

    private final TestServer server;
    private final Map<Role, String> keys = new EnumMap<>(Role.class);
    private final Map<Role, String> keysOfAnother = new EnumMap<>(Role.class);
    private final String revoked;

    Hostile(TestServer server) {
        this.server = server;
        for (Role role : Role.values()) {
            keys.put(role, server.newKey("", role.text()));
            keysOfAnother.put(role, server.newKey("another", role.text()));
        }
        this.revoked = server.newKey("", "admin");
        server.stub(AdminGrpc.AdminBlockingStub.class)
                .revokeKey(RevokeKeyRequest.newBuilder()
                        .setId(revoked.split("_")[1])
                        .build());
    }

    /** Values of the header Authorization that no call may get through with. */
    List<String> badAuthorizations() {
        String good = server.adminKey();
        return List.of(
                "",
                "Bearer",
                "Bearer ",
                "Basic YWRtaW46YWRtaW4=",
                good,
                "Bearer " + revoked,
                "Bearer " + good.substring(0, good.length() - 1),
                "Bearer " + good + "x",
                "Bearer flk_000000000000_" + "A".repeat(43),
                "Bearer flk_" + "A".repeat(5_000),
                "Bearer flk__");
    }

    String key(Role role) {
        return keys.get(role);
    }

    String keyOfAnother(Role role) {
        return keysOfAnother.get(role);
    }

    /** Everything that is stored, as text. */
    String stored() {
        List<String> all = new ArrayList<>();
        server.node().tenants().forEach(tenant -> all.add("tenant " + tenant));
        server.node().types(null).join().forEach(type -> all.add("type " + type.tenant() + " " + type.name()));
        server.stub(AdminGrpc.AdminBlockingStub.class)
                .listKeys(ListKeysRequest.getDefaultInstance())
                .getKeysList()
                .forEach(key -> all.add("key " + key.getId() + " " + key.getRevokedAtMicros()));
        JobId before = null;
        do {
            var page = server.node()
                    .list(new JobQuery(null, Set.of(), "", before, 1_000), newest())
                    .join();
            page.jobs()
                    .forEach(job -> all.add(
                            "job " + job.spec().id() + " " + job.status().state()));
            before = page.next();
        } while (before != null);
        return String.join("\n", all);
    }

    /** The same when the node has looked at itself since. */
    String storedByNow() {
        for (int i = 0; i < 2; i++) {
            long before = server.node().status().takenAt();
            await().until(() -> server.node().status().takenAt() > before);
        }
        return stored();
    }

    /** A position behind everything taken so far. */
    private Position newest() {
        var status = server.node().status();
        return new Position(status.epoch(), status.committed());
    }
}
