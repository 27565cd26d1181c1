package dev.fairlane.server.objects;

import dev.fairlane.core.model.Answer;
import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobMarks;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobView;
import dev.fairlane.core.model.RefusalCode;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.objects.ObjectBody;
import dev.fairlane.objects.ObjectFault;
import dev.fairlane.objects.ObjectInfo;
import dev.fairlane.objects.ObjectStore;
import dev.fairlane.protocol.ErrorCode;
import dev.fairlane.protocol.v1.Checkpoint;
import dev.fairlane.runtime.Node;
import dev.fairlane.server.fault.Refused;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checkpoints of jobs, as objects named {@code checkpoints/<tenant>/<job>/<token>-<time>}: names grow with every checkpoint. Methods
 * block.
 */
final class Checkpoints {
    static final String FOLDER = "checkpoints/";
    private static final Logger log = LoggerFactory.getLogger(Checkpoints.class);
    /** The newest, and the one before: if the newest turns out to be bad, people can still get at that. */
    private static final int KEPT = 2;

    private final Node node;
    private final ObjectStore store;
    private final InstantSource clock;

    Checkpoints(Node node, ObjectStore store, InstantSource clock) {
        this.node = node;
        this.store = store;
        this.clock = clock;
    }

    /** Refuses early, before any byte is read; the node alone decides in the end. */
    JobView admit(@Nullable TenantId scope, JobId id, long token) {
        JobView view = view(scope, id);
        JobStatus status = view.status();
        if (!status.state().leased() || status.token() != token) {
            throw revoked(id);
        }
        return view;
    }

    Checkpoint save(@Nullable TenantId scope, JobView view, long token, InputStream bytes, long size) {
        JobId id = view.spec().id();
        String name = folder(view) + "%016x-%016x".formatted(token, clock.millis());
        ObjectInfo saved = store.put(name, bytes, size, false);
        Answer answer = node.checkpoint(scope, id, token, name, saved.size()).join();
        if (!(answer instanceof Answer.Applied)) {
            discard(name);
            throw answer instanceof Answer.Refused refused && refused.refusal().code() != RefusalCode.JOB_NOT_FOUND
                    ? Refused.of(refused.refusal())
                    : revoked(id);
        }
        prune(folder(view), name);
        return Checkpoint.newBuilder()
                .setBytes(saved.size())
                .setSavedAtMicros(clock.millis() * 1_000)
                .setToken(token)
                .build();
    }

    /** The newest checkpoint of a job; the caller closes it. */
    ObjectBody load(@Nullable TenantId scope, JobId id) {
        JobMarks.Checkpoint newest = view(scope, id).status().marks().checkpoint();
        if (newest == null) {
            throw Refused.of(ErrorCode.CHECKPOINT_NOT_FOUND, ErrorCode.CHECKPOINT_NOT_FOUND.title());
        }
        return store.get(newest.ref(), 0, ObjectStore.UNKNOWN);
    }

    /** A job is at its end: nobody goes on from its checkpoints, unless it may be replayed. */
    void ended(Fact.JobEnded ended) {
        JobMarks.Checkpoint newest = ended.status().marks().checkpoint();
        if (newest != null && ended.status().state() != JobState.DEAD) {
            int end = newest.ref().lastIndexOf('/') + 1;
            names(newest.ref().substring(0, end)).forEach(this::discard);
        }
    }

    private JobView view(@Nullable TenantId scope, JobId id) {
        return node.get(scope, id)
                .join()
                .orElseThrow(() -> Refused.of(ErrorCode.JOB_NOT_FOUND, ErrorCode.JOB_NOT_FOUND.title()));
    }

    private String folder(JobView view) {
        Tenant tenant = node.tenant(view.spec().tenant());
        if (tenant == null) {
            throw new IllegalStateException("a job of no tenant: " + view.spec().id());
        }
        return FOLDER + tenant.name() + "/" + view.spec().id() + "/";
    }

    /** Names behind the newest are left alone: they are on their way. */
    private void prune(String folder, String newest) {
        List<String> older = new ArrayList<>();
        for (String name : names(folder)) {
            if (name.compareTo(newest) < 0) {
                older.add(name);
            }
        }
        for (int i = 0; i < older.size() - (KEPT - 1); i++) {
            discard(older.get(i));
        }
    }

    private List<String> names(String folder) {
        try {
            return store.list(folder, "", ObjectStore.PAGE_MAX).objects().stream()
                    .map(ObjectInfo::name)
                    .toList();
        } catch (ObjectFault e) {
            log.warn("old checkpoints in {} stay for a later sweep: {}", folder, e.getMessage());
            return List.of();
        }
    }

    /** What cannot be removed now is left to the sweep. */
    private void discard(String name) {
        try {
            store.delete(name);
        } catch (ObjectFault e) {
            log.warn("{} stays for a later sweep: {}", name, e.getMessage());
        }
    }

    private static Refused revoked(JobId id) {
        return Refused.of(
                ErrorCode.LEASE_REVOKED,
                "expected the token of the present lease of job " + id
                        + ", but got another; stop this execution, its checkpoint is not wanted");
    }
}
