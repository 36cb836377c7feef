import type { FactBase, Plan, StableId } from '@supabase/pg-delta';
import { quoteIdentifier, quoteTable } from '../../database/quoting.js';

/**
 * Gives what writes a statement of a plan so that a column of one enum becomes one of another, which PostgreSQL has no cast for: the
 * label of the one is a label of the other by its text.
 */
export function castsThroughText(
  { deltas }: Plan,
  current: FactBase,
  target: FactBase,
): (sql: string) => string {
  const columns = deltas.flatMap((delta) => {
    if (delta.verb !== 'set' || delta.id.kind !== 'column' || delta.attr !== 'type') return [];
    const { schema, table, name } = delta.id;
    const areEnums = holdsLabels(delta.id, current) && holdsLabels(delta.id, target);
    return areEnums
      ? [`ALTER TABLE ${quoteTable(schema, table)} ALTER COLUMN ${quoteIdentifier(name)} TYPE `]
      : [];
  });
  return (sql) =>
    columns.some((beginning) => sql.startsWith(beginning))
      ? sql.replace(/( USING "(?:[^"]|"")+")::(?!text\b)/, (_, using: string) => `${using}::text::`)
      : sql;
}

/** True if the values of a column, or those of a domain, are labels of an enum. */
export function holdsLabels(id: StableId, schema: FactBase): boolean {
  return schema.outgoingEdges(id).some(({ to }) => {
    if (to.kind === 'domain') return holdsLabels(to, schema);
    return schema.get(to)?.payload['variant'] === 'enum';
  });
}

/** The type that holds the values of a column whose type is a domain, which may not be there yet; undefined for any other. */
export function typeOfDomain(column: StableId, schema: FactBase): string | undefined {
  const domain = schema.outgoingEdges(column).find(({ to }) => to.kind === 'domain')?.to;
  if (domain === undefined) return undefined;
  const own = typeOfDomain(domain, schema) ?? schema.get(domain)?.payload['baseType'];
  if (typeof own !== 'string') return undefined;
  const type = schema.get(column)?.payload['type'];
  return typeof type === 'string' && type.endsWith('[]') ? `${own}[]` : own;
}
