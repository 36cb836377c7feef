import { ColumnType, type DatabaseValue } from '../column.type.js';
import type { JsonSchema } from '../json.schema.js';
import { orderOperators } from '../operator.js';

const digits = /^-?\d{1,19}$/;
const least = -(2n ** 63n);
const greatest = 2n ** 63n - 1n;

/** The integers that JSON carries exactly. */
const exact = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } as const;

/** A whole number of 64 bits. It travels as a string, because JSON numbers are exact only to 2^53. */
export class BigIntegerColumn extends ColumnType {
  readonly name = 'BigInteger';
  override readonly operators = orderOperators;
  override readonly ordering = 'number';
  override readonly arithmetic = 'integer';
  override readonly readAsText = true;
  readonly schema: JsonSchema = { type: 'string', pattern: '^-?[0-9]{1,19}$', examples: ['42'] };

  override get inputSchema(): JsonSchema {
    return { anyOf: [this.schema, { type: 'integer', format: 'int64', ...exact }] };
  }

  complaint(value: unknown): string | undefined {
    const text = Number.isSafeInteger(value) ? String(value) : value;
    if (typeof text !== 'string' || !/^-?\d+$/.test(text)) return 'value should be an integer';
    const inRange = digits.test(text) && BigInt(text) >= least && BigInt(text) <= greatest;
    return inRange ? undefined : `value should be between ${least} and ${greatest}`;
  }

  /** The number as databases write it: `05` is `5`. */
  override toDatabase(value: unknown): DatabaseValue {
    const text = String(value);
    return /^-?0/.test(text) && digits.test(text) ? String(BigInt(text)) : text;
  }

  toWire(value: unknown): string {
    return JSON.stringify(String(value));
  }
}
