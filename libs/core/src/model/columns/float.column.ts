import { checkArguments } from '../../options/checked.arguments.js';
import { oneOfTexts } from '../../options/checks.js';
import { ColumnType, type ColumnFacts } from '../column.type.js';
import type { JsonSchema } from '../json.schema.js';
import { orderOperators } from '../operator.js';

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** A number as PostgreSQL writes it when it is neither very large nor very small; JavaScript writes it the same. */
const plainNumber = /^-?(?:[1-9]\d{0,14}(?:\.\d*[1-9])?|0\.(?!0000)\d*[1-9])$/;
/** The types whose text has the fewest digits that tell the number from others (PostgreSQL, 8.1.3), as JavaScript's. */
const floatingPoint = /^(?:double precision|double|real|float[48]?)$/;
const largestSingle = 3.4028234663852886e38;

/** A floating-point number of double precision, or of single where the database column is (`real`). */
export class FloatColumn extends ColumnType {
  readonly name = 'Float';
  override readonly forcesText = true;
  override readonly operators = orderOperators;
  override readonly ordering = 'number';
  override readonly arithmetic = 'float';
  readonly schema: JsonSchema = { type: 'number' };
  override readonly textSchema: JsonSchema = {
    type: 'string',
    pattern: jsonNumber.source,
    examples: ['3.14'],
  };

  /** True if the database writes values with the fewest digits. */
  private readonly isShortest: boolean = false;

  constructor(private readonly precision: 'double' | 'single' = 'double') {
    super();
    checkArguments('FloatColumn', { precision: [precision, oneOfTexts('double', 'single')] });
  }

  complaint(value: unknown): string | undefined {
    if (typeof value !== 'number' || Number.isNaN(value)) return 'value should be a number';
    // The largest single is answered as 3.4028235e+38, which is more than it is.
    if (Number.isFinite(this.precision === 'double' ? value : Math.fround(value))) return undefined;
    const largest = this.precision === 'double' ? Number.MAX_VALUE : largestSingle;
    return `value should be between ${-largest} and ${largest}`;
  }

  override fromText(text: string): unknown {
    return jsonNumber.test(text) ? Number(text) : text;
  }

  /** A single is rounded here, because PostgreSQL refuses a number too small for one instead of storing 0. */
  override toDatabase(value: unknown): number {
    return this.precision === 'double' ? Number(value) : Math.fround(Number(value));
  }

  /** The database writes a single with fewer digits than {@link toDatabase} has. */
  override keyText(value: unknown): string {
    return super.keyText(this.toDatabase(value));
  }

  /** NaN and the infinities, which only the database can hold, have no JSON form: null. */
  toWire(value: unknown): string {
    if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
    if (this.isShortest && typeof value === 'string' && plainNumber.test(value)) return value;
    return JSON.stringify(Number(value));
  }

  override narrow({ databaseType }: ColumnFacts): this {
    const isSingle = databaseType === 'real' || databaseType === 'float4';
    const precision = isSingle ? 'single' : this.precision;
    return this.with({ precision, isShortest: floatingPoint.test(databaseType) });
  }
}
