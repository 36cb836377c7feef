import { check, mapOf } from '../../options/checks.js';
import type { Model } from '../../model/model.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import type { NameTable } from '../../wire/name.table.js';

/** Names that clients use for columns on one endpoint, by the internal names. */
export type ExternalNames = Readonly<Record<string, string>>;

const option = 'externalNames';

/** No comma and no dot: lists of fields and paths are parted by them. */
const externalName = check(
  'a name of letters, digits and underscores that begins with no digit',
  (value) => typeof value === 'string' && /^[A-Za-z_]\w*$/.test(value),
);

/** The check of `externalNames`. */
export const externalNames = mapOf(
  "an object with names of the wire by the names of columns, e.g. { population: 'inhabitants' }",
  externalName,
);

/** The names that an endpoint's options give to columns; none for a kind that knows no such option. */
export function externalNamesOf(options: object): ExternalNames {
  return (Reflect.get(options, option) ?? {}) as ExternalNames;
}

/**
 * Looks at the names that an endpoint gives to the columns of its own model.
 *
 * @param options those of the endpoint, which name the columns that clients see, sort by, search by and write
 * @throws ConfigurationError for a column that is not there, and where two columns get one name
 */
export function refuseWrongNames(owner: string, model: Model, names: NameTable, options: object): void {
  const given = Object.keys(externalNamesOf(options));
  if (given.length === 0) return;
  const heads = new Set([...model.columnNames()].map(headOf));
  for (const name of given)
    if (!heads.has(name) && !model.relations.has(name))
      throw new ConfigurationError(owner, option, model.problemOf(name));
  const used = Object.entries(options)
    .flatMap(([name, value]) => (name.endsWith('ColumnNames') ? namedIn(value) : []))
    .map(headOf);
  const related = Object.keys((Reflect.get(options, 'writeableRelations') ?? {}) as object);
  names.index(
    owner,
    option,
    [...new Set([...used, ...related, ...given])].map((name) => ({ name })),
  );
}

/** The columns that an option names: in a list, of texts or of objects with a column, or as the keys of an object. */
function namedIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return Object.keys(Object(value) as object);
  return value.map((entry: string | { readonly column: string }) =>
    typeof entry === 'string' ? entry : entry.column,
  );
}

function headOf(name: string): string {
  return name.split('.', 1)[0] ?? name;
}
