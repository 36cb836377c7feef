import { decimalText, withoutZeros } from '../../values/decimal.text.js';
import { DecimalColumn } from '../decimal.column.js';

/** The mean of decimals. The database writes as many digits as it made; zeros at the end say nothing. */
export class MeanColumn extends DecimalColumn {
  override toWire(value: unknown): string {
    const text = decimalText(value);
    if (text === undefined) return 'null';
    return `"${withoutZeros(text)}"`;
  }
}
