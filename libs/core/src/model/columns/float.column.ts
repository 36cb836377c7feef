import { ColumnType, type ColumnFacts } from '../column.type.js';
import type { JsonSchema } from '../json.schema.js';
import { orderOperators } from '../operator.js';

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** A number of at most 15 digits without an exponent, which JavaScript would write the same. */
const plainNumber = /^-?(?:[1-9]\d*(?:\.\d*[1-9])?|0\.(?!0000)\d*[1-9])$/;
const longestPlain = 16;
const largestSingle = 3.4028234663852886e38;

/** A floating-point number of double precision, or of single where the database column is (`real`). */
export class FloatColumn extends ColumnType {
  readonly name = 'Float';
  override readonly forcesText = true;
  override readonly operators = orderOperators;
  override readonly ordering = 'number';
  readonly schema: JsonSchema = { type: 'number' };

  constructor(private readonly precision: 'double' | 'single' = 'double') {
    super();
  }

  complaint(value: unknown): string | undefined {
    if (typeof value !== 'number' || Number.isNaN(value)) return 'value should be a number';
    const largest = this.precision === 'double' ? Number.MAX_VALUE : largestSingle;
    return Math.abs(value) <= largest ? undefined : `value should be between ${-largest} and ${largest}`;
  }

  override fromText(text: string): unknown {
    return jsonNumber.test(text) ? Number(text) : text;
  }

  /** A single is rounded here, because PostgreSQL refuses a number too small for one instead of storing 0. */
  override toDatabase(value: unknown): number {
    return this.precision === 'double' ? Number(value) : Math.fround(Number(value));
  }

  /** NaN and the infinities, which only the database can hold, have no JSON form: null. */
  toWire(value: unknown): string {
    if (typeof value === 'string' && value.length <= longestPlain && plainNumber.test(value)) return value;
    return JSON.stringify(Number(value));
  }

  override narrow({ databaseType }: ColumnFacts): this {
    return databaseType === 'real' || databaseType === 'float4' ? this.with({ precision: 'single' }) : this;
  }
}
