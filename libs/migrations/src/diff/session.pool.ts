import { quoteLiteral } from '../database/quoting.js';
import type { Session } from '../database/session.js';

/** The pool of the `pg` driver that the diff tool sees. Every connection of it is the same session. */
export interface SessionPool {
  connect(): Promise<SessionClient>;
}

interface SessionClient {
  query(
    query: string | { readonly text: string; readonly values?: readonly unknown[] },
    values?: readonly unknown[],
  ): Promise<unknown>;
  release(): void;
}

/**
 * The tool reads in a transaction of its own. In a session that is one already it reads between savepoints, so that it
 * sees what the transaction has done so far and leaves no setting behind.
 *
 * @param schema the one schema to read: of thousands of tenants the others need not be looked at
 */
export function sessionPool(session: Session, schema?: string): SessionPool {
  const client: SessionClient = {
    async query(query, values) {
      const { text: asked, values: bound = values ?? [] } =
        typeof query === 'string' ? { text: query } : query;
      const text = schema === undefined ? asked : asked.replaceAll(ofUsers, () => within(schema));
      const rows = await session.query(session.isTransaction ? between(text) : text, bound);
      return { rows, rowCount: rows.length };
    },
    release: () => undefined,
  };
  return { connect: () => Promise.resolve(client) };
}

/** The last condition by which the tool leaves PostgreSQL's own schemas out. Without it more is read than is used. */
const ofUsers = String.raw`n.nspname NOT LIKE 'pg\_temp%'`;

function within(schema: string): string {
  return `${ofUsers} AND n.nspname = ${quoteLiteral(schema)}`;
}

function between(text: string): string {
  if (/^begin\b/i.test(text)) return 'savepoint reading';
  return /^(commit|rollback)\b/i.test(text) ? 'rollback to savepoint reading' : text;
}
