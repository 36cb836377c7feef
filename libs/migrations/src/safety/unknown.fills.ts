import { optionChecks as checks } from '@nest-endpoints/core';
import { didYouMean } from '@nest-endpoints/core/internal';
import type { CommandRules } from '../commands/command.context.js';
import type { Session } from '../database/session.js';
import { MigrationFailure } from '../migration.failure.js';

/** The names of columns by those of tables, and these by the name of their schema. */
type ColumnNames = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/**
 * Looks if the names of fills are misspelt, in the target that the session shows. Such a fill never gives a row a value, and would be
 * missed only where there are rows.
 *
 * @throws MigrationFailure with a line for each that it has not, and what may have been meant
 */
export async function checkFills(
  session: Session,
  fills: Iterable<string>,
  { schema: own, unmanagedSchemas, isOfTenant }: CommandRules,
): Promise<void> {
  const wanted = [...fills];
  if (wanted.length === 0) return;
  const names = await columnsOf(session);
  const isOthers = (schema: string): boolean =>
    own === undefined ? unmanagedSchemas.has(schema) || isOfTenant(schema) : schema !== own;
  const problems = unknownFills(wanted, names, own ?? 'public', isOthers);
  if (problems.length > 0) throw new MigrationFailure(problems);
}

/**
 * Lists the fills of columns that are not there, where names like theirs are.
 *
 * @param own the schema of names that tell none
 * @param isOthers true for a schema that the target says nothing of
 */
export function unknownFills(
  fills: Iterable<string>,
  names: ColumnNames,
  own: string,
  isOthers: (schema: string) => boolean = () => false,
): readonly string[] {
  return [...fills].flatMap((fill) => {
    const parts = fill.split('.');
    const [schema = '', table = '', column = ''] = parts.length === 2 ? [own, ...parts] : parts;
    if (isOthers(schema)) return [];
    const tables = names.get(schema);
    const columns = tables?.get(table);
    const problem =
      tables === undefined
        ? misspelt('schema', schema, names.keys())
        : columns === undefined
          ? misspelt('table', table, tables.keys())
          : misspelt('column', column, columns);
    return problem === undefined ? [] : [`fills['${fill}']: of the target, the ${problem}`];
  });
}

/** Undefined for a name that is there, and where none is near: a fill may be earlier or later than the target. */
function misspelt(what: string, name: string, among: Iterable<string>): string | undefined {
  const names = [...among];
  if (names.includes(name) || didYouMean(name, names) === '') return undefined;
  return `${what} ${checks.oneOfTexts(...names).complaint(name) ?? ''}`;
}

async function columnsOf(session: Session): Promise<ColumnNames> {
  const rows = await session.query(
    `select n.nspname::text as schema, c.relname::text as "table", a.attname::text as "column"
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
       and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by n.nspname, c.relname, a.attnum`,
  );
  // A target whose tables all have a schema may have none in this one.
  const names = new Map<string, Map<string, string[]>>([['public', new Map()]]);
  for (const row of rows) {
    const [schema, table] = [String(row['schema']), String(row['table'])];
    const tables = names.get(schema) ?? new Map<string, string[]>();
    names.set(schema, tables);
    tables.set(table, [...(tables.get(table) ?? []), String(row['column'])]);
  }
  return names;
}
