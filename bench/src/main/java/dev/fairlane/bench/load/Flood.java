package dev.fairlane.bench.load;

import dev.fairlane.sdk.Fairlane;
import dev.fairlane.sdk.Job;
import dev.fairlane.sdk.Payload;
import dev.fairlane.sdk.SubmitStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Submits as fast as jobs are finished: a closed loop over the SDK's bulk streams, one for each tenant, which take turns. */
final class Flood {
    private static final long PAUSE_NANOS = 500_000;
    private static final long HIGHEST_NANOS = 60_000_000_000L;

    private final List<Fairlane> tenants;
    private final List<SubmitStream> streams = new ArrayList<>();
    private final int lanes;
    private final Tally tally;
    private final long bound;
    private final int batch;
    private final Thread thread;
    private final Histogram answers = new Histogram(HIGHEST_NANOS, 3);
    private final long finishedBefore;
    private volatile boolean over;
    private volatile @Nullable Throwable failure;
    private int turn;
    private long submitted;
    private long accepted;

    /**
     * @param lanes among how many lanes every tenant spreads its jobs; 0: it uses the default one
     * @param bound most jobs submitted and not finished
     */
    Flood(List<Fairlane> tenants, int lanes, Tally tally, long bound, int batch, int window) {
        this.tenants = tenants;
        this.lanes = lanes;
        this.tally = tally;
        this.bound = bound;
        this.batch = batch;
        this.finishedBefore = tally.finished();
        for (Fairlane tenant : tenants) {
            streams.add(tenant.submitter()
                    .batchSize(batch)
                    .window(window)
                    .onBatch(this::answered)
                    .open());
        }
        this.thread = Thread.ofPlatform().name("flood").start(this::run);
    }

    private void run() {
        try {
            while (!over) {
                if (submitted - (tally.finished() - finishedBefore) > bound - batch) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                    continue;
                }
                SubmitStream stream = streams.get(turn++ % streams.size());
                for (int i = 0; i < batch; i++) {
                    stream.submit(job(i));
                    submitted++;
                }
            }
            streams.forEach(SubmitStream::close);
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private Job job(int place) {
        Job job = Job.raw(Payloads.TYPE, Payloads.of(submitted), Payload.JSON);
        return lanes == 0 ? job : job.lane("lane-" + place % lanes);
    }

    private synchronized void answered(SubmitStream.Batch answer) {
        accepted += answer.accepted();
        answers.recordValue(Math.min(HIGHEST_NANOS, answer.elapsed().toNanos()));
    }

    Map<String, Object> end() throws InterruptedException {
        over = true;
        thread.join();
        tenants.forEach(Fairlane::close);
        if (failure != null) {
            throw new IllegalStateException("the flood broke off after " + submitted + " jobs", failure);
        }
        Map<String, Object> figures = new LinkedHashMap<>(Orders.percentiles("batch", answers));
        figures.put("submitted", submitted);
        figures.put("accepted", accepted);
        return figures;
    }
}
