import { IntegerColumn } from '../integer.column.js';

/** A number of records. It is text where a JSON number would round it. */
export class CountColumn extends IntegerColumn {
  constructor() {
    super(0);
  }

  override toWire(value: unknown): string {
    const text = String(value);
    return Number.isSafeInteger(Number(text)) ? text : JSON.stringify(text);
  }
}
