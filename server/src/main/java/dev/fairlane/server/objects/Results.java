package dev.fairlane.server.objects;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.Payload;
import dev.fairlane.core.model.PayloadRef;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.objects.ObjectBody;
import dev.fairlane.objects.ObjectInfo;
import dev.fairlane.objects.ObjectStore;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.ResultSaved;
import dev.fairlane.runtime.Node;
import dev.fairlane.server.fault.Refused;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Results too large for the journal, as objects named {@code results/<tenant>/<job>/<token>}. Whose result it is stands in its name,
 * so that a worker can report only what it saved under the same lease. Methods block.
 */
public final class Results {
    static final String FOLDER = "results/";

    private final Node node;
    private final ObjectStore store;

    Results(Node node, ObjectStore store) {
        this.node = node;
        this.store = store;
    }

    /** A part of a result and its type. */
    record Found(ObjectBody body, String contentType) {}

    ResultSaved save(JobView job, long token, InputStream bytes, long size) {
        Tenant tenant = node.tenant(job.spec().tenant());
        if (tenant == null) {
            throw new IllegalStateException("a job of no tenant: " + job.spec().id());
        }
        String name = FOLDER + tenant.name() + "/" + tail(job.spec().id(), token);
        ObjectInfo saved = store.put(name, bytes, size, false);
        return ResultSaved.newBuilder().setRef(name).setBytes(saved.size()).build();
    }

    /** Whether a worker that holds this lease may report this reference. */
    public static boolean belongs(String ref, JobId id, long token) {
        return ref.startsWith(FOLDER) && ref.endsWith("/" + tail(id, token)) && ref.split("/", -1).length == 4;
    }

    private static String tail(JobId id, long token) {
        return id + "/" + "%016x".formatted(token);
    }

    /** From the journal or from the store; the caller closes it. */
    Found get(@Nullable TenantId scope, JobId id, long from, long length) {
        JobView view = node.get(scope, id)
                .join()
                .orElseThrow(() -> Refused.of(ErrorCode.JOB_NOT_FOUND, ErrorCode.JOB_NOT_FOUND.title()));
        Payload result = view.result();
        if (result == null) {
            throw Refused.of(
                    ErrorCode.RESULT_NOT_FOUND,
                    "the job is " + view.status().state() + "; only one that SUCCEEDED has a result");
        }
        PayloadRef ref = PayloadRef.of(result).orElse(null);
        if (ref != null) {
            return new Found(store.get(ref.ref(), from, length), ref.contentType());
        }
        return inline("result", result, view.status().changedAt(), from, length);
    }

    /** Part of bytes that are in the journal. */
    static Found inline(String name, Payload content, long changedAt, long from, long length) {
        int size = content.bytes().length;
        if (from > size) {
            throw Refused.invalid("Range", "expected a first byte up to " + size + ", but got " + from);
        }
        long part = length == ObjectStore.UNKNOWN ? size - from : Math.min(length, size - from);
        ObjectInfo info = new ObjectInfo(name, size, Instant.ofEpochMilli(changedAt / 1_000));
        InputStream bytes = new ByteArrayInputStream(content.bytes(), (int) from, (int) part);
        return new Found(new ObjectBody(info, from, part, bytes), content.contentType());
    }
}
