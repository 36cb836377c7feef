import type { Column } from '../model/column.js';
import { ColumnType, type DatabaseValue } from '../model/column.type.js';
import type { Comparison } from '../model/operator.js';
import type { BoundValue } from '../model/columns/searched/search.sql.js';
import { literalPattern } from '../query/like.pattern.js';
import type { Dialect } from './dialect.js';
import { hasSql } from './json/json.sql.js';
import type { StatementInputs, StatementWriter } from './statement.js';

export interface ShapedComparison {
  readonly column: Column;
  readonly comparison: Comparison;
  /** True if instants must be equal to the last digit, and not only as they are written. */
  readonly isExact: boolean;
  /** The number of values in a list, where the database takes each as a parameter of its own. */
  readonly listLength: number;
  /** The JSON value, as its column accepted it. */
  readonly value: (inputs: StatementInputs) => unknown;
  /** Its position among the values of the conditions, where it is one of these. */
  readonly position?: number;
}

/** Takes the value of the condition at a position from the inputs. */
export function valueAt(position: number): (inputs: StatementInputs) => unknown {
  return ({ values }) => values?.[position];
}

/** The facts that the writers below need. */
interface Writing {
  readonly writer: StatementWriter;
  readonly expression: string;
  readonly column: Column;
  /** The width of the span of instants that are written alike, in milliseconds; 0 when values are compared as they are. */
  readonly width: number;
  readonly listLength: number;
  readonly parameter: () => string;
  /** A parameter for the first instant of the span, or for the first one behind it. */
  readonly start: () => string;
  readonly end: () => string;
  /** A parameter for one of the values of a list; `isEnd` for the first instant behind its span. */
  readonly bound: (index: number, isEnd?: boolean) => string;
  /** A parameter for a pattern, which is text about values and no value of the type. @param made of the value */
  readonly pattern: (made?: (value: unknown) => string) => string;
  /** A parameter for a JSON value, as its text. */
  readonly json: () => string;
  /** The value of the inputs, not yet as it is bound. */
  readonly value: (inputs: StatementInputs) => unknown;
}

interface ComparisonRow {
  readonly plain: (writing: Writing) => string;
  /** Instants that are written alike count as equal: where a comparison must look at the whole span of the value. */
  readonly spanned?: (writing: Writing) => string;
}

/** The contract's operators in SQL. */
const comparisons = {
  '=': {
    plain: ({ expression, parameter }) => `${expression} = ${parameter()}`,
    spanned: ({ expression, start, end }) => `${expression} >= ${start()} and ${expression} < ${end()}`,
  },
  '!=': {
    plain: ({ expression, parameter }) => `${expression} <> ${parameter()}`,
    spanned: ({ expression, start, end }) => `(${expression} < ${start()} or ${expression} >= ${end()})`,
  },
  '<': {
    plain: ({ expression, parameter }) => `${expression} < ${parameter()}`,
    spanned: ({ expression, start }) => `${expression} < ${start()}`,
  },
  '<=': {
    plain: ({ expression, parameter }) => `${expression} <= ${parameter()}`,
    spanned: ({ expression, end }) => `${expression} < ${end()}`,
  },
  '>': {
    plain: ({ expression, parameter }) => `${expression} > ${parameter()}`,
    spanned: ({ expression, end }) => `${expression} >= ${end()}`,
  },
  '>=': {
    plain: ({ expression, parameter }) => `${expression} >= ${parameter()}`,
    spanned: ({ expression, start }) => `${expression} >= ${start()}`,
  },
  in: { plain: among },
  // As every comparison with a value, it is not met by null, however long the list.
  'not in': { plain: (writing) => `(not ${among(writing)} and ${writing.expression} is not null)` },
  between: {
    plain: (writing) => {
      const { expression, bound } = writing;
      return isComparedAlone(writing)
        ? `(${expression} >= ${bound(0)} and ${expression} <= ${bound(1)})`
        : `${expression} between ${bound(0)} and ${bound(1)}`;
    },
    spanned: ({ expression, bound }) =>
      `(${expression} >= ${bound(0)} and ${expression} < ${bound(1, true)})`,
  },
  like: {
    plain: ({ writer: { dialect }, column, expression, pattern }) =>
      `${textOf(dialect, column, expression)} like ${pattern()} escape ${dialect.backslash}`,
  },
  contains: { plain: (writing) => likeInAnyCase(writing, (part) => `%${part}%`) },
  'starts with': { plain: (writing) => likeInAnyCase(writing, (part) => `${part}%`) },
  'ends with': { plain: (writing) => likeInAnyCase(writing, (part) => `%${part}`) },
  has: {
    plain: ({ writer: { dialect }, expression, json }) => hasSql(dialect.platform, expression, json()),
  },
  'is null': { plain: ({ expression }) => `${expression} is null` },
  'is not null': { plain: ({ expression }) => `${expression} is not null` },
  'is distinct from': {
    plain: ({ expression, parameter }) => `(${expression} <> ${parameter()} or ${expression} is null)`,
  },
  matches: { plain: searched },
  similar: { plain: searched },
  within: { plain: searched },
} satisfies Record<Comparison, ComparisonRow>;

