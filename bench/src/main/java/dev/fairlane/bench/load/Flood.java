package dev.fairlane.bench.load;

import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.SubmitStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Submits as fast as jobs are finished: a closed loop over the SDK's bulk stream. */
final class Flood {
    private static final long PAUSE_NANOS = 500_000;
    private static final long HIGHEST_NANOS = 60_000_000_000L;

    private final Fairlane fairlane;
    private final Tally tally;
    private final long bound;
    private final int batch;
    private final SubmitStream stream;
    private final Thread thread;
    private final Histogram answers = new Histogram(HIGHEST_NANOS, 3);
    private final long finishedBefore;
    private volatile boolean over;
    private volatile @Nullable Throwable failure;
    private long submitted;
    private long accepted;

    /** @param bound most jobs submitted and not finished */
    Flood(Fairlane fairlane, Tally tally, long bound, int batch, int window) {
        this.fairlane = fairlane;
        this.tally = tally;
        this.bound = bound;
        this.batch = batch;
        this.finishedBefore = tally.finished();
        this.stream = fairlane.submitter()
                .batchSize(batch)
                .window(window)
                .onBatch(this::answered)
                .open();
        this.thread = Thread.ofPlatform().name("flood").start(this::run);
    }

    private void run() {
        try {
            while (!over) {
                if (submitted - (tally.finished() - finishedBefore) > bound - batch) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                    continue;
                }
                for (int i = 0; i < batch; i++) {
                    stream.submit(Job.raw(Payloads.TYPE, Payloads.of(submitted), Payload.JSON));
                    submitted++;
                }
            }
            stream.close();
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private void answered(SubmitStream.Batch answer) {
        accepted += answer.accepted();
        answers.recordValue(Math.min(HIGHEST_NANOS, answer.elapsed().toNanos()));
    }

    Map<String, Object> end() throws InterruptedException {
        over = true;
        thread.join();
        fairlane.close();
        if (failure != null) {
            throw new IllegalStateException("the flood broke off after " + submitted + " jobs", failure);
        }
        Map<String, Object> figures = new LinkedHashMap<>(Orders.percentiles("batch", answers));
        figures.put("submitted", submitted);
        figures.put("accepted", accepted);
        return figures;
    }
}
