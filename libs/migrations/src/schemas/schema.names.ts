import type { Session } from '../database/session.js';

/** The names of all schemas, in their order. */
export async function schemaNames(session: Session): Promise<readonly string[]> {
  const rows = await session.query('select nspname::text as name from pg_namespace order by 1');
  return rows.map(({ name }) => String(name));
}
