// As its performance page sets it up: a local queue, completions in batches, 24 jobs at once.
import { makeWorkerUtils, run } from "graphile-worker";
import pg from "pg";

const CONCURRENT = 24;
const LOCAL_QUEUE = 2000;

const quiet = { error: console.error, warn() {}, info() {}, debug() {} };

export async function open(connectionString) {
  const pool = new pg.Pool({ connectionString, max: 12 });
  const { Logger } = await import("graphile-worker");
  const logger = new Logger(() => (level, message) => quiet[level === "warning" ? "warn" : level]?.(message));
  let utils;
  let runner;
  const ready = async () => {
    utils ??= await makeWorkerUtils({ pgPool: pool, logger });
    return utils;
  };
  return {
    async prepare() {
      await (await ready()).migrate();
    },
    async submitAll(payloads) {
      const specs = JSON.stringify(payloads.map((payload) => ({ identifier: "noop", payload })));
      await pool.query({
        name: "add-jobs",
        text: "select count(*) from graphile_worker.add_jobs(array(select json_populate_recordset(null::graphile_worker.job_spec, $1::json)))",
        values: [specs],
      });
    },
    async submit(payload) {
      await (await ready()).addJob("noop", payload);
    },
    async start(handled) {
      runner = await run({
        preset: {
          worker: {
            connectionString,
            concurrentJobs: CONCURRENT,
            maxPoolSize: CONCURRENT + 1,
            localQueue: { size: LOCAL_QUEUE },
            completeJobBatchDelay: 0,
            failJobBatchDelay: 0,
            pollInterval: 100,
          },
        },
        logger,
        noHandleSignals: true,
        taskList: { noop: (payload) => handled(payload.stamp) },
      });
    },
    async stop() {
      await runner.stop();
    },
  };
}
