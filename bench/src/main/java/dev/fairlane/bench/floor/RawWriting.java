package dev.fairlane.bench.floor;

import dev.fairlane.core.model.Fact;
import dev.fairlane.core.model.Gate;
import dev.fairlane.core.model.JobGroup;
import dev.fairlane.core.model.JobId;
import dev.fairlane.core.model.JobSpec;
import dev.fairlane.core.model.JobStatus;
import dev.fairlane.core.model.JobType;
import dev.fairlane.core.model.Tenant;
import dev.fairlane.core.model.TenantId;
import dev.fairlane.journal.Batch;
import dev.fairlane.journal.Flush;
import dev.fairlane.journal.HashChain;
import dev.fairlane.journal.Journal;
import dev.fairlane.journal.LogId;
import dev.fairlane.journal.OpenedLog;
import dev.fairlane.journal.RecoverySink;
import dev.fairlane.journal.Retention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Writes as fast as the journal takes it: appends in one loop, rows in another that may not fall far behind. */
public final class RawWriting {
    private static final long MAINTAIN_EVERY_NANOS = 1_000_000_000L;
    private static final long PAUSE_NANOS = 500_000;

    /** A flush starts when this many jobs have gathered: large enough that its own costs do not count. */
    private static final int FLUSH_JOBS = 10_000;

    /** How far the rows may be behind the appends. */
    private static final int BEHIND_JOBS = 60_000;

    private final Journal journal;
    private final LogId log;
    private final FloorFacts facts;
    private final byte[] hash = new byte[HashChain.BYTES];
    private final Semaphore ahead = new Semaphore(BEHIND_JOBS);

    /** What is appended; replaced as a whole, because a flush has to name a batch and the jobs up to it together. */
    private volatile Mark appended = new Mark(0, 0);

    private Mark written = appended;

    private record Mark(long sequence, long jobs) {}

    private RawWriting(Journal journal, OpenedLog opened) {
        this.journal = journal;
        this.log = opened.log();
        this.facts = new FloorFacts(opened.log().epoch());
    }

    public static RawWriting on(Journal journal) {
        return new RawWriting(journal, journal.open("floor", new Nothing()).join());
    }

    /**
     * How appends are cut.
     *
     * @param jobs of one batch
     * @param appends 1: all facts of a batch in one append; 3: submits, leases and ends each in their own
     */
    public record Cut(int jobs, int appends) {
        /** @param text {@code 1000} or {@code 1000x3} */
        public static Cut parse(String text) {
            String[] parts = text.split("x", 2);
            Cut cut = new Cut(Integer.parseInt(parts[0]), parts.length == 1 ? 1 : Integer.parseInt(parts[1]));
            if (cut.jobs < 1 || cut.jobs > BEHIND_JOBS || (cut.appends != 1 && cut.appends != 3)) {
                throw new IllegalArgumentException("expected a cut like 1000 or 1000x3, but got '" + text + "'");
            }
            return cut;
        }

        @Override
        public String toString() {
            return appends == 1 ? Integer.toString(jobs) : jobs + "x" + appends;
        }
    }

    /**
     * Both loops are measured over the same window, and the slower one is the answer: rows that catch up afterwards, when nobody
     * appends any more, do not count.
     *
     * @return jobs a second
     */
    public double run(Cut cut, Duration ramp, Duration window) throws InterruptedException, ExecutionException {
        long begin = System.nanoTime() + ramp.toNanos();
        long end = begin + window.toNanos();
        Pace appends = new Pace(begin, end);
        Pace rows = new Pace(begin, end);
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<?> appending = threads.submit(() -> append(cut, end, appends));
            Future<?> flushing = threads.submit(() -> flush(appending, rows));
            appending.get();
            flushing.get();
        }
        return Math.min(appends.perSecond(), rows.perSecond());
    }

    /** Jobs whose facts and rows are durable since this began. */
    public long jobs() {
        return written.jobs;
    }

    private @Nullable Void append(Cut cut, long end, Pace pace) throws InterruptedException {
        List<byte[]> turns = facts.turns(cut.jobs, micros());
        List<byte[]> appends = cut.appends == 1 ? List.of(joined(turns)) : turns;
        while (System.nanoTime() < end) {
            ahead.acquire(cut.jobs);
            long sequence = appended.sequence;
            for (byte[] bytes : appends) {
                journal.append(log, new Batch(++sequence, bytes, hash)).join();
            }
            appended = new Mark(sequence, appended.jobs + cut.jobs);
            pace.reached(appended.jobs, System.nanoTime());
        }
        return null;
    }

    /** As many bytes as the three together; nobody reads them as a turn. */
    private static byte[] joined(List<byte[]> turns) {
        byte[] all = new byte[turns.stream().mapToInt(turn -> turn.length).sum()];
        int at = 0;
        for (byte[] turn : turns) {
            System.arraycopy(turn, 0, all, at, turn.length);
            at += turn.length;
        }
        return all;
    }

    private void flush(Future<?> appending, Pace pace) {
        long maintained = System.nanoTime();
        boolean over = false;
        while (!over) {
            over = appending.isDone();
            Mark mark = appended;
            if (mark.jobs - written.jobs < (over ? 1 : FLUSH_JOBS)) {
                LockSupport.parkNanos(PAUSE_NANOS);
                continue;
            }
            write(mark);
            long now = System.nanoTime();
            pace.reached(mark.jobs, now);
            if (now - maintained > MAINTAIN_EVERY_NANOS) {
                journal.maintain(log, Retention.DEFAULT).join();
                maintained = now;
            }
        }
    }

    private void write(Mark mark) {
        long at = micros();
        int count = (int) (mark.jobs - written.jobs);
        List<Flush.Ended> rows = new ArrayList<>(count);
        for (long job = written.jobs + 1; job <= mark.jobs; job++) {
            rows.add(facts.row(job, at));
        }
        journal.flush(
                        log,
                        new Flush(
                                mark.sequence,
                                List.of(),
                                List.of(),
                                List.of(),
                                rows,
                                List.of(),
                                List.of(),
                                List.of(),
                                at))
                .join();
        written = mark;
        ahead.release(count);
    }

    private static long micros() {
        return System.currentTimeMillis() * 1_000;
    }

    /** A fresh database has nothing to tell. */
    private static final class Nothing implements RecoverySink {
        @Override
        public void begin(LogId log) {}

        @Override
        public void tenant(Tenant tenant) {}

        @Override
        public void type(JobType type) {}

        @Override
        public void group(JobGroup group) {}

        @Override
        public void gate(Gate gate) {}

        @Override
        public void sealedKey(TenantId tenant, String key, long submittedAt) {}

        @Override
        public void deadKey(TenantId tenant, String key, long endedAt) {}

        @Override
        public void key(TenantId tenant, String key, JobId id, long bodyHash, long submittedAt) {}

        @Override
        public void open(JobSpec spec, JobStatus status, int segment) {}

        @Override
        public boolean knows(JobId id) {
            return false;
        }

        @Override
        public void leftOut(JobSpec spec, JobStatus status) {}

        @Override
        public void tail(Fact fact) {}

        @Override
        public void segment(int segment, long rows, boolean sealed) {}
    }
}
