import { setTimeout as sleep } from 'node:timers/promises';
import type { Application } from './application.js';

/**
 * What comes of something that takes longer than `least` and less than `most`, in milliseconds from now on. Whatever keeps
 * this process from running delays both bounds as well.
 */
export const between = async <T>(least: number, most: number, work: PromiseLike<T>): Promise<T> => {
  const begun = performance.now();
  const isEarly = await Promise.race([Promise.resolve(work).then(() => true), sleep(least, false)]);
  if (isEarly) throw new Error(`it took ${Math.round(performance.now() - begun)} ms, no more`);
  const ended = new AbortController();
  const late = sleep(most - least, undefined, { signal: ended.signal });
  try {
    return await Promise.race([work, late.then(() => fail(`it takes more than ${most} ms`))]);
  } finally {
    ended.abort();
  }
};

/** Waits until sessions of PostgreSQL wait for the locks of others. @returns their process ids */
export const heldUp = async ({ em }: Pick<Application, 'em'>): Promise<readonly number[]> => {
  const asked = `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  for (;;) {
    const rows: { readonly pid: number }[] = await em().getConnection().execute(asked);
    if (rows.length > 0) return rows.map(({ pid }) => pid);
  }
};

const fail = (message: string): never => {
  throw new Error(message);
};
