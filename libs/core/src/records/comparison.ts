import type { Column } from '../model/column.js';
import type { DatabaseValue } from '../model/column.type.js';
import type { Operator } from '../model/operator.js';
import type { Dialect } from './dialect.js';
import type { StatementWriter } from './statement.js';

/** Writes `expression operator value`, the value being the statement's input at `position`. */
export function comparison(
  writer: StatementWriter,
  column: Column,
  expression: string,
  operator: Operator,
  position: number,
): void {
  if (operator !== '=') throw new TypeError(`The operator '${operator}' is not written yet`);
  const parameter = (shift = 0): string =>
    writer.parameter((inputs) =>
      writer.dialect.bind(shifted(databaseValue(writer.dialect, column, inputs[position]), column, shift)),
    );
  const { equalityWidth } = column.type;
  if (equalityWidth === 0) writer.write(`${expression} = ${parameter()}`);
  else writer.write(`${expression} >= ${parameter()} and ${expression} < ${parameter(equalityWidth)}`);
}

/** The value as it is bound: what the column's type makes of it, and then the user's own MikroORM type. */
function databaseValue(dialect: Dialect, { type, conversion }: Column, value: unknown): DatabaseValue {
  if (value === null) return null;
  if (conversion === undefined) return type.toDatabase(value);
  return conversion.convertToDatabaseValue(value, dialect.platform) as DatabaseValue;
}

/** Start and end of the span in which instants are written the same. */
function shifted(value: DatabaseValue, { type }: Column, shift: number): DatabaseValue {
  if (!(value instanceof Date)) return value;
  return new Date(Math.floor(value.getTime() / type.equalityWidth) * type.equalityWidth + shift);
}
