import type { Database } from '../../database/database.js';
import type { Session } from '../../visibility/session.js';
import { KnownSchemas } from './known.schemas.js';

/** The outcome of work in several schemas, where it did not succeed in all of them. */
export interface FailedSchemas {
  readonly count: number;
  /** The first error. */
  readonly error: unknown;
}

/**
 * Does work in MikroORM's own schema, and then in that of each tenant; in the own one alone where tenants have none. What fails in
 * one keeps it from none of the others.
 *
 * @param open opens the session that asks for the schemas
 * @param more schemas that may be no tenant's
 */
export async function inEverySchema(
  database: Database,
  open: () => Session,
  work: (schema: string | undefined) => Promise<unknown>,
  more: Iterable<string> = [],
): Promise<FailedSchemas | undefined> {
  const ofTenants = (await KnownSchemas.of(database)?.all(open())) ?? [];
  let failed: FailedSchemas | undefined;
  for (const schema of [undefined, ...new Set([...more, ...ofTenants])])
    try {
      await work(schema);
    } catch (error) {
      failed = { error, ...failed, count: (failed?.count ?? 0) + 1 };
    }
  return failed;
}
