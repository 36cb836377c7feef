import type { RecordCondition, Resource } from '@nest-endpoints/client';

/** The name of a filter that searches for words, whatever the record has: what react-admin's own search fields are called. */
const words = 'q';

/**
 * The conditions of a filter of react-admin. `{ country_code: 'FR' }` is an exact value, a list any of its values, null no value;
 * an operator stands behind the name, `{ 'population@>=': 100000 }`. Forms nest what has a dot in its name.
 */
export function conditionsOf(resource: Resource, filter: unknown): readonly RecordCondition[] {
  return [...entriesOf(filter, '')].flatMap(([name, value]) => {
    if (value === undefined || value === '') return [];
    if (name === words && !resource.columns.has(words)) return [wordsCondition(resource, value)];
    const [column = '', operator] = name.split('@', 2);
    return [{ column, operator: operator ?? (Array.isArray(value) ? 'in' : '='), value }];
  });
}

function* entriesOf(filter: unknown, path: string): Generator<readonly [name: string, value: unknown]> {
  if (typeof filter !== 'object' || filter === null) return;
  for (const [member, value] of Object.entries(filter) as [string, unknown][]) {
    const name = path === '' ? member : `${path}.${member}`;
    if (name.includes('@') || !isPlain(value)) yield [name, value];
    // Nothing would be no condition, and the list one of all records.
    else if (Object.keys(value).length === 0) throw new TypeError(`filter: '${name}' has no members`);
    else yield* entriesOf(value, name);
  }
}

/** True for an object as JSON has them; a Date is a value. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A search of the database for words where there is one; else the text in one of the record's own columns. */
function wordsCondition({ name, columns }: Resource, value: unknown): RecordCondition {
  const known = [...columns.values()];
  const matching = known.find(({ operators }) => operators.includes('matches'));
  if (matching !== undefined) return { column: matching.name, operator: 'matches', value };
  const any = known
    .filter(({ name: column, operators }) => operators.includes('contains') && !column.includes('.'))
    .map((column) => ({ column: column.name, operator: 'contains', value }));
  if (any.length > 0) return { any };
  throw new Error(`${name} cannot be searched for words: it has no AdvancedSearch with a column of text`);
}
