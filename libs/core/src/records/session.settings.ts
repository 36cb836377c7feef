import type { EntityManager } from '@mikro-orm/core';
import { rawQuery, type RawQuery } from './raw.query.js';
import { sessionText } from './session.text.js';

type SessionContext = ReturnType<EntityManager['getSessionContext']>;

/** A transaction that has begun. */
interface Begun {
  executeQuery(query: RawQuery): Promise<unknown>;
}

/** Sets the variables and the role of row level security until the transaction ends. */
export async function enterSession(session: SessionContext, transaction: Begun): Promise<void> {
  if (session === undefined) return;
  const settings = Object.entries(session.variables ?? {}).map(([name, value]) => [name, sessionText(value)]);
  // A role is a setting too, and as a value it needs no quoting.
  if (session.role !== undefined) settings.push(['role', session.role]);
  const calls = settings.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, true)`);
  if (calls.length === 0) return;
  await transaction.executeQuery(rawQuery(`select ${calls.join(', ')}`, settings.flat()));
}
