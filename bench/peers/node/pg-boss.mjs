// Batches of 2000 and four workers, which is where it is fastest; the shortest poll it takes, and none at all after a batch that was full.
import * as module from "pg-boss";

const PgBoss = module.PgBoss ?? module.default;
const QUEUE = "noop";
const WORKERS = 4;
const BATCH = 2000;

export async function open(connectionString) {
  const boss = new PgBoss({ connectionString, max: 12, supervise: true, schedule: false });
  boss.on("error", console.error);
  let started;
  const ready = () => (started ??= boss.start());
  return {
    async prepare() {
      await ready();
      await boss.createQueue(QUEUE);
    },
    async submitAll(payloads) {
      await ready();
      await boss.insert(payloads.map((data) => ({ name: QUEUE, data })));
    },
    async submit(payload) {
      await ready();
      await boss.send(QUEUE, payload);
    },
    async start(handled) {
      await ready();
      for (let i = 0; i < WORKERS; i++) {
        const id = await boss.work(QUEUE, { batchSize: BATCH, pollingIntervalSeconds: 0.5 }, async (jobs) => {
          for (const job of jobs) {
            handled(job.data.stamp);
          }
          if (jobs.length === BATCH) {
            boss.notifyWorker(id);
          }
        });
      }
    },
    async stop() {
      await boss.offWork(QUEUE);
    },
  };
}
