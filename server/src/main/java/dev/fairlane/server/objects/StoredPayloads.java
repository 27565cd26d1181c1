package dev.fairlane.server.objects;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.PayloadRef;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.objects.ObjectFault;
import dev.fairlane.objects.ObjectInfo;
import dev.fairlane.objects.ObjectStore;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.PayloadStored;
import dev.fairlane.runtime.Node;
import dev.fairlane.server.fault.Faults;
import dev.fairlane.server.fault.Refused;
import java.io.InputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Payloads too large for a call, as objects named {@code payloads/<tenant>/<job>/bytes}. The id of the job is made when the bytes come, and
 * the job that is submitted with them must have it: so whose bytes they are stands in their name, they belong to one job, and the sweep
 * can ask whether that job was ever submitted. A reference is the name with the digest and size of the bytes in place of its last part.
 */
public final class StoredPayloads {
    static final String FOLDER = "payloads/";
    /** A submit must not come in the same moment as the sweep. */
    private static final Duration MARGIN = Duration.ofHours(1);

    private final Node node;
    private final ObjectStore store;
    private final InstantSource clock;
    private final Duration kept;
    private final Executor threads;

    /** @param kept how long bytes wait for their job */
    StoredPayloads(Node node, ObjectStore store, InstantSource clock, Duration kept, Executor threads) {
        this.node = node;
        this.store = store;
        this.clock = clock;
        this.kept = kept;
        this.threads = threads;
    }

    /** Whether a reference is one of this tenant. */
    public static boolean of(String ref, Tenant tenant) {
        return ref.startsWith(FOLDER + tenant.name() + "/");
    }

    /** Blocks. */
    PayloadStored save(Tenant tenant, InputStream bytes, long size, String sha256) {
        JobId id = node.newId(tenant.id()).join();
        String folder = FOLDER + tenant.name() + "/" + id + "/";
        DigestInputStream body = new DigestInputStream(bytes, sha256());
        ObjectInfo saved = store.put(folder + "bytes", body, size, true);
        String digest = HexFormat.of().formatHex(body.getMessageDigest().digest());
        if (!sha256.isEmpty() && !sha256.equals(digest)) {
            store.delete(folder + "bytes");
            throw Refused.invalid("sha256", "expected a body with this digest, but it has " + digest);
        }
        return PayloadStored.newBuilder()
                .setRef(folder + digest + "-" + saved.size())
                .setBytes(saved.size())
                .setSha256(digest)
                .build();
    }

    /** Why there is no job to be made of this reference, or empty when its bytes are there. Completes anywhere. */
    public CompletableFuture<Optional<Refused>> find(PayloadRef ref) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return look(ref);
                    } catch (RuntimeException e) {
                        return Optional.of(Faults.of(ObjectCalls.understood(e), ""));
                    }
                },
                threads);
    }

    private Optional<Refused> look(PayloadRef ref) {
        Optional<ObjectInfo> info = store.head(name(ref));
        if (info.isEmpty() || info.get().size() != ref.size()) {
            return Optional.of(
                    Refused.field(ErrorCode.OBJECT_NOT_FOUND, "payload_ref", ErrorCode.OBJECT_NOT_FOUND.title()));
        }
        Instant made = Instant.ofEpochMilli(ref.job().orElseThrow().millis());
        if (made.plus(kept).minus(MARGIN).isBefore(clock.instant())
                && node.get(null, ref.job().orElseThrow()).join().isEmpty()) {
            return Optional.of(Refused.field(
                    ErrorCode.OBJECT_NOT_FOUND, "payload_ref", "the payload was stored too long ago; store it again"));
        }
        return Optional.empty();
    }

    /** From the journal or from the store; the caller closes it. Blocks. */
    Results.Found get(@Nullable TenantId scope, JobId id, long from, long length) {
        JobView view = node.get(scope, id)
                .join()
                .orElseThrow(() -> Refused.of(ErrorCode.JOB_NOT_FOUND, ErrorCode.JOB_NOT_FOUND.title()));
        Payload payload = view.spec().payload();
        PayloadRef ref = PayloadRef.of(payload).orElse(null);
        if (ref == null) {
            return Results.inline("payload", payload, view.spec().submittedAt(), from, length);
        }
        try {
            return new Results.Found(store.get(name(ref), from, length), ref.contentType());
        } catch (ObjectFault e) {
            throw e.kind() == ObjectFault.Kind.NOT_FOUND
                    ? Refused.of(ErrorCode.OBJECT_NOT_FOUND, "the bytes are no longer in the object store")
                    : e;
        }
    }

    private static String name(PayloadRef ref) {
        return ref.ref().substring(0, ref.ref().lastIndexOf('/') + 1) + "bytes";
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
