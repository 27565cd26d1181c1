package dev.fairlane.bench.peers;

import dev.fairlane.bench.report.Figures;
import java.time.Duration;

/** One who takes part. Between two calls nothing of it runs but what is idle. */
public interface Contender extends AutoCloseable {
    String name();

    boolean java();

    /** What it is set to, and what it keeps and promises. */
    Figures described();

    void warmUp(int seconds) throws Exception;

    /** Submitted and finished a second. */
    double throughput(Duration window) throws Exception;

    /** Jobs a second when a worker finds them waiting. */
    double drain() throws Exception;

    /** Jobs a second of eight clients that submit one a call, while a worker runs. */
    double single(int seconds) throws Exception;

    /** From when a job was due to be submitted until its handler ran, at a fixed rate, in milliseconds. */
    double pickupP99(int rate, int seconds) throws Exception;

    @Override
    void close();
}
