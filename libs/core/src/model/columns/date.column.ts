import { ColumnType } from '../column.type.js';
import { isCalendarDate } from '../values/instant.js';
import type { JsonSchema } from '../json.schema.js';
import { orderOperators } from '../operator.js';
import { daySpan, type TimeSpan } from '../values/time.span.js';

/** A day of the calendar, `YYYY-MM-DD`, years 0001 to 9999. */
export class DateColumn extends ColumnType {
  readonly name = 'Date';
  override readonly operators = orderOperators;
  override readonly ordering = 'time';
  readonly schema: JsonSchema = { type: 'string', format: 'date' };

  complaint(value: unknown): string | undefined {
    return typeof value === 'string' && isCalendarDate(value)
      ? undefined
      : 'given value did not appear to be a valid date';
  }

  toWire(value: unknown): string {
    return JSON.stringify(
      value instanceof Date ? value.toISOString().slice(0, 10) : String(value).slice(0, 10),
    );
  }

  override timeOf(value: unknown): TimeSpan {
    return daySpan(String(value));
  }
}
