package dev.fairlane.sdk;

/**
 * The time workers go by: heartbeats, the ends of leases, time limits. Real time, unless a test brings its own; the module
 * {@code fairlane-sdk-testing} does.
 */
public interface WorkerClock {

    /** The machine's monotonic clock. */
    WorkerClock REAL = System::nanoTime;

    /** Nanoseconds since some fixed moment; never goes back. */
    long nanos();

    /** A worker begins to go by this clock. */
    default void started(Reader worker) {}

    /** It no longer does. */
    default void ended(Reader worker) {}

    /** A worker, as seen by a clock that jumps. All of it may be called from any thread. */
    interface Reader {

        /** The time has jumped: do what is due now. */
        void look();

        /** Whether what is due by now is done, and the server has heard every heartbeat that was sent. */
        boolean upToDate();
    }
}
