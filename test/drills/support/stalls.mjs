// The times in which this machine ran nothing of a thread that only slept: a virtual machine whose processor was somebody
// else's for a while. A limit in milliseconds is about the service, so that an answer's time is told without them.
import { Worker } from 'node:worker_threads';

/** The sleeper looks at the clock so often, and what is later than that by `worth` is a stall; in milliseconds. */
const nap = 2;
const worth = 10;

/** The last stalls, each as its begin and its end. */
const kept = 1024;

const memory = new SharedArrayBuffer(8 + kept * 16);
const count = new Int32Array(memory, 0, 2);
const spans = new Float64Array(memory, 8);

/** Milliseconds on a clock that is the same in all threads. */
const now = () => Number(process.hrtime.bigint()) / 1e6;

const sleeper = new Worker(
  `const { workerData: { memory, nap, worth, kept } } = require('node:worker_threads');
  const count = new Int32Array(memory, 0, 2);
  const spans = new Float64Array(memory, 8);
  const now = () => Number(process.hrtime.bigint()) / 1e6;
  for (;;) {
    const begun = now();
    Atomics.wait(count, 1, 0, nap);
    const end = now();
    if (end - begun < nap + worth) continue;
    const place = (count[0] % kept) * 2;
    spans[place] = begun + nap;
    spans[place + 1] = end;
    Atomics.add(count, 0, 1);
  }`,
  { eval: true, workerData: { memory, nap, worth, kept } },
);
sleeper.unref();

/** How many of the last milliseconds were stalls. */
function stalledFor(milliseconds) {
  const end = now();
  const begin = end - milliseconds;
  let sum = 0;
  for (let index = 0; index < Math.min(kept, Atomics.load(count, 0)); index += 1)
    sum += Math.max(0, Math.min(end, spans[2 * index + 1]) - Math.max(begin, spans[2 * index]));
  return sum;
}

/** Begins to measure; gives the milliseconds since, without stalls. */
export function stopwatch() {
  const begun = now();
  return () => {
    const time = now() - begun;
    return time - stalledFor(time);
  };
}
