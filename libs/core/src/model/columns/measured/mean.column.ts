import { DecimalColumn } from '../decimal.column.js';

/** The mean of decimals. The database writes as many digits as it made; zeros at the end say nothing. */
export class MeanColumn extends DecimalColumn {
  override toWire(value: unknown): string {
    const text = String(value);
    return JSON.stringify(text.includes('.') ? text.replace(/\.?0+$/, '') : text);
  }
}
