import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { clientOf } from './client.mjs';

/** Requests that are not told of: code becomes quick by being run. */
const warmUp = 50;

/** Between two requests, in milliseconds. */
const pause = 20;

/**
 * Somebody who asks for a path again and again, from a thread of their own: the time of an answer is the service's, not that of the
 * other clients, which a hundred answers at once keep busy.
 *
 * @returns once they are quick; `begin` has answers told from then on, `end` stops and gives `{ status, took, failure }` of each
 */
export async function observe(url, path) {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { url, path } });
  await once(worker, 'message');
  return {
    begin: () => worker.postMessage('begin'),
    async end() {
      worker.postMessage('end');
      const [answers] = await once(worker, 'message');
      await worker.terminate();
      return answers;
    },
  };
}

if (!isMainThread) {
  const client = clientOf(workerData.url, { connections: 1 });
  const ask = () => client.get(workerData.path);
  for (let time = 0; time < warmUp; time += 1) await ask();
  const begun = once(parentPort, 'message');
  parentPort.postMessage('quick');
  await begun;
  let isOver = false;
  parentPort.once('message', () => (isOver = true));
  const answers = [];
  while (!isOver) {
    const { status, took, body, error } = await ask();
    answers.push({ status, took, failure: status === 200 ? undefined : (error?.message ?? body) });
    await sleep(pause);
  }
  client.close();
  parentPort.postMessage(answers);
}
