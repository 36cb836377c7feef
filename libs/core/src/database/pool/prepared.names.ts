import { RecentEntries } from '../../limits/recent.entries.js';
import type { PgConnection } from './pg.connection.js';

/** The number of statements that stay prepared on a connection: each takes memory of the server. */
const keptNames = 1000;

/**
 * The number of times that PostgreSQL plans a prepared statement with the values of its request. After these it may keep a
 * plan that knows no values (PostgreSQL, PREPARE, Notes).
 */
const plansWithValues = 5;

/** A prepared statement: how often it was used since it was parsed. */
interface Use {
  count: number;
}

/** Names of a connection, from the one that was not used for the longest time on. */
interface UsedNames {
  last: string;
  readonly all: RecentEntries<string, Use>;
}

const used = new WeakMap<PgConnection, UsedNames>();

/**
 * Closes what must not stay prepared on a connection, before a statement is sent: the one that was not used for the longest
 * time, where there are too many, and the statement itself, where its next plan might know no values (PostgreSQL, 54.2.3).
 * It goes out first, so that whatever fails behind it, both sides know the same names.
 *
 * @param isRenewed true if the statement is planned with the values of each request
 */
export function makeRoom(connection: PgConnection, name: string, isRenewed: boolean): void {
  if (name === '') return;
  const names = used.get(connection);
  // What was used last is used again mostly.
  if (!isRenewed && names?.last === name) return;
  const use = usedAgain(connection, names, name);
  if (isRenewed && ++use.count > plansWithValues) {
    use.count = 1;
    close(connection, name);
  }
}

function usedAgain(connection: PgConnection, known: UsedNames | undefined, name: string): Use {
  const names = known ?? { last: name, all: new RecentEntries<string, Use>(keptNames) };
  if (known === undefined) used.set(connection, names);
  names.last = name;
  const earlier = names.all.get(name);
  if (earlier !== undefined) return earlier;
  const use: Use = { count: 0 };
  const oldest = names.all.set(name, use);
  if (oldest !== undefined) close(connection, oldest);
  return use;
}

function close(connection: PgConnection, name: string): void {
  Reflect.deleteProperty(connection.parsedStatements, name);
  connection.close({ type: 'S', name });
}
