package dev.fairlane.e2e.chaos;

import java.util.Locale;

/** What is done to the processes of a run. */
public enum FaultKind {
    /** kill −9 of the server; its PostgreSQL lives on as an orphan. */
    KILL_SERVER,
    /** kill −9 of a worker in the middle of its jobs; another one takes its place. */
    KILL_WORKER,
    /** kill −9 of PostgreSQL's first process, under the server's feet. */
    KILL_POSTMASTER,
    /** kill −9 of one backend: PostgreSQL throws everybody out and recovers. */
    KILL_BACKEND,
    /** kill −9 of the server, PostgreSQL and one worker in one go. */
    KILL_EVERYTHING,
    /** SIGSTOP of a worker for longer than its leases: it wakes up as a zombie. */
    PAUSE_WORKER;

    /** Its name in histories and reports. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean kills() {
        return this != PAUSE_WORKER;
    }
}
