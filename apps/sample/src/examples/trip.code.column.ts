import { ColumnType } from '@nest-endpoints/core';

/** `ABC-123`, of any case in, in upper case stored and out. */
export class TripCodeColumn extends ColumnType {
  readonly name = 'TripCode';
  override readonly isText = true;
  readonly schema = { type: 'string', pattern: '^[A-Z]{3}-[0-9]{3}$' };

  complaint(value: unknown): string | undefined {
    const isCode = typeof value === 'string' && /^[a-z]{3}-\d{3}$/i.test(value);
    return isCode ? undefined : 'value should be a trip code such as ABC-123';
  }

  override toDatabase(value: unknown): string {
    return String(value).toUpperCase();
  }

  toWire(value: unknown): string {
    return JSON.stringify(value);
  }
}
