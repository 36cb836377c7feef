import { RecentEntries } from '../../limits/recent.entries.js';
import type { PgConnection } from './pg.connection.js';

/** The number of statements that stay prepared on a connection: each takes memory of the server. */
const keptNames = 1000;

/** The number of those among them that are planned anew: clients choose what they look for. */
const renewedNames = 50;

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
  readonly renewed: RecentEntries<string, true>;
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
  const known = names ?? begun(connection);
  known.last = name;
  const use = usedAgain(connection, known, name);
  if (!isRenewed) return;
  if (++use.count > plansWithValues) {
    use.count = 1;
    close(connection, name);
  }
  const oldest = known.renewed.get(name) === undefined ? known.renewed.set(name, true) : undefined;
  if (oldest === undefined) return;
  known.all.delete(oldest);
  close(connection, oldest);
}

function begun(connection: PgConnection): UsedNames {
  const names = {
    last: '',
    all: new RecentEntries<string, Use>(keptNames),
    renewed: new RecentEntries<string, true>(renewedNames),
  };
  used.set(connection, names);
  return names;
}

function usedAgain(connection: PgConnection, { all, renewed }: UsedNames, name: string): Use {
  const earlier = all.get(name);
  if (earlier !== undefined) return earlier;
  const use: Use = { count: 0 };
  const oldest = all.set(name, use);
  if (oldest === undefined) return use;
  renewed.delete(oldest);
  close(connection, oldest);
  return use;
}

function close(connection: PgConnection, name: string): void {
  Reflect.deleteProperty(connection.parsedStatements, name);
  connection.close({ type: 'S', name });
}
