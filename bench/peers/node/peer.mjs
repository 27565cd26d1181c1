// Client or worker of a job library of Node's: takes the orders that bench gives its own client and worker, one line in, one line of JSON
// out. Arguments: library, address of the database, file of the tally. As in the Java peers a job counts when its handler has run, and
// batches are as large as the library likes them.
import fs from "node:fs";
import readline from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const [, , name, connectionString, tallyFile] = process.argv;
const { open } = await import(`./${name}.mjs`);
const library = await open(connectionString);
const tally = fs.openSync(tallyFile, fs.existsSync(tallyFile) ? "r+" : "w+");
const cell = Buffer.alloc(8);

const TIMER_NANOS = 3e6;
const now = () => Number(process.hrtime.bigint());

let done = 0;
let timing = false;
let pickups = [];

function handled(stamp) {
  if (timing) {
    pickups.push(now() - stamp);
  }
  done++;
}

function publish() {
  cell.writeBigInt64LE(BigInt(done));
  fs.writeSync(tally, cell, 0, 8, 0);
}

function finished() {
  cell.fill(0);
  fs.readSync(tally, cell, 0, 8, 0);
  return Number(cell.readBigInt64LE());
}

// The same 100 bytes of JSON that Fairlane is given.
function payload(stamp) {
  const head = { stamp, to: "a@example.com", pad: "" };
  return { ...head, pad: "x".repeat(Math.max(0, 100 - JSON.stringify(head).length)) };
}

const batchOf = (count) => Array.from({ length: count }, () => payload(now()));

function percentiles(prefix, nanos) {
  const sorted = Float64Array.from(nanos).sort();
  const at = (share) => (sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] / 1e6);
  return { [`${prefix}_count`]: sorted.length, [`${prefix}_p50_ms`]: at(0.5), [`${prefix}_p99_ms`]: at(0.99) };
}

const beside = (count, loop) => Promise.all(Array.from({ length: count }, loop));

let over = false;
let submitted = 0;
let flooding = Promise.resolve();
let publishing;

const orders = {
  async prepare() {
    await library.prepare();
  },
  async start() {
    publishing ??= setInterval(publish, 4);
    await library.start(handled);
  },
  async stop() {
    await library.stop();
    publish();
    return orders.counts();
  },
  async counts() {
    return { acked: done, at: now() };
  },
  async await({ acked, seconds }) {
    const end = now() + seconds * 1e9;
    while (done < acked && now() < end) {
      await sleep(1);
    }
    return orders.counts();
  },
  async time({ pickup }) {
    timing = pickup === 1;
    const figures = percentiles("pickup", pickups);
    pickups = [];
    return figures;
  },
  async flood({ bound, batch, threads }) {
    over = false;
    submitted = 0;
    const before = finished();
    flooding = beside(threads, async () => {
      while (!over) {
        if (submitted - (finished() - before) > bound - batch) {
          await sleep(1);
          continue;
        }
        submitted += batch;
        await library.submitAll(batchOf(batch));
      }
    });
  },
  async pause() {
    over = true;
    await flooding;
    return { submitted };
  },
  async fill({ jobs, batch, threads }) {
    const begin = now();
    let left = jobs;
    await beside(threads, async () => {
      while (left > 0) {
        const count = Math.min(batch, left);
        left -= count;
        await library.submitAll(batchOf(count));
      }
    });
    return { accepted: jobs, seconds: (now() - begin) / 1e9 };
  },
  // Times count from when a call was due. A timer of Node's fires a millisecond or two late by itself; that is not charged to the library,
  // and spinning instead would take a processor from it. Longer delays are charged: then the process was busy with the library's work.
  async offer({ rate, seconds }) {
    const jobs = rate * seconds;
    const times = [];
    const late = [];
    const calls = [];
    const begin = now() + 1e6;
    for (let i = 0; i < jobs; ) {
      for (; i < jobs && begin + (i * 1e9) / rate <= now(); i++) {
        const due = begin + (i * 1e9) / rate;
        const begun = now();
        late.push(begun - due);
        const from = begun - due < TIMER_NANOS ? begun : due;
        calls.push(library.submit(payload(Math.round(from))).then(() => times.push(now() - from)));
      }
      await sleep(1);
    }
    await Promise.all(calls);
    return { ...percentiles("submit", times), ...percentiles("late", late), offered: jobs };
  },
  async single({ clients, seconds }) {
    const times = [];
    const begin = now();
    const end = begin + seconds * 1e9;
    await beside(clients, async () => {
      for (let before = now(); before < end; ) {
        await library.submit(payload(before));
        const after = now();
        times.push(after - before);
        before = after;
      }
    });
    return { ...percentiles("submit", times), jobs_per_s: (times.length * 1e9) / (now() - begin) };
  },
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  const [verb, ...words] = line.trim().split(/\s+/);
  let answer;
  try {
    const values = Object.fromEntries(words.map((word) => word.split("=")).map(([key, value]) => [key, Number(value)]));
    answer = { answer: verb, ...(await orders[verb](values)) };
  } catch (e) {
    console.error(e);
    answer = { answer: verb, error: String(e) };
  }
  console.log(JSON.stringify(answer));
}
process.exit(0);
