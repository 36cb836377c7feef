import { RecentEntries } from '../../limits/recent.entries.js';

/** A connection on which statements are prepared. */
interface Preparing {
  readonly parsedStatements: Record<string, string>;
  close(message: { readonly type: 'S'; readonly name: string }): void;
}

/** The most statements that stay prepared on a connection: each takes memory of the server. */
const keptNames = 1000;

const used = new WeakMap<Preparing, RecentEntries<string, true>>();

/**
 * Notes that a prepared statement is used on a connection. Where there are too many, the one that was not used for the
 * longest time is closed (PostgreSQL, 54.2.3). The message goes out with the query that is being sent.
 */
export function usePrepared(connection: Preparing, name: string): void {
  const names = used.get(connection) ?? new RecentEntries<string, true>(keptNames);
  if (names.get(name) !== undefined) return;
  used.set(connection, names);
  const oldest = names.set(name, true);
  if (oldest === undefined) return;
  Reflect.deleteProperty(connection.parsedStatements, oldest);
  connection.close({ type: 'S', name: oldest });
}
