import { typeComplaint } from '../model/column.js';
import { isStorable, isStorableJson, notStorableMessage } from '../model/values/storable.text.js';
import type { ColumnPath } from '../model/model.js';
import { comparisonOf, operatorTable, type Operand, type Operator } from '../model/operator.js';
import { plainPattern } from './like.pattern.js';
import type { Condition } from './query.plan.js';

/** Matching costs more the longer a pattern is, and SQLite refuses those over 50,000 bytes. */
export const longestPattern = 10_000;

/** A look into a JSON value goes through all of it. */
export const longestJson = 4096;

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
    case 'text':
      return textComplaint(value);
    case 'list':
      if (!Array.isArray(value)) return 'value should be a list';
      return value.map(single).find((complaint) => complaint !== undefined);
    case 'range':
      if (!Array.isArray(value) || value.length !== 2) return 'value should be a list of two';
      return value.map(single).find((complaint) => complaint !== undefined);
    case 'json':
      return jsonComplaint(value);
    case 'value':
      return single(value);
  }
}

function textComplaint(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'value should be a string';
  if (value.length > longestPattern) return `value should be at most ${longestPattern} characters long`;
  return isStorable(value) ? undefined : notStorableMessage;
}

function jsonComplaint(value: unknown): string | undefined {
  const isLong = !isShortJson(value) || Buffer.byteLength(JSON.stringify(value)) > longestJson;
  if (isLong) return `value should be at most ${longestJson} bytes of JSON`;
  return isStorableJson(value) ? undefined : notStorableMessage;
}

/** True if a JSON value has no more parts than {@link longestJson}: only then may something walk down into it. */
function isShortJson(value: unknown): boolean {
  const rest: unknown[] = [value];
  for (let parts = 0; rest.length > 0; parts += 1) {
    if (parts + rest.length > longestJson) return false;
    const next = rest.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const member of Object.values(next) as unknown[]) rest.push(member);
  }
  return true;
}

/** The condition that an operator of the contract is, for a value without a complaint. */
export function conditionOf(path: ColumnPath, operator: Operator, value: unknown): Condition {
  const comparison = comparisonOf(operator, value);
  if (operandOf(operator) === 'pattern') return { path, comparison, value: plainPattern(String(value)) };
  return { path, comparison, value: value ?? null };
}
