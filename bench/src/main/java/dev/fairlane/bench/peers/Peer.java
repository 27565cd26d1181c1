package dev.fairlane.bench.peers;

import dev.fairlane.bench.report.Figures;
import java.util.List;

/**
 * A library, how it is used here, and what one gets for it.
 *
 * @param tuned what it is set to
 */
record Peer(String name, boolean java, Load load, String clear, String tuned, Promises promises) {
    /**
     * @param batch jobs of one bulk submit; two run beside each other
     * @param bound most jobs open in a flood; fewer for slow ones, which would take minutes to finish what is open
     * @param drainJobs how many wait before a drain; fewer for slow ones
     * @param embeddable its worker sees at once what its own process submits, so the pickup is also measured that way
     */
    record Load(int batch, long bound, long drainJobs, boolean embeddable) {
        String bulk() {
            return " batch=" + batch + " threads=2";
        }
    }

    static final List<Peer> ALL = List.of(
            new Peer(
                    "graphile-worker",
                    false,
                    new Load(1_000, 20_000, 200_000, false),
                    "truncate graphile_worker._private_jobs cascade",
                    "local queue of 2000, completions in batches, 24 jobs at once, add_jobs of 1000",
                    Promises.ofLibrary(
                            "no history (rows are deleted)",
                            "after 4 hours",
                            "at least once, a worker taken for dead can still end a job that another has",
                            "by priority, no shares; jobs of a named queue run one after the other")),
            new Peer(
                    "pg-boss",
                    false,
                    new Load(1_000, 20_000, 200_000, false),
                    "truncate pgboss.job",
                    "batches of 2000, 4 workers, poll every 0.5 s but none after a full batch, insert of 1000",
                    Promises.ofLibrary(
                            "finished jobs kept for 12 hours and in an archive for 7 days",
                            "after 15 minutes, at most twice",
                            "at least once, a batch succeeds or fails as a whole, a worker taken for dead can still end a job that another has",
                            "by priority, no shares")),
            new Peer(
                    "db-scheduler",
                    true,
                    new Load(1_000, 20_000, 100_000, true),
                    "truncate scheduled_tasks",
                    "lock-and-fetch (1.0, 4.0), 32 threads, poll every 20 ms, scheduleBatch of 1000",
                    Promises.ofLibrary(
                            "no history (rows are deleted)",
                            "after 30 minutes (6 missed heartbeats of 5 minutes)",
                            "at least once, ends are fenced by the version of the row",
                            "by due time (priority is off), no shares")),
            new Peer(
                    "jobrunr",
                    true,
                    new Load(1_000, 10_000, 20_000, false),
                    "truncate jobrunr_jobs",
                    "128 workers, job requests, poll every 5 s, enqueue of 1000",
                    Promises.ofLibrary(
                            "finished jobs with their states kept for 36 hours, then 72 hours more as deleted",
                            "after 20 seconds (4 polls)",
                            "at least once, ends are fenced by the version of the row",
                            "by age, no shares")),
            new Peer(
                    "quartz",
                    true,
                    new Load(100, 2_000, 5_000, true),
                    "truncate qrtz_triggers, qrtz_simple_triggers, qrtz_fired_triggers cascade",
                    "JDBC store, clustered, 32 threads, batches of 32, a trigger per job, scheduleJobs of 100",
                    Promises.ofLibrary(
                            "no history (rows are deleted)",
                            "never as measured; with requestsRecovery, which costs, at the next check-in (7.5 seconds)",
                            "at most once as measured",
                            "by priority, no shares")));

    /** Part of the names of its database and files. */
    String identifier() {
        return name.replace('-', '_');
    }

    /** @param version that was fetched */
    Figures described(String version) {
        return new Figures()
                .put("version", version)
                .put("tuned", tuned)
                .putAll(promises.figures())
                .put("drain_jobs", load.drainJobs)
                .put("language", java ? "Java" : "Node");
    }
}
