import type { Session } from '../database/session.js';
import { MigrationFailure } from '../migration.failure.js';
import { isRefusal } from './mariadb.database.js';
import type { MariaDbSchema } from './mariadb.schema.js';
import type { TargetStatement } from './target.gate.js';

/**
 * Makes an empty database the target. A statement that does not work yet is tried again after the others, as long as that
 * helps.
 *
 * @throws MigrationFailure with a line `file:line:column: …` for every statement that does not work
 */
export async function loadTarget(session: Session, statements: readonly TargetStatement[]): Promise<void> {
  const refused = await inRounds(session, statements, ({ text }) => text);
  if (refused.length > 0)
    throw new MigrationFailure(refused.map(({ item: { at }, message }) => `${at}: ${message}`));
}

/** Makes an empty database a copy of one that was read, without its rows. */
export async function loadCopy(session: Session, { tables, objects }: MariaDbSchema): Promise<void> {
  await session.query('set session foreign_key_checks = 0');
  for (const { sql } of tables.values()) await session.query(sql);
  await session.query('set session foreign_key_checks = 1');
  const refused = await inRounds(session, [...objects.values()], ({ sql }) => sql);
  if (refused.length > 0)
    throw new MigrationFailure(
      refused.map(
        ({ item, message }) => `${item.kind} ${item.name} of the database does not work: ${message}`,
      ),
    );
}

interface Refused<T> {
  readonly item: T;
  readonly message: string;
}

async function inRounds<T>(
  session: Session,
  items: readonly T[],
  sqlOf: (item: T) => string,
): Promise<readonly Refused<T>[]> {
  let left = items;
  for (;;) {
    const refused: Refused<T>[] = [];
    for (const item of left)
      try {
        await session.query(sqlOf(item));
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refused.push({ item, message: error.message });
      }
    if (refused.length === left.length) return refused;
    left = refused.map(({ item }) => item);
  }
}
