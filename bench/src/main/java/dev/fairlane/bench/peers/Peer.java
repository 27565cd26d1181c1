package dev.fairlane.bench.peers;

import dev.fairlane.bench.report.Figures;
import java.util.List;

/**
 * A library, how it is used here, and what one gets for it.
 *
 * @param batch jobs of one bulk submit
 * @param threads bulk submits beside each other
 * @param bound most jobs open in a flood; fewer for slow ones, which would take minutes to finish what is open
 * @param drainJobs how many wait before a drain; fewer for slow ones
 * @param embeddable its worker sees at once what its own process submits, so the pickup is also measured that way
 * @param clear empties its tables
 * @param tuned what it is set to
 * @param keeps what it keeps of a job and promises about it
 */
record Peer(
        String name,
        boolean java,
        int batch,
        int threads,
        long bound,
        long drainJobs,
        boolean embeddable,
        String clear,
        String tuned,
        String keeps) {

    static final List<Peer> ALL = List.of(
            new Peer(
                    "graphile-worker",
                    false,
                    1_000,
                    2,
                    20_000,
                    200_000,
                    false,
                    "truncate graphile_worker._private_jobs cascade",
                    "local queue of 2000, completions in batches, 24 jobs at once, add_jobs of 1000",
                    "no history (rows are deleted); jobs of a crashed worker come back after 4 hours; no shares, priority only"),
            new Peer(
                    "pg-boss",
                    false,
                    1_000,
                    2,
                    20_000,
                    200_000,
                    false,
                    "truncate pgboss.job",
                    "batches of 2000, 4 workers, poll every 0.5 s but none after a full batch, insert of 1000",
                    "finished jobs kept for days; a batch succeeds or fails as a whole; jobs of a crashed worker come back after 15 minutes;"
                            + " no shares, priority only"),
            new Peer(
                    "db-scheduler",
                    true,
                    1_000,
                    2,
                    20_000,
                    100_000,
                    true,
                    "truncate scheduled_tasks",
                    "lock-and-fetch (0.5, 4.0), 32 threads, poll every 20 ms, scheduleBatch of 1000",
                    "no history (rows are deleted); executions of a dead scheduler come back after 6 missed heartbeats; no shares"),
            new Peer(
                    "jobrunr",
                    true,
                    1_000,
                    2,
                    10_000,
                    20_000,
                    false,
                    "truncate jobrunr_jobs",
                    "128 workers, job requests, poll every 5 s, enqueue of 1000",
                    "finished jobs with their states kept for 36 hours; jobs of a dead server come back after 4 polls; no shares"),
            new Peer(
                    "quartz",
                    true,
                    100,
                    2,
                    2_000,
                    10_000,
                    true,
                    "truncate qrtz_triggers, qrtz_simple_triggers, qrtz_fired_triggers cascade",
                    "JDBC store, clustered, 32 threads, batches of 32, a trigger per job, scheduleJobs of 100",
                    "no history (rows are deleted); jobs of a dead node come back at the next check-in if asked for; no shares"));

    /** Part of the names of its database and files. */
    String identifier() {
        return name.replace('-', '_');
    }

    Figures described() {
        return new Figures()
                .put("tuned", tuned)
                .put("keeps", keeps)
                .put("drain_jobs", drainJobs)
                .put("language", java ? "Java" : "Node");
    }
}
