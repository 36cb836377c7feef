import { didYouMean } from '@nest-endpoints/core/internal';
import type { CommandRules } from '../commands/command.context.js';
import type { Session } from '../database/session.js';
import type { SchemaChange } from '../diff/schema.diff.tool.js';
import type { Rename } from './renames.js';

/**
 * Lists the renames of the options that name what is not there, where what may have been meant would be lost: a misspelt entry
 * must not lose what it was to keep, with `allowDestructive` neither.
 *
 * @param nameOf the object that a rename makes, as the change names it
 */
export function mistakenRenames(
  { losses, possibleRenames }: Pick<SchemaChange, 'losses' | 'possibleRenames'>,
  renames: readonly Rename[],
  nameOf: (rename: Rename) => string,
): readonly string[] {
  // What a rename has made is there, and does not come with the change.
  const expected = new Set(renames.map(nameOf));
  const lost = new Set(losses);
  const asked = possibleRenames.filter(({ from }) => lost.has(from));
  const fromNothing = asked.filter(({ to }) => expected.has(to));
  const toNothing = asked.filter(({ from }) => expected.has(from));
  return [
    ...told(
      'an entry of the option renames is about a name that is not there:',
      fromNothing.map(({ from, to }) => `nothing becomes ${to} (did you mean ${from}?)`),
    ),
    ...told(
      'an entry of the option renames gives a name that the target has not:',
      toNothing.map(({ from, to }) => `the target has no ${from} (did you mean ${to}?)`),
    ),
  ];
}

/** Lists the entries of `unmanaged` that name nothing, where something with a name like it would be lost. */
export async function mistakenUnmanaged(
  session: Session,
  { losses }: Pick<SchemaChange, 'losses'>,
  { unmanagedSchemas, unmanagedTables }: Pick<CommandRules, 'unmanagedSchemas' | 'unmanagedTables'>,
): Promise<readonly string[]> {
  const tables = losses.flatMap((what) => (what.startsWith('table ') ? [what.slice('table '.length)] : []));
  if (tables.length === 0) return [];
  const schemas = tables.map((table) => table.slice(0, table.indexOf('.')));
  const known = await managedNames(session);
  const missing = [...unmanagedSchemas, ...unmanagedTables].filter((name) => !known.has(name));
  return told(
    'an entry of the option unmanaged is about a name that is not there:',
    missing.flatMap((name) => {
      // Whoever leaves the schema out means a table.
      const alone = tables.filter((table) => !name.includes('.') && table.endsWith(`.${name}`));
      const meant =
        alone.map((table) => ` (did you mean '${table}'?)`).at(0) ??
        didYouMean(name, [...schemas, ...tables]);
      return meant === '' ? [] : [`nothing is ${name}${meant}`];
    }),
  );
}

function told(first: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [first, ...lines.map((line) => `  ${line}`)];
}

/** The schemas of the database, and its tables as `schema.table`. */
async function managedNames(session: Session): Promise<ReadonlySet<string>> {
  const rows = await session.query(
    `select nspname::text as name from pg_namespace union all
     select n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p')`,
  );
  return new Set(rows.map(({ name }) => String(name)));
}
