// Clients that read an export slowly and steadily get all of it, though that takes longer than every limit of the service.
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { whole } from './support/figures.mjs';
import { atLeast, exactly } from './support/limits.mjs';

const kibibyte = 1024;

/** How often a client reads what it may, in milliseconds. */
const turn = 100;

export const drill = {
  forms: {
    short: { notes: 15_000, rate: 400 * kibibyte, root: { timeout: 1000, stallTimeout: 1000 } },
    full: { notes: 135_233, rate: 100 * kibibyte, root: {} },
  },
  limits: {
    complete: exactly(1),
    missingLines: exactly(0),
    // Who is not slower than the limits shows nothing.
    timesTheStallTimeout: atLeast(4),
    // A reader that stops in the middle is not waited for.
    stoppedGotAll: exactly(0),
  },

  /** @param rate in bytes a second */
  async run(stage, { notes, rate, root }) {
    const postgres = await stage.postgres();
    const application = await stage.application({ databaseUrl: postgres.url, root });
    await postgres.query(
      `insert into note (text, created)
       select 'a city of the world, with its name and its country, number ' || number || repeat('.', 80), now()
       from generate_series(1, $1::int) as number`,
      [notes],
    );
    const stallTimeout = root.stallTimeout ?? 30_000;
    const stopped = readSlowly(application.url, { rate, stopsAfter: rate, pause: 3 * stallTimeout });
    const steady = await readSlowly(application.url, { rate });
    const other = await stopped;
    return {
      notes,
      complete: steady.isComplete ? 1 : 0,
      missingLines: notes - steady.lines,
      seconds: whole(steady.took / 1000),
      timesTheStallTimeout: Math.round((steady.took / stallTimeout) * 10) / 10,
      stoppedGotAll: other.lines === notes ? 1 : 0,
    };
  },
};

/** Reads an answer at a rate. @param stopsAfter after how many bytes it stops for a `pause` */
function readSlowly(url, { rate, stopsAfter = Infinity, pause = 0 }) {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const sent = request(new URL('/export/notes', url), { agent: false }, (answer) => {
      let bytes = 0;
      let lines = 0;
      let isOver = false;
      const end = () => {
        isOver = true;
        resolve({ isComplete: answer.complete, lines, took: performance.now() - begun });
      };
      // It is cut off: `complete` tells.
      answer.on('error', () => undefined).once('close', end);
      const read = async () => {
        while (!isOver && bytes < stopsAfter) {
          for (let allowed = (rate * turn) / 1000; allowed > 0;) {
            const chunk = answer.read(Math.min(allowed, answer.readableLength || 1)) ?? undefined;
            if (chunk === undefined) break;
            allowed -= chunk.length;
            bytes += chunk.length;
            for (const byte of chunk) if (byte === 10) lines += 1;
          }
          await sleep(turn);
        }
        if (isOver) return;
        await sleep(pause);
        answer.resume();
      };
      read().catch(reject);
    });
    sent.once('error', reject).end();
  });
}
