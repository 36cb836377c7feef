import { typeComplaint } from '../model/column.js';
import { BooleanColumn } from '../model/columns/boolean.column.js';
import { isStorable, notStorableMessage } from '../model/storable.text.js';
import type { ColumnPath } from '../model/model.js';
import type { Operator } from '../model/operator.js';
import { plainPattern } from './like.pattern.js';
import type { Comparison, Condition } from './query.plan.js';

/** What each operator takes as its value. */
export const operands = {
  '<=>': 'nullable',
  '!=': 'value',
  '<=': 'value',
  '>=': 'value',
  '>': 'value',
  '<': 'value',
  '=': 'value',
  in: 'list',
  'is not null': 'none',
  'is null': 'none',
  'is not': 'truth',
  is: 'truth',
  like: 'pattern',
} as const satisfies Record<Operator, string>;

export type Operand = (typeof operands)[Operator];

/** Matching costs more the longer a pattern is, and SQLite refuses those over 50,000 bytes. */
export const longestPattern = 10_000;

/** Whether a condition with this operator has no value. */
export function takesNoValue(operator: Operator): boolean {
  return operands[operator] === 'none';
}

/**
 * What is wrong with a condition's value; undefined when nothing is. A null is a value for `<=>`, `is` and `is not`
 * alone (decisions: Lists and searches).
 */
export function valueComplaint(
  { column }: ColumnPath,
  operator: Operator,
  value: unknown,
): string | undefined {
  const isBoolean = column.type instanceof BooleanColumn;
  const single = (one: unknown): string | undefined =>
    one === null ? `value should not be null; 'is null' finds those` : typeComplaint(column, one);
  switch (operands[operator]) {
    case 'none':
      return undefined;
    case 'nullable':
      return value === null ? undefined : single(value);
    case 'truth':
      if (value === null || (isBoolean && typeof value === 'boolean')) return undefined;
      return isBoolean ? 'value should be null, true or false' : 'value should be null';
    case 'pattern':
      if (typeof value !== 'string') return 'value should be a string';
      if (value.length > longestPattern) return `value should be at most ${longestPattern} characters long`;
      return isStorable(value) ? undefined : notStorableMessage;
    case 'list':
      if (!Array.isArray(value)) return 'value should be a list';
      return value.map(single).find((complaint) => complaint !== undefined);
    case 'value':
      return single(value);
  }
}

/** The condition that an operator of the contract is, for a value without a complaint. */
export function conditionOf(path: ColumnPath, operator: Operator, value: unknown): Condition {
  const comparison = comparisonOf(operator, value);
  if (comparison === 'like') return { path, comparison, value: plainPattern(String(value)) };
  return { path, comparison, value: value ?? null };
}

/** `<=>` and `=` differ only about null; `is` tests for null, or for a truth value. */
function comparisonOf(operator: Operator, value: unknown): Comparison {
  switch (operator) {
    case '<=>':
    case 'is':
      return value === null ? 'is null' : '=';
    case 'is not':
      return value === null ? 'is not null' : 'is distinct from';
    default:
      return operator;
  }
}
