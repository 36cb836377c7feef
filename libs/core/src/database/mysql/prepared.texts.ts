import { RecentEntries } from '../../limits/recent.entries.js';
import type { MySqlClient } from './mysql2.pool.js';

/**
 * The number of statements that stay prepared on a connection. A server keeps 16,382 for all of its connections together
 * (`max_prepared_stmt_count`).
 */
const keptTexts = 250;

const used = new WeakMap<MySqlClient, RecentEntries<string, true>>();

/** Closes the statement of a connection that was not used for the longest time, where another one would be too many. */
export function makeRoom(client: MySqlClient, sql: string): void {
  const texts = used.get(client) ?? new RecentEntries<string, true>(keptTexts);
  used.set(client, texts);
  if (texts.get(sql) !== undefined) return;
  const oldest = texts.set(sql, true);
  if (oldest !== undefined) close(client, oldest);
}

/** Forgets a statement that the server does not know, or does not take. */
export function forget(client: MySqlClient, sql: string): void {
  used.get(client)?.delete(sql);
  close(client, sql);
}

function close(client: MySqlClient, sql: string): void {
  client.unprepare({ sql, rowsAsArray: true });
}
