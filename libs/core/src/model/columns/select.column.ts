import { checkArguments } from '../../options/checked.arguments.js';
import { either, finiteNumber, listOf, text } from '../../options/checks.js';
import { ColumnType } from '../column.type.js';
import type { JsonSchema } from '../json.schema.js';

const textOrNumber = either('a text or a number', text, finiteNumber);

/** One of a fixed list of values, e.g. an enum of the entity. */
export class SelectColumn extends ColumnType {
  readonly name = 'Select';
  readonly schema: JsonSchema;

  constructor(readonly values: readonly (string | number)[]) {
    super();
    checkArguments('SelectColumn', { values: [values, listOf('texts and numbers', textOrNumber)] });
    this.schema = { ...typeOf(values), enum: values };
  }

  complaint(value: unknown): string | undefined {
    return this.values.some((allowed) => allowed === value)
      ? undefined
      : `value should be one of: ${this.values.join(', ')}`;
  }

  override fromText(text: string): unknown {
    return this.values.find((allowed) => String(allowed) === text) ?? text;
  }

  toWire(value: unknown): string {
    return JSON.stringify(this.values.find((allowed) => String(allowed) === String(value)) ?? value);
  }
}

/** Readers of schemas rely on a type, where all values have the same one. */
function typeOf(values: readonly (string | number)[]): JsonSchema {
  if (values.every((value) => typeof value === 'string')) return { type: 'string' };
  return values.every((value) => typeof value === 'number') ? { type: 'number' } : {};
}
