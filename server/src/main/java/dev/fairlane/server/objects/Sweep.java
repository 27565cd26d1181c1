package dev.fairlane.server.objects;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobState;
import dev.fairlane.core.model.JobView;
import dev.fairlane.objects.ObjectInfo;
import dev.fairlane.objects.ObjectStore;
import dev.fairlane.runtime.Node;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what nobody points to any more: checkpoints of jobs that are at their end or gone, results and payloads of jobs that are gone,
 * payloads no job was submitted with. A job in the dead letters keeps its own,
 * since it may be replayed. Young objects are left alone, they may be on their way. Blocks.
 */
final class Sweep {
    private static final Logger log = LoggerFactory.getLogger(Sweep.class);
    private static final Duration YOUNG = Duration.ofHours(1);

    private final Node node;
    private final ObjectStore store;
    private final InstantSource clock;
    private final Duration uploadKept;

    /** @param uploadKept how long a payload waits for its job */
    Sweep(Node node, ObjectStore store, InstantSource clock, Duration uploadKept) {
        this.node = node;
        this.store = store;
        this.clock = clock;
        this.uploadKept = uploadKept;
    }

    /** Returns how many objects it removed. */
    int run() {
        return run(Checkpoints.FOLDER, Sweep::mayResume, YOUNG)
                + run(Results.FOLDER, view -> true, YOUNG)
                + run(StoredPayloads.FOLDER, view -> true, uploadKept);
    }

    private int run(String root, Predicate<JobView> needed, Duration young) {
        Instant before = clock.instant().minus(young);
        int removed = 0;
        String after = "";
        String folder = "";
        boolean wanted = true;
        ObjectStore.Page page;
        do {
            page = store.list(root, after, ObjectStore.PAGE_MAX);
            for (ObjectInfo object : page.objects()) {
                after = object.name();
                String parent = after.substring(0, after.lastIndexOf('/'));
                if (!parent.equals(folder)) {
                    folder = parent;
                    wanted = wanted(parent.substring(parent.lastIndexOf('/') + 1), needed);
                }
                if (!wanted && object.changedAt().isBefore(before)) {
                    store.delete(after);
                    removed++;
                }
            }
        } while (page.more());
        if (removed > 0) {
            log.info("swept {} objects nobody needs from {}", removed, root);
        }
        return removed;
    }

    private boolean wanted(String job, Predicate<JobView> needed) {
        return JobId.find(job)
                .flatMap(id -> node.get(null, id).join())
                .filter(needed)
                .isPresent();
    }

    private static boolean mayResume(JobView view) {
        JobState state = view.status().state();
        return !state.terminal() || state == JobState.DEAD;
    }
}
