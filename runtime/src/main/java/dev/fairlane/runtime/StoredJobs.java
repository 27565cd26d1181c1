package dev.fairlane.runtime;

import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.core.shard.Engine;
import dev.fairlane.core.shard.JobSnapshot;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.StoredJob;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which open jobs are in the store and in which segment. Segments are a log: filled one after the other, emptied oldest first, so
 * that a newer image of a job is never in an older segment than its spec.
 */
final class StoredJobs {
    static final int NONE = StoredJob.ANYWHERE;

    private final LongMap<Segment> jobs = new LongMap<>();
    private final ArrayDeque<Segment> segments = new ArrayDeque<>();
    /** Home of those that are in memory and, in the store, still among the far ones. It is no segment of the log. */
    private final Segment far = new Segment(Flush.FAR);

    private long rows;

    int size() {
        return jobs.size();
    }

    /** Far jobs that are in memory. */
    int far() {
        return far.live;
    }

    /** With what is known of where they are. */
    List<StoredJob> homes(List<JobId> ids, Engine engine) {
        return ids.stream().map(id -> home(id, tenant(engine.job(id)))).toList();
    }

    private static @Nullable TenantId tenant(@Nullable JobSnapshot job) {
        return job == null ? null : job.tenant();
    }

    StoredJob home(JobId id, @Nullable TenantId tenant) {
        return new StoredJob(id, tenant == null ? StoredJob.ANYBODY : tenant.number(), segmentOf(id.lo()));
    }

    /** Segment of the job, or {@link #NONE}. */
    int segmentOf(long lo) {
        Segment segment = jobs.get(lo);
        return segment == null ? NONE : segment.now().number;
    }

    /** The job's spec is now in this segment. */
    void put(JobId id, int segment) {
        Segment to = segment(segment);
        Segment from = jobs.put(id.lo(), to);
        if (from != null) {
            from.now().live--;
        }
        to.live++;
    }

    void remove(long lo) {
        Segment from = jobs.remove(lo);
        if (from != null) {
            from.now().live--;
        }
    }

    /** Rows of any age were appended to a segment. */
    void rowsAppended(int segment, long count) {
        segment(segment).rows += count;
        rows += count;
    }

    /** The segment to empty next, when more than half of all rows are of no use any more or it has nothing left; else null. */
    @Nullable Segment toCompact(int current, int minRows) {
        Segment oldest = segments.peekFirst();
        if (oldest == null || oldest.number == current || segments.size() < 2) {
            return null;
        }
        boolean mostlyGarbage = rows - (jobs.size() - far.live) > rows / 2 && rows > minRows;
        return oldest.live == 0 || mostlyGarbage ? oldest : null;
    }

    /** All that was at home there is at home in another one now. */
    void emptied(Segment segment, int into) {
        Segment to = segment(into);
        rowsAppended(into, segment.live);
        to.live += segment.live;
        segment.live = 0;
        segment.into = to;
        segments.remove(segment);
        rows -= segment.rows;
    }

    private Segment segment(int number) {
        if (number == Flush.FAR) {
            return far;
        }
        Segment last = segments.peekLast();
        if (last != null && last.number == number) {
            return last;
        }
        for (Segment segment : segments) {
            if (segment.number == number) {
                return segment;
            }
        }
        Segment added = new Segment(number);
        segments.addLast(added);
        return added;
    }

    static final class Segment {
        final int number;
        private int live;
        private long rows;

        /** Where its jobs went when it was emptied; they need not be told one by one. */
        private @Nullable Segment into;

        Segment(int number) {
            this.number = number;
        }

        int live() {
            return live;
        }

        /** The way of a job that outlives many segments is made shorter as it is gone. */
        private Segment now() {
            Segment segment = this;
            for (Segment next = segment.into; next != null; next = segment.into) {
                if (next.into == null) {
                    return next;
                }
                segment.into = next.into;
                segment = next.into;
            }
            return segment;
        }
    }
}
