import { checkArguments } from '../../options/checked.arguments.js';
import { wholeNumber } from '../../options/checks.js';
import { ColumnType, type ColumnFacts, type DatabaseValue } from '../column.type.js';
import { decimalText, isDecimal, plainDecimal, plainNumber } from '../values/decimal.text.js';
import type { JsonSchema } from '../json.schema.js';
import { orderOperators } from '../operator.js';

/** An exact decimal number. It travels as a string; JSON numbers are accepted as well. */
export class DecimalColumn extends ColumnType {
  readonly name = 'Decimal';
  override readonly operators = orderOperators;
  override readonly ordering = 'number';
  override readonly arithmetic = 'decimal';
  override readonly readAsText = true;
  readonly schema: JsonSchema = { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]+)?$', examples: ['9.50'] };

  /** @param precision digits in all @param scale digits after the point; both unlimited when left out */
  constructor(
    private readonly precision?: number,
    private readonly scale = 0,
  ) {
    super();
    checkArguments('DecimalColumn', {
      precision: [precision ?? 1, wholeNumber(1)],
      scale: [scale, wholeNumber(0, precision)],
    });
  }

  override get inputSchema(): JsonSchema {
    return { anyOf: [this.wordSchema, { type: 'number', ...this.bounds() }] };
  }

  /** A column's precision says how many digits stand before the point. */
  override get wordSchema(): JsonSchema {
    if (this.precision === undefined) return this.schema;
    const digits = this.precision - this.scale;
    const whole = digits === 0 ? '0+' : `0*[0-9]{1,${digits}}`;
    return { ...this.schema, pattern: `^-?${whole}(\\.[0-9]+)?$`, examples: [sampleOf(digits, this.scale)] };
  }

  complaint(value: unknown): string | undefined {
    const text = typeof value === 'number' ? plainNumber(value) : value;
    if (typeof text !== 'string' || text.length > 1000 || !isDecimal(text))
      return 'value should be a decimal number';
    if (this.precision === undefined) return undefined;
    // The database rounds the fraction, which may carry into one digit more.
    const [whole = '', fraction = ''] = text.replace('-', '').split('.');
    const digits = this.precision - this.scale;
    const limit = 10n ** BigInt(digits);
    const carries = /^9*$/.test(fraction.slice(0, this.scale)) && Number(fraction[this.scale] ?? 0) >= 5;
    if (BigInt(whole) + (carries && fraction.length > this.scale ? 1n : 0n) < limit) return undefined;
    const greatest = `${'9'.repeat(digits) || '0'}${this.scale > 0 ? `.${'9'.repeat(this.scale)}` : ''}`;
    return `value should be between -${greatest} and ${greatest}`;
  }

  /** Between the numbers that are rounded to one digit too many. JSON numbers are binary: the nearest one may be the last to fit. */
  private bounds(): JsonSchema {
    if (this.precision === undefined) return {};
    const least = Number(`${'9'.repeat(this.precision - this.scale) || '0'}.${'9'.repeat(this.scale)}5`);
    if (!Number.isFinite(least)) return {};
    return this.complaint(least) === undefined
      ? { minimum: -least, maximum: least }
      : { exclusiveMinimum: -least, exclusiveMaximum: least };
  }

  override toDatabase(value: unknown): DatabaseValue {
    return this.numberOf(value);
  }

  /** Rounded as PostgreSQL does it, half away from zero. */
  override toKept(value: unknown): unknown {
    const text = this.numberOf(value);
    return this.precision === undefined ? text : rounded(text, this.scale);
  }

  /** Rounded, for a database that keeps every digit (SQLite), and written as those do which keep these alone. */
  override toEntity(value: unknown): unknown {
    const kept = String(this.toKept(value));
    return this.precision === undefined ? kept : padded(plainDecimal(kept), this.scale);
  }

  /** With the digits alone that say something: `01.50` is `1.5`. */
  override keyText(value: unknown): string {
    return plainDecimal(this.numberOf(value));
  }

  /** With all digits of the scale; SQLite keeps only those that say something. Null for NaN and the infinities. */
  toWire(value: unknown): string {
    const text = decimalText(value);
    return text === undefined ? 'null' : `"${padded(text, this.scale)}"`;
  }

  override narrow({ precision, scale }: ColumnFacts): this {
    return precision === undefined ? this : this.with({ precision, scale: scale ?? 0 });
  }
}

/** A number with so many digits before the point and after it, at most one and two. */
function sampleOf(digits: number, scale: number): string {
  const fraction = '50'.slice(0, scale).padEnd(Math.min(scale, 2), '0');
  return `${digits === 0 ? '0' : '9'}${fraction === '' ? '' : `.${fraction}`}`;
}

/** With all digits of a scale. */
function padded(text: string, scale: number): string {
  const [whole = '', fraction = ''] = text.split('.');
  return fraction.length >= scale ? text : `${whole}.${fraction.padEnd(scale, '0')}`;
}

function rounded(text: string, scale: number): string {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  if (fraction.length <= scale) return text;
  const kept = BigInt(whole + fraction.slice(0, scale)) + (Number(fraction[scale]) >= 5 ? 1n : 0n);
  const digits = String(kept).padStart(scale + 1, '0');
  const point = digits.length - scale;
  const sign = text.startsWith('-') && kept !== 0n ? '-' : '';
  return `${sign}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ''}`;
}
