import { ColumnType, type DatabaseValue } from '../column.type.js';
import type { JsonSchema } from '../json.schema.js';
import { isStorable } from './string.column.js';

/** Any JSON value, kept and written as it is: its keys are never cased. */
export class JsonColumn extends ColumnType {
  readonly name = 'Json';
  override readonly readAsText = true;
  override readonly isSortable = false;
  override readonly operators = ['is null', 'is not null'] as const;
  readonly schema: JsonSchema = {};

  complaint(value: unknown): string | undefined {
    if (value === undefined) return 'value should be JSON';
    return everyTextIsStorable(value) ? undefined : 'value contains characters that cannot be stored';
  }

  override fromText(text: string): unknown {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return undefined;
    }
  }

  override toDatabase(value: unknown): DatabaseValue {
    return JSON.stringify(value);
  }

  override toEntity(value: unknown): unknown {
    return value;
  }

  toWire(value: unknown): string {
    return typeof value === 'string' ? value : JSON.stringify(value);
  }
}

/** Walks with a list instead of recursion, so that depth is no matter. */
function everyTextIsStorable(value: unknown): boolean {
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === 'string' && !isStorable(next)) return false;
    if (typeof next === 'number' && !Number.isFinite(next)) return false;
    if (typeof next === 'object' && next !== null) {
      if (!Object.keys(next).every(isStorable)) return false;
      for (const member of Object.values(next) as unknown[]) rest.push(member);
    }
  }
  return true;
}
