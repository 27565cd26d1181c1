package dev.fairlane.peers;

import java.util.function.LongConsumer;

/** What the measuring needs of a job library. A job is a payload of 100 bytes with the stamp in it. */
interface Library extends AutoCloseable {
    /** Makes the tables; once for every database. */
    void prepare() throws Exception;

    /** In one call, or as few as the library needs; returns when they are durable. May be called from several threads. */
    void submit(long[] stamps) throws Exception;

    /** In a call of its own; returns when it is durable. May be called from several threads. */
    void submit(long stamp) throws Exception;

    /** @param done is told the stamp of every job whose handler runs */
    void start(LongConsumer done) throws Exception;

    /** Lets running jobs finish. */
    void stop() throws Exception;
}
