import { setTimeout as sleep } from 'node:timers/promises';
import type { Application } from './application.js';
import { isMariaDb } from './database.js';

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

/** MariaDB does not tell at once who waits, only how many. */
const waiting = isMariaDb
  ? `select 0 as pid from information_schema.global_status
      where variable_name = 'Innodb_row_lock_current_waits' and variable_value > 0`
  : `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;

/** Waits until sessions wait for the locks of others. @returns their process ids, where the database tells them */
export const heldUp = async ({ em }: Pick<Application, 'em'>): Promise<readonly number[]> => {
  for (;;) {
    const rows: { readonly pid: number }[] = await em().getConnection().execute(waiting);
    if (rows.length > 0) return rows.map(({ pid }) => pid);
  }
};

/**
 * The answer to something that is asked while a transaction is open, once it waits for that.
 *
 * @param hold locks what is asked about, and gives what is done with it before the transaction is committed
 */
export const heldUpBy = async <Answer>(
  subject: Pick<Application, 'em'>,
  hold: (em: ReturnType<Application['em']>) => Promise<() => unknown>,
  ask: () => PromiseLike<Answer>,
): Promise<Answer> => {
  let asked: Promise<Answer> | undefined;
  await subject.em().transactional(async (em) => {
    const change = await hold(em);
    asked = Promise.resolve(ask());
    await heldUp(subject);
    change();
  });
  if (asked === undefined) throw new Error('nothing was asked');
  return asked;
};

const fail = (message: string): never => {
  throw new Error(message);
};

/** Lets others have their turn. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Waits for a time in milliseconds, whatever the clocks of tests say. */
export const elapsed = async (time: number): Promise<void> => {
  const begun = performance.now();
  while (performance.now() < begun + time) await turn();
};
