import { operatorsOf } from '../model/column.js';
import type { ColumnPath } from '../model/model.js';
import { operators, type Operand, type Operator } from '../model/operator.js';
import { ConfigurationError, oneOf } from '../wire/configuration.error.js';
import { conditionOf, operandOf, valueComplaint } from './condition.js';
import type { Condition } from './query.plan.js';

/** The longest operators first: `<=` begins like `<=>`, and `is not` like `is not null`. */
const longestFirst = operators.toSorted((one, other) => other.length - one.length);
const signs = longestFirst.filter((operator) => /^\W+$/.test(operator));
const phrases = longestFirst.filter((operator) => !signs.includes(operator));

const anySign = oneOfTexts(signs);
const anySignCharacter = oneOfTexts(signs.flatMap((sign) => Array.from(sign)));
const anyPhrase = oneOfTexts(phrases).replaceAll(' ', String.raw`\s+`);
const anyFirstWord = oneOfTexts(phrases.flatMap((phrase) => phrase.split(' ', 1)));
const anyName = String.raw`[\p{L}\p{N}_$.]+`;

const shape = new RegExp(
  String.raw`^\s*(${anyName})(?:\s*(${anySign})(?!${anySignCharacter})|\s+(${anyPhrase})(?![\p{L}\p{N}_$]))\s*(.*?)\s*$`,
  'isu',
);
const listItem = /^\s*('(?:[^']|'')*'|"(?:[^"]|"")*"|[^,'"][^,'"]*|)\s*,/;

/** Another condition behind the value of the first, which is in no quotes. */
const joined = new RegExp(
  String.raw`^(?:[^'"]|'(?:[^']|'')*'|"(?:[^"]|"")*")*?\s(?:or|and)\s+${anyName}\s*(?:${anySignCharacter}|\s${anyFirstWord}\s)`,
  'isu',
);

/** A string of the `where` option, taken apart. */
export interface WhereString {
  readonly columnName: string;
  readonly operator: Operator;
  readonly value: string;
}

/** Parses `column operator value` (decisions: Lists and searches). @throws ConfigurationError */
export function parseWhere(owner: string, text: string): WhereString {
  const [, columnName, symbol, words, value] = shape.exec(text) ?? [];
  const operator = symbol ?? words?.toLowerCase().replace(/\s+/g, ' ');
  const known = operators.find((one) => one === operator);
  if (joined.test(value ?? ''))
    throw refusal(
      owner,
      text,
      'an entry is one condition, and all entries hold: use a filter object for others, { $or: [{ … }, { … }] }; a value with such words stands in quotes',
    );
  if (columnName !== undefined && known !== undefined)
    return { columnName, operator: known, value: value ?? '' };
  throw refusal(owner, text, `is not 'column operator value'; operators: ${operators.join(', ')}`);
}

/**
 * Makes the condition of a parsed string. Its value is read with the column's type, quotes around it are left out, and
 * `null` is null where the operator takes one.
 *
 * @throws ConfigurationError for an operator or a value that the column does not take
 */
export function whereCondition(
  owner: string,
  text: string,
  { operator, value }: WhereString,
  path: ColumnPath,
): Condition {
  const { type } = path.column;
  const allowed = operatorsOf(path.column);
  const operand = operandOf(operator);
  if (!allowed.includes(operator))
    throw refusal(
      owner,
      text,
      `the operator '${operator}' is not for ${type.name} columns; ${oneOf(allowed)}`,
    );
  if (operand === 'none' && value !== '') throw refusal(owner, text, `'${operator}' takes no value`);
  const read = valueOf(operand, value, (one) => {
    const literal = unquoted(one);
    if (literal === undefined) throw refusal(owner, text, 'a value in quotes must end with its quote');
    return operand === 'pattern' || operand === 'text' ? literal : type.fromText(literal);
  });
  const complaint = valueComplaint(path, operator, read);
  if (complaint !== undefined) throw refusal(owner, text, complaint);
  return conditionOf(path, operator, read);
}

function valueOf(operand: Operand, text: string, read: (text: string) => unknown): unknown {
  if (operand === 'none') return null;
  if (operand === 'list' || operand === 'range') return items(text)?.map(read);
  const isTested = operand === 'truth' || operand === 'nullable';
  if (isTested && /^null$/i.test(text)) return null;
  return read(isTested && /^(?:true|false)$/i.test(text) ? text.toLowerCase() : text);
}

/** `(a, 'b, c')`, with or without the parentheses; undefined for what cannot be read to its end. */
function items(text: string): string[] | undefined {
  const inner = /^\((.*)\)$/s.exec(text)?.[1] ?? text;
  if (inner.trim() === '') return [];
  const found: string[] = [];
  for (let rest = `${inner},`; rest !== '';) {
    const match = listItem.exec(rest);
    if (match === null) return undefined;
    found.push((match[1] ?? '').trim());
    rest = rest.slice(match[0].length);
  }
  return found;
}

/** The pattern of one of some texts, none of which means anything but itself. */
function oneOfTexts(texts: readonly string[]): string {
  const literal = texts.map((text) => text.replaceAll(/[\\^$*+?.()|[\]{}]/g, String.raw`\$&`));
  return `(?:${[...new Set(literal)].join('|')})`;
}

/** A value may stand in quotes, doubled inside; undefined when it begins with one and is not one literal. */
function unquoted(text: string): string | undefined {
  const quote = text.charAt(0);
  if (quote !== "'" && quote !== '"') return text;
  const isLiteral = /^(?:'(?:[^']|'')*'|"(?:[^"]|"")*")$/s.test(text);
  return isLiteral ? text.slice(1, -1).replaceAll(quote + quote, quote) : undefined;
}

function refusal(owner: string, text: string, problem: string): ConfigurationError {
  return new ConfigurationError(owner, 'where', `'${text}': ${problem}`);
}
