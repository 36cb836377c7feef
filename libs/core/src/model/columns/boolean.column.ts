import { ColumnType } from '../column.type.js';
import type { JsonSchema } from '../json.schema.js';
import { equalityOperators } from '../operator.js';

/** The values that drivers give for true. */
const truths: readonly unknown[] = [true, 't', 'true', 1, 1n, '1'];

/** True or false. */
export class BooleanColumn extends ColumnType {
  readonly name = 'Boolean';
  override readonly isBoolean = true;
  override readonly forcesText = true;
  override readonly operators = equalityOperators;
  readonly schema: JsonSchema = { type: 'boolean' };
  override readonly textSchema: JsonSchema = { type: 'string', enum: ['true', 'false'] };

  complaint(value: unknown): string | undefined {
    return typeof value === 'boolean' ? undefined : 'value should be a boolean';
  }

  override fromText(text: string): unknown {
    if (text === 'true') return true;
    return text === 'false' ? false : text;
  }

  toWire(value: unknown): string {
    return value === 't' || truths.includes(value) ? 'true' : 'false';
  }
}
