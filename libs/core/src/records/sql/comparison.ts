import type { Column } from '../../model/column.js';
import type { DatabaseValue } from '../../model/column.type.js';
import { SelectColumn } from '../../model/columns/select.column.js';
import type { Comparison } from '../../query/query.plan.js';
import type { Dialect } from './dialect.js';
import type { StatementInputs, StatementWriter } from './statement.js';

/** A comparison of a statement. */
export interface ShapedComparison {
  readonly column: Column;
  readonly comparison: Comparison;
  /** Whether instants must be equal to the last digit, and not only as they are written. */
  readonly isExact: boolean;
  /** How many values a list has, where the database takes each as a parameter of its own. */
  readonly listLength: number;
  /** The JSON value, as its column accepted it. */
  readonly value: (inputs: StatementInputs) => unknown;
}

/** What the writers below need. */
interface Writing {
  readonly writer: StatementWriter;
  readonly expression: string;
  readonly column: Column;
  /** How wide the span of instants is that are written alike, in milliseconds; 0 when values are compared as they are. */
  readonly width: number;
  readonly listLength: number;
  /** A parameter for what `bound` makes of the value. */
  readonly parameter: (bound: (value: DatabaseValue) => DatabaseValue) => string;
  /** The value of the inputs, not yet as it is bound. */
  readonly value: (inputs: StatementInputs) => unknown;
}

const same = (value: DatabaseValue): DatabaseValue => value;

/** The contract's operators in SQL, for values without a span. */
const plain = {
  '=': ({ expression, parameter }) => `${expression} = ${parameter(same)}`,
  '!=': ({ expression, parameter }) => `${expression} <> ${parameter(same)}`,
  '<': ({ expression, parameter }) => `${expression} < ${parameter(same)}`,
  '<=': ({ expression, parameter }) => `${expression} <= ${parameter(same)}`,
  '>': ({ expression, parameter }) => `${expression} > ${parameter(same)}`,
  '>=': ({ expression, parameter }) => `${expression} >= ${parameter(same)}`,
  in: among,
  like: ({ writer: { dialect }, column, expression, parameter }) =>
    // An enum type of the database is no text.
    `${column.type instanceof SelectColumn ? dialect.asText(expression) : expression} like ${parameter(likePattern)} escape ${dialect.backslash}`,
  'is null': ({ expression }) => `${expression} is null`,
  'is not null': ({ expression }) => `${expression} is not null`,
  'is distinct from': ({ expression, parameter }) =>
    `(${expression} <> ${parameter(same)} or ${expression} is null)`,
} satisfies Record<Comparison, (writing: Writing) => string>;

/** Instants that are written alike count as equal, so each operator looks at the span of the value. */
const spanned = {
  '=': (writing) => `${writing.expression} >= ${start(writing)} and ${writing.expression} < ${end(writing)}`,
  '!=': (writing) =>
    `(${writing.expression} < ${start(writing)} or ${writing.expression} >= ${end(writing)})`,
  '<': (writing) => `${writing.expression} < ${start(writing)}`,
  '<=': (writing) => `${writing.expression} < ${end(writing)}`,
  '>': (writing) => `${writing.expression} >= ${end(writing)}`,
  '>=': (writing) => `${writing.expression} >= ${start(writing)}`,
} satisfies Partial<Record<Comparison, (writing: Writing) => string>>;

/** Writes `expression operator value`. */
export function writeComparison(
  writer: StatementWriter,
  expression: string,
  { column, comparison, isExact, listLength, value }: ShapedComparison,
): void {
  const { dialect } = writer;
  const writing: Writing = {
    writer,
    expression,
    column,
    width: isExact ? 0 : column.type.equalityWidth,
    listLength,
    value,
    parameter: (bound) =>
      writer.parameter((inputs) =>
        dialect.bind(bound(databaseValue(dialect, column, value(inputs), comparison))),
      ),
  };
  const rule = writing.width > 0 && Object.hasOwn(spanned, comparison) ? spanned : plain;
  writer.write((rule as typeof plain)[comparison](writing));
}

/** One parameter holds the whole list where the database can take it apart, else each value has its own. */
function among(writing: Writing): string {
  const { writer, expression, column, width, listLength, value } = writing;
  const { dialect } = writer;
  const values = (inputs: StatementInputs, later = 0): unknown[] =>
    (value(inputs) as unknown[]).map((one) =>
      dialect.bind(spanStart(databaseValue(dialect, column, one, '='), width, later)),
    );
  const list = dialect.among(expression, width, (serialize) =>
    writer.parameter((inputs) => serialize(values(inputs))),
  );
  if (list !== undefined) return list;
  if (listLength === 0) return '1 = 0';
  const each = Array.from({ length: listLength }, (_, index) => {
    const nth = (later: number): string => writer.parameter((inputs) => values(inputs, later)[index]);
    if (width === 0) return `${expression} = ${nth(0)}`;
    return `${expression} >= ${nth(0)} and ${expression} < ${nth(width)}`;
  });
  return `(${each.join(' or ')})`;
}

function start({ width, parameter }: Writing): string {
  return parameter((value) => spanStart(value, width, 0));
}

function end({ width, parameter }: Writing): string {
  return parameter((value) => spanStart(value, width, width));
}

/** The value as it is bound: what the column's type makes of it, and then the user's own MikroORM type. */
function databaseValue(
  dialect: Dialect,
  { type, conversion }: Column,
  value: unknown,
  comparison: Comparison,
): DatabaseValue {
  // A pattern is text about values, not a value of the type.
  if (value === null || value === undefined || comparison === 'like') return (value ?? null) as DatabaseValue;
  if (conversion === undefined) return type.toDatabase(value);
  return conversion.convertToDatabaseValue(value, dialect.platform) as DatabaseValue;
}

/** A pattern may not end in the middle of an escape: a last, single backslash means itself. */
function likePattern(value: DatabaseValue): DatabaseValue {
  const pattern = String(value);
  const backslashes = /\\*$/.exec(pattern)?.[0].length ?? 0;
  return backslashes % 2 === 1 ? `${pattern}\\` : pattern;
}

function spanStart(value: DatabaseValue, width: number, later: number): DatabaseValue {
  if (width === 0 || !(value instanceof Date)) return value;
  return new Date(writtenAlike(value, width).getTime() + later);
}

/** The first of the instants that are written like this one. @param width of their span, in milliseconds */
export function writtenAlike(instant: Date, width: number): Date {
  return new Date(Math.floor(instant.getTime() / width) * width);
}
