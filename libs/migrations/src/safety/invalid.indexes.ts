import type { Session } from '../database/session.js';
import type { CommandRules } from '../commands/command.context.js';

/**
 * Tells of indexes that PostgreSQL does not use, such as one of a partitioned table that was made for the parent alone. Schemas
 * are compared without that, so the target names them, and nothing is left to do.
 *
 * @param statements the ones that are still to be run: they make or drop what they name
 */
export async function invalidIndexes(
  session: Session,
  { unmanagedSchemas, unmanagedTables, schema, isOfTenant }: CommandRules,
  statements: readonly string[] = [],
): Promise<readonly string[]> {
  const rows = await session.query(
    `select n.nspname as schema, t.relname as table, c.relname as name
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
     join pg_namespace n on n.oid = t.relnamespace
     where not i.indisvalid and n.nspname !~ '^pg_' and ($1::text is null or n.nspname = $1) order by 1, 3`,
    [schema ?? null],
  );
  return rows.flatMap((row) => {
    const [own, table, name] = [String(row['schema']), String(row['table']), String(row['name'])];
    const isTenants = schema === undefined && isOfTenant(own);
    const isOthers = isTenants || unmanagedSchemas.has(own) || unmanagedTables.has(`${own}.${table}`);
    if (isOthers || statements.some((sql) => sql.includes(name))) return [];
    return `-- index ${own}.${name} of ${table} is not valid, so it is not used: drop it, or attach those of the partitions`;
  });
}
