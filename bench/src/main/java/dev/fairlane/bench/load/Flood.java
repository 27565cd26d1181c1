package dev.fairlane.bench.load;

import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.SubmitResult;
import dev.fairlane.sdk.SubmitStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Submits as fast as jobs are finished: a closed loop over the SDK's bulk streams, one for each key, which take turns. With a rate
 * batches go out at fixed times instead, and a flood that has fallen behind its times makes up for it.
 */
final class Flood {
    private static final long PAUSE_NANOS = 500_000;
    private static final long HIGHEST_NANOS = 60_000_000_000L;

    /** Of all streams together: half of what a server lets wait before it refuses more. */
    private static final long UNANSWERED_MAX = 50_000;

    /** To be closed in the end, the views of a client before it. */
    private final List<Fairlane> clients = new ArrayList<>();

    private final List<SubmitStream> streams = new ArrayList<>();
    private final Supply supply;
    private final Tally tally;
    private final long bound;
    private final int batch;
    private final long rate;
    private final Thread thread;
    private final Histogram answers = new Histogram(HIGHEST_NANOS, 3);
    private final long finishedBefore;
    private volatile boolean over;
    private volatile @Nullable Throwable failure;
    private int turn;
    private volatile long submitted;
    private volatile long answered;
    private long accepted;
    /** Why the first job was not accepted that was not. */
    private String refusal = "";

    /**
     * @param keys one for each stream
     * @param shared whether they are views of one client, over its connection; else each has a client of its own
     * @param bound most jobs submitted and not finished
     * @param rate jobs a second; 0: as fast as they are finished
     */
    Flood(
            String url,
            List<String> keys,
            boolean shared,
            Supply supply,
            Tally tally,
            long bound,
            int batch,
            int window,
            long rate) {
        this.supply = supply;
        this.tally = tally;
        this.bound = bound;
        this.batch = batch;
        this.rate = rate;
        this.finishedBefore = tally.finished();
        for (String key : keys) {
            Fairlane client = shared && !clients.isEmpty() ? clients.getLast().as(key) : Fairlane.connect(url, key);
            clients.addFirst(client);
            streams.add(client.submitter()
                    .batchSize(batch)
                    .window(window)
                    .onBatch(this::answered)
                    .open());
        }
        this.thread = Thread.ofPlatform().name("flood").start(this::run);
    }

    private void run() {
        long begin = System.nanoTime();
        long count = 0;
        try {
            while (!over) {
                long due = rate == 0 ? System.nanoTime() : begin + count * 1_000_000_000L / rate;
                long early = due - System.nanoTime();
                boolean full = supply.fresh() - (tally.finished() - finishedBefore) > bound - batch
                        || count - answered > UNANSWERED_MAX - batch;
                if (early > 0 || full) {
                    LockSupport.parkNanos(early > 0 ? early : PAUSE_NANOS);
                    continue;
                }
                SubmitStream stream = streams.get(turn++ % streams.size());
                List<Job> jobs = new ArrayList<>(batch);
                for (int i = 0; i < batch; i++) {
                    jobs.add(supply.next(i, due));
                }
                stream.submit(jobs);
                count += batch;
                submitted = count;
            }
            streams.forEach(SubmitStream::close);
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private synchronized void answered(SubmitStream.Batch answer) {
        answered += answer.size();
        int taken = answer.accepted();
        accepted += taken;
        if (taken < answer.size() && refusal.isEmpty()) {
            refusal = answer.results().stream()
                    .map(SubmitResult::refusal)
                    .filter(Objects::nonNull)
                    .map(Throwable::toString)
                    .findFirst()
                    .orElse("");
        }
        answers.recordValue(Math.min(HIGHEST_NANOS, answer.elapsed().toNanos()));
    }

    /** Submitted so far. */
    long submitted() {
        return submitted;
    }

    Map<String, Object> end() throws InterruptedException {
        over = true;
        thread.join();
        clients.forEach(Fairlane::close);
        if (failure != null) {
            throw new IllegalStateException("the flood broke off after " + submitted + " jobs", failure);
        }
        Map<String, Object> figures = new LinkedHashMap<>(Orders.percentiles("batch", answers));
        figures.put("submitted", submitted);
        figures.put("accepted", accepted);
        figures.put("refusal", refusal);
        figures.put("fresh", supply.fresh());
        return figures;
    }
}
