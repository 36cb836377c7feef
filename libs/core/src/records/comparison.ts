import type { Column } from '../model/column.js';
import type { DatabaseValue } from '../model/column.type.js';
import type { Operator } from '../model/operator.js';
import type { Dialect } from './dialect.js';
import type { StatementWriter } from './statement.js';

/** A comparison of a statement: its value is the input at `position`. */
export interface Comparison {
  readonly column: Column;
  readonly operator: Operator;
  /** Whether instants must be equal to the last digit, and not only as they are written. */
  readonly isExact: boolean;
  readonly position: number;
}

/** Writes `expression operator value`. */
export function writeComparison(writer: StatementWriter, expression: string, comparison: Comparison): void {
  const { column, operator, isExact, position } = comparison;
  if (operator !== '=') throw new TypeError(`The operator '${operator}' is not written yet`);
  const { dialect } = writer;
  const { equalityWidth } = column.type;
  const parameter = (bound: (value: DatabaseValue) => DatabaseValue): string =>
    writer.parameter((inputs) => dialect.bind(bound(databaseValue(dialect, column, inputs[position]))));
  if (isExact || equalityWidth === 0) writer.write(`${expression} = ${parameter((value) => value)}`);
  else {
    writer.write(`${expression} >= ${parameter((value) => spanStart(value, equalityWidth, 0))}`);
    writer.write(
      ` and ${expression} < ${parameter((value) => spanStart(value, equalityWidth, equalityWidth))}`,
    );
  }
}

/** The value as it is bound: what the column's type makes of it, and then the user's own MikroORM type. */
function databaseValue(dialect: Dialect, { type, conversion }: Column, value: unknown): DatabaseValue {
  if (value === null) return null;
  if (conversion === undefined) return type.toDatabase(value);
  return conversion.convertToDatabaseValue(value, dialect.platform) as DatabaseValue;
}

function spanStart(value: DatabaseValue, width: number, later: number): DatabaseValue {
  return value instanceof Date ? new Date(writtenAlike(value, width).getTime() + later) : value;
}

/** The first of the instants that are written like this one. @param width of their span, in milliseconds */
export function writtenAlike(instant: Date, width: number): Date {
  return new Date(Math.floor(instant.getTime() / width) * width);
}