/** Writes `expression operator value`. */
export function writeComparison(
  writer: StatementWriter,
  expression: string,
  { column, comparison, isExact, listLength, value, position }: ShapedComparison,
): void {
  const { dialect } = writer;
  const width = isExact ? 0 : column.type.equalityWidth;
  const bound = (make: (value: unknown) => DatabaseValue) => (): string =>
    writer.parameter((inputs) => {
      const made = make(value(inputs));
      // Numbers and texts are bound as they are, everywhere.
      return typeof made === 'number' || typeof made === 'string' ? made : dialect.bind(made);
    });
  const stored = boundBy(dialect, column);
  const { plain, spanned = plain }: ComparisonRow = comparisons[comparison];
  const write = width > 0 ? spanned : plain;
  const item = (index: number, later: number): string =>
    writer.parameter((inputs) =>
      dialect.bind(spanStart(stored((value(inputs) as unknown[])[index]), width, later)),
    );
  const text = write({
    writer,
    expression,
    column,
    width,
    listLength,
    value,
    parameter: position !== undefined && isBoundAsItIs(column) ? () => writer.value(position) : bound(stored),
    start: bound((one) => spanStart(stored(one), width, 0)),
    end: bound((one) => spanStart(stored(one), width, width)),
    bound: (index, isEnd = false) => item(index, isEnd ? width : 0),
    pattern: (made = likePattern) => bound(made)(),
    json: bound((one) => JSON.stringify(one)),
  });
  writer.write(text);
}

/** The search that the type of the column has SQL for. */
function searched({ writer, expression, column: { type }, value }: Writing): string {
  const { search } = type;
  if (search === undefined) throw new TypeError(`A ${type.name} column has no search of its own`);
  for (const setting of search.settings) writer.set(setting);
  writer.isSearched = true;
  return search.condition(expression, boundParts(writer, value));
}

/** Makes parameters of a value that is searched for, and of its parts. */
export function boundParts(writer: StatementWriter, value: (inputs: StatementInputs) => unknown): BoundValue {
  return (part) => writer.parameter((inputs) => (part === undefined ? value(inputs) : part(value(inputs))));
}

/** One parameter holds the whole list where the database can take it apart, else each value has its own. */
function among(writing: Writing): string {
  const { writer, expression, column, width, listLength, value } = writing;
  const { dialect } = writer;
  const stored = boundBy(dialect, column);
  const bound = (one: unknown, later = 0): unknown => dialect.bind(spanStart(stored(one), width, later));
  const values = (inputs: StatementInputs): unknown[] =>
    (value(inputs) as unknown[]).map((one) => bound(one));
  const list = dialect.among(expression, width, (serialize) =>
    writer.parameter((inputs) => serialize(values(inputs))),
  );
  if (list !== undefined) return list;
  if (listLength === 0) return '1 = 0';
  const nth = (index: number, later = 0): string =>
    writer.parameter((inputs) => bound((value(inputs) as unknown[])[index], later));
  const places = Array.from({ length: listLength }, (_, index) => index);
  if (width === 0 && !isComparedAlone(writing))
    return `${expression} in (${places.map((index) => nth(index)).join(', ')})`;
  const each = places.map((index) =>
    width === 0
      ? `${expression} = ${nth(index)}`
      : `${expression} >= ${nth(index)} and ${expression} < ${nth(index, width)}`,
  );
  return `(${each.join(' or ')})`;
}

/**
 * True if each of several values must be compared alone, so that a number is compared to its last digit. Integers must where a
 * column does not tell the database what they are.
 */
function isComparedAlone({ writer: { dialect }, column }: Writing): boolean {
  if (!dialect.roundsLists) return false;
  const { type, property, member, conversion } = column;
  const isWorkedOut = (property.formula ?? member ?? conversion?.convertToJSValueSQL) !== undefined;
  return type.arithmetic === 'decimal' || (type.arithmetic === 'integer' && isWorkedOut);
}

/** Compares texts with a pattern that is made of a part, whatever characters it has; capital letters are small ones. */
function likeInAnyCase(
  { writer: { dialect }, column, expression, pattern }: Writing,
  made: (part: string) => string,
): string {
  const text = textOf(dialect, column, expression);
  const literal = pattern((part) => made(literalPattern(String(part))));
  return `${dialect.likeInAnyCase(text, literal)} escape ${dialect.backslash}`;
}

/** Values that the database keeps in another way than as text, such as an enum type's, are made text before they meet a pattern. */
export function textOf(dialect: Dialect, { type, property, member }: Column, expression: string): string {
  if (!type.isText) return dialect.asText(expression);
  return member === undefined ? dialect.asPatternText(expression, property) : expression;
}

/** True if neither the column's type nor a type of the user's own makes something else of a value before it is bound. */
export function isBoundAsItIs({ type, conversion }: Column): boolean {
  if (conversion !== undefined || type.storage !== 'scalar') return false;
  return Reflect.get(type, 'toDatabase') === Reflect.get(ColumnType.prototype, 'toDatabase');
}

/** The functions by which values are bound: as the column's type makes them, or the user's own MikroORM type. */
function boundBy({ platform }: Dialect, { type, conversion }: Column): (value: unknown) => DatabaseValue {
  if (conversion === undefined)
    return (value) => (value === null || value === undefined ? null : type.toDatabase(value));
  return (value) =>
    value === null || value === undefined
      ? null
      : (conversion.convertToDatabaseValue(value, platform, { fromQuery: true }) as DatabaseValue);
}

/** A pattern may not end in the middle of an escape: a last, single backslash means itself. */
function likePattern(value: unknown): string {
  const pattern = String(value);
  // No regular expression: one that ends with `$` looks at a run of backslashes from each of them.
  let backslashes = 0;
  while (pattern.at(-1 - backslashes) === '\\') backslashes += 1;
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
