import { nameLike } from '../wire/names.js';
import type { ApiSchema } from './api.document.js';
import type { SchemaReader } from './schema.reader.js';

/** A column that conditions may be about. */
export interface ComparedColumn {
  readonly operators: Set<string>;
  /** The schema of one value. */
  readonly schema: ApiSchema;
  /** The most values of a list. */
  readonly mostValues: number;
}

/** Reads what the entries of `where` may be: columns with their operators. */
export function conditionColumns(
  reader: SchemaReader,
  entry: ApiSchema | undefined,
): Map<string, ComparedColumn> {
  const columns = new Map<string, ComparedColumn>();
  for (const { properties = {} } of reader.choices(entry)) {
    const [named, asked, compared] = ['column', 'operator', 'value'].map((word) =>
      nameLike(Object.keys(properties), word),
    );
    if (named === undefined || asked === undefined) continue;
    const value = compared === undefined ? undefined : reader.resolved(properties[compared]);
    const operators = textsIn(reader.resolved(properties[asked]));
    for (const name of textsIn(reader.resolved(properties[named]))) put(columns, name, operators, value);
  }
  return columns;
}

function put(
  columns: Map<string, ComparedColumn>,
  name: string,
  operators: readonly string[],
  value: ApiSchema | undefined,
): void {
  const known = columns.get(name) ?? { operators: new Set(), schema: {}, mostValues: Infinity };
  for (const operator of operators) known.operators.add(operator);
  const schema = operators.includes('=') ? (value ?? {}) : known.schema;
  const mostValues = operators.includes('in') ? (value?.maxItems ?? Infinity) : known.mostValues;
  columns.set(name, { ...known, schema, mostValues });
}

/** The texts that a schema lists. */
export function textsIn({ enum: listed = [] }: ApiSchema): readonly string[] {
  return listed.filter((one) => typeof one === 'string');
}
