import { typeComplaint } from '../model/column.js';
import { isStorable, notStorableMessage } from '../model/values/storable.text.js';
import type { ColumnPath } from '../model/model.js';
import { comparisonOf, operatorTable, type Operand, type Operator } from '../model/operator.js';
import { plainPattern } from './like.pattern.js';
import type { Condition } from './query.plan.js';

/** Matching costs more the longer a pattern is, and SQLite refuses those over 50,000 bytes. */
export const longestPattern = 10_000;

/** Tells the kind of value that a condition with this operator has. */
export function operandOf(operator: Operator): Operand {
  return operatorTable[operator].operand;
}

/**
 * Gives what is wrong with a condition's value; undefined when nothing is. Null is a value for `<=>`, `is` and `is not`
 * alone (decisions: Lists and searches).
 */
export function valueComplaint(
  { column }: ColumnPath,
  operator: Operator,
  value: unknown,
): string | undefined {
  const { isBoolean, virtual } = column.type;
  const nullComplaint =
    virtual === undefined ? `value should not be null; 'is null' finds those` : 'value should not be null';
  const single = (one: unknown): string | undefined =>
    one === null ? nullComplaint : typeComplaint(column, one);
  switch (operandOf(operator)) {
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
  if (operandOf(operator) === 'pattern') return { path, comparison, value: plainPattern(String(value)) };
  return { path, comparison, value: value ?? null };
}
