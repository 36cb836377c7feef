import { typeComplaint, type Column } from '../column.js';
import { writtenSchema } from '../column.schema.js';
import { sampleOf } from './sample.value.js';

/** Values for columns whose rules are about time, or about another column: tried where the plain one is refused. */
const others: readonly unknown[] = [
  ...[2, 3, 10, 100, 1000, 0, -1],
  ...['2099-01-31', '2099-02-28', '2000-01-31', '1999-01-31'],
  ...['2099-01-31T12:00:00+00:00', '2099-02-28T12:00:00+00:00'],
  ...['2000-01-31T12:00:00+00:00', '1999-01-31T12:00:00+00:00'],
  ...['23:00:00Z', '01:00:00Z'],
];

/**
 * A record that a client may write, as far as types and rules tell that ask no stored record; values by internal names.
 *
 * @returns undefined where a column must have a value and none can be thought of
 */
export function sampleRecord(
  columns: readonly Column[],
  isRequired: (column: Column) => boolean,
): Readonly<Record<string, unknown>> | undefined {
  const chosen = new Map<Column, unknown>();
  for (const column of columns) {
    const value = [sampleOf(writtenSchema(column, false)), ...others].find((one) =>
      isGood(column, one, chosen),
    );
    if (value !== undefined) chosen.set(column, value);
    else if (isRequired(column)) return undefined;
  }
  return Object.fromEntries([...chosen].map(([{ name }, value]) => [name, value]));
}

/** Types and validators may be the user's own: what they throw is no yes. */
function isGood(column: Column, value: unknown, chosen: ReadonlyMap<Column, unknown>): boolean {
  try {
    if (value === undefined || value === null) return false;
    return typeComplaint(column, value) === undefined && isAllowed(column, value, chosen);
  } catch {
    return false;
  }
}

function isAllowed(column: Column, value: unknown, chosen: ReadonlyMap<Column, unknown>): boolean {
  const { name, type, validators } = column;
  const isRight = validators.every(
    (rule) => rule.needs !== 'value' || rule.complaint(value, { columnName: name, type }) === undefined,
  );
  return isRight && [...chosen].every(([other, known]) => agree(column, value, other, known));
}

/** True if no rule of one column about the other is against both values. */
function agree(column: Column, value: unknown, other: Column, known: unknown): boolean {
  return !complains(column, value, other, known) && !complains(other, known, column, value);
}

function complains(column: Column, value: unknown, sibling: Column, known: unknown): boolean {
  const context = {
    columnName: column.name,
    type: column.type,
    siblingName: sibling.name,
    siblingType: sibling.type,
  };
  return column.validators.some(
    (rule) =>
      rule.needs === 'sibling' &&
      rule.siblingColumnName === sibling.name &&
      rule.complaint(value, known, context) !== undefined,
  );
}
