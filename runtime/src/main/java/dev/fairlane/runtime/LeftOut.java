package dev.fairlane.runtime;

import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.outcome.Images;
import dev.fairlane.journal.Flush;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that wait as they were added and that the flushes left out: they are in memory and in the journal. Most of them are run soon, and cost one row of
 * history then. They lie in pages by their number, which is the order they came in: pages leave oldest first, and the oldest says from where on the journal
 * is needed. Owned by the loop.
 */
final class LeftOut {
    /** Everybody is stored. */
    static final Bounds NOBODY = new Bounds(false, Long.MAX_VALUE, 0, Integer.MAX_VALUE);

    /**
     * Who may be left out of a flush.
     *
     * @param more whether those that were added since the last one may
     * @param addedAfter those that were added before, or at this time, may not
     * @param maxBytes what the specs of all may weigh; who comes when there is no room is stored, since the others are run before
     * @param mostLeave whom one flush left out leaves together: no more follow when so many have left
     */
    record Bounds(boolean more, long addedAfter, long maxBytes, int mostLeave) {}

    /** A flood fills a page in some milliseconds. */
    private static final int PAGE_BITS = 8;

    private static final int PAGE = 1 << PAGE_BITS;

    /** By the number of their first job. */
    private final LongMap<Page> pages = new LongMap<>();

    private final ArrayDeque<Page> inOrder = new ArrayDeque<>();
    /** The one that got the last job; null when it is gone. */
    private @Nullable Page latest;

    /** What all may weigh, with those that come. */
    private long room;

    private long firstSequence;
    private int size;
    private long bytes;

    /** What their specs weigh. */
    long bytes() {
        return bytes;
    }

    int size() {
        return size;
    }

    /** The image of one that is left out. */
    static JobStatus status(JobSpec spec) {
        return Images.queued(spec.submittedAt(), spec.submittedAt());
    }

    /** From here on, until the next call, jobs may come that were added by batches from this one on. */
    void begin(long sequence, Bounds bounds) {
        room = bounds.more ? bounds.maxBytes : 0;
        firstSequence = sequence;
    }

    /** Leaves out a job that is as it was added; false for one that has to be stored, since more than its row goes with it. */
    boolean take(JobSpec spec, JobStatus status) {
        if (room == 0 || !Flush.mayLeaveOut(spec, status) || !asAdded(spec, status)) {
            return false;
        }
        int weight = spec.weight();
        if (bytes + weight > room) {
            return false;
        }
        page(spec).put(spec, weight);
        size++;
        bytes += weight;
        return true;
    }

    private Page page(JobSpec spec) {
        long number = spec.id().lo() >>> PAGE_BITS;
        Page page = latest;
        if (page == null || page.number != number) {
            page = pages.get(number);
            if (page == null) {
                page = new Page(number, firstSequence, spec.submittedAt());
                pages.put(number, page);
                inOrder.addLast(page);
            }
            latest = page;
        }
        return page;
    }

    /** Whether {@link #status} tells all of it. */
    private static boolean asAdded(JobSpec spec, JobStatus status) {
        return status.queuedAt() == spec.submittedAt()
                && status.changedAt() == spec.submittedAt()
                && status.dueAt() == 0
                && status.execution() == 0;
    }

    /** Something happened to the job: it is left out no longer. Null for one that is not. */
    @Nullable JobSpec take(long lo) {
        if (size == 0) {
            return null;
        }
        Page page = pages.get(lo >>> PAGE_BITS);
        JobSpec spec = page == null ? null : page.specs[Page.place(lo)];
        if (page != null && spec != null) {
            size--;
            bytes -= page.remove(lo);
        }
        return spec;
    }

    /**
     * Hands over those that are to be stored now. Who was left out by one flush leaves together, so that the journal is needed from a later batch on than before:
     * a flush that covers nothing new is told from the last one by that alone.
     */
    void leave(Bounds bounds, Consumer<JobSpec> sink) {
        int left = 0;
        long leaving = 0;
        for (Page oldest = oldest(); oldest != null; oldest = oldest()) {
            boolean due = left < bounds.mostLeave && oldest.addedAt <= bounds.addedAfter;
            if (oldest.firstSequence != leaving && !due) {
                return;
            }
            leaving = oldest.firstSequence;
            left += oldest.size;
            for (JobSpec spec : oldest.specs) {
                if (spec != null) {
                    take(spec.id().lo());
                    sink.accept(spec);
                }
            }
        }
    }

    /** The first batch that is needed for one of them, or this one. */
    long keptFrom(long otherwise) {
        Page oldest = oldest();
        return oldest == null ? otherwise : oldest.firstSequence;
    }

    /** All that are left out were added at this time or later; {@code Long.MAX_VALUE} without any. */
    long addedFrom() {
        Page oldest = oldest();
        return oldest == null ? Long.MAX_VALUE : oldest.addedAt;
    }

    /** The first page that has any, of those that are there from then on. */
    private @Nullable Page oldest() {
        for (Page oldest = inOrder.peekFirst(); oldest != null; oldest = inOrder.peekFirst()) {
            if (oldest.size > 0) {
                return oldest;
            }
            inOrder.removeFirst();
            pages.remove(oldest.number);
            if (latest == oldest) {
                latest = null;
            }
        }
        return null;
    }

    /** Jobs whose numbers begin alike. */
    private static final class Page {
        final long number;
        /** Of the flush that left out the first of them: none was added before. */
        final long firstSequence;
        /** When the first was added. */
        final long addedAt;

        final @Nullable JobSpec[] specs = new JobSpec[PAGE];
        int size;
        long bytes;

        Page(long number, long firstSequence, long addedAt) {
            this.number = number;
            this.firstSequence = firstSequence;
            this.addedAt = addedAt;
        }

        void put(JobSpec spec, int weight) {
            specs[place(spec.id().lo())] = spec;
            size++;
            bytes += weight;
        }

        /** What it weighs: as much as each of those that are left, since what it weighed itself is in no cache any more. */
        long remove(long lo) {
            long weight = bytes / size;
            specs[place(lo)] = null;
            size--;
            bytes -= weight;
            return weight;
        }

        static int place(long lo) {
            return (int) lo & PAGE - 1;
        }
    }
}
