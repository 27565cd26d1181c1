package dev.fairlane.journal.postgres;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Fact.JobAdded;
import dev.fairlane.core.model.JobId;
import dev.fairlane.journal.FactCodec;
import dev.fairlane.journal.JournalFault;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/**
 * Jobs of one tenant that share a row of open jobs, as they were when they were stored. It fits into a page, so that it lies in its row.
 *
 * @param jobs in the order of their ids
 * @param bytes the same as the journal has them
 */
record Bundle(List<JobAdded> jobs, byte[] bytes) {
    /** What a row may have in line, less the other columns. */
    private static final int MOST_BYTES = 7_900;

    /** What a job takes beside its payload, as a rule; a bundle that comes out too large is made again as two. */
    private static final int USUAL_BYTES = 48;

    /**
     * Packs the jobs of a tenant into as few bundles as they fit in.
     *
     * @param jobs in the order of their ids
     * @param alone takes those that are too large for any
     */
    static void pack(List<JobAdded> jobs, FactCodec codec, Consumer<Bundle> bundles, Consumer<JobAdded> alone) {
        List<JobAdded> some = new ArrayList<>();
        int bytes = 0;
        for (JobAdded job : jobs) {
            int more = job.spec().payload().bytes().length + USUAL_BYTES;
            if (more > MOST_BYTES) {
                alone.accept(job);
                continue;
            }
            if (bytes + more > MOST_BYTES) {
                encode(some, codec, bundles, alone);
                some = new ArrayList<>();
                bytes = 0;
            }
            some.add(job);
            bytes += more;
        }
        if (!some.isEmpty()) {
            encode(some, codec, bundles, alone);
        }
    }

    private static void encode(
            List<JobAdded> jobs, FactCodec codec, Consumer<Bundle> bundles, Consumer<JobAdded> alone) {
        byte[] bytes = codec.encode(jobs, jobs.getFirst().status().changedAt());
        if (bytes.length + jobs.size() * Long.BYTES <= MOST_BYTES) {
            bundles.accept(new Bundle(jobs, bytes));
        } else if (jobs.size() == 1) {
            alone.accept(jobs.getFirst());
        } else {
            encode(jobs.subList(0, jobs.size() / 2), codec, bundles, alone);
            encode(jobs.subList(jobs.size() / 2, jobs.size()), codec, bundles, alone);
        }
    }

    static List<JobAdded> jobs(byte[] bytes) {
        List<JobAdded> jobs = new ArrayList<>();
        for (Fact fact : FactCodec.decode(bytes).facts()) {
            if (!(fact instanceof JobAdded job)) {
                throw new JournalFault.Corrupt("expected a bundle of jobs, but found " + fact, null);
            }
            jobs.add(job);
        }
        return jobs;
    }

    int tenant() {
        return jobs.getFirst().spec().tenant().number();
    }

    JobId first() {
        return jobs.getFirst().id();
    }

    JobId last() {
        return jobs.getLast().id();
    }

    /** The low halves of the jobs' ids. */
    byte[] ids() {
        ByteBuffer ids = ByteBuffer.allocate(jobs.size() * Long.BYTES);
        jobs.forEach(job -> ids.putLong(job.id().lo()));
        return ids.array();
    }

    /** Whether one of these low halves of ids is as asked. */
    static boolean any(byte[] ids, LongPredicate asked) {
        ByteBuffer lows = ByteBuffer.wrap(ids);
        while (lows.hasRemaining()) {
            if (asked.test(lows.getLong())) {
                return true;
            }
        }
        return false;
    }
}
