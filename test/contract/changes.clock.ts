import type { Subject } from '../support/contract.js';

/** The time of the database, to the millisecond, a moment later: what was written before it lies behind it. */
export const now = async ({ em }: Pick<Subject, 'em'>): Promise<string> => {
  const [row] = await em()
    .getConnection()
    .execute<{ now: string }[]>(
      `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now from pg_sleep(0.01)`,
    );
  return String(row?.now);
};
