package dev.fairlane.bench.peers;

import dev.fairlane.bench.report.Figures;
import java.time.Duration;
import java.util.OptionalDouble;

/** One who takes part. Between two calls nothing of it runs but what is idle. */
public interface Contender extends AutoCloseable {
    /** Jobs are offered for so long before pickups are timed: connections that were just made are not what is measured. */
    int RUN_UP_SECONDS = 1;

    String name();

    boolean java();

    /** What it is, what it is set to, and what it keeps and promises. */
    Figures described();

    void warmUp(int seconds) throws Exception;

    /** Submitted and finished a second. */
    double throughput(Duration window) throws Exception;

    /** How jobs go that a worker finds waiting. */
    Drained drain() throws Exception;

    /** Jobs a second of eight clients that submit one a call, while a worker runs. */
    double single(int seconds) throws Exception;

    /** From when a job was due to be submitted until its handler ran, at a fixed rate, in milliseconds. */
    Pickups pickupP99(int rate, int seconds) throws Exception;

    /**
     * Does all that would go on in the background when others have their turn: what is still to be written, dead rows, dirty pages. Not
     * timed.
     */
    void settle() throws Exception;

    @Override
    void close();

    /**
     * @param apart submitted by a process of its own
     * @param together submitted by the worker's own process; empty for one that does not gain by it
     */
    record Pickups(double apart, OptionalDouble together) {}

    /**
     * @param jobsPerSecond up to the last job's end as its worker saw it
     * @param settledJobsPerSecond until its tables have all of that; the same where a job ends by a change of its row
     */
    record Drained(double jobsPerSecond, double settledJobsPerSecond) {
        static Drained of(double jobsPerSecond) {
            return new Drained(jobsPerSecond, jobsPerSecond);
        }
    }
}
