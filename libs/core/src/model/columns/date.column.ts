import { ColumnType } from '../column.type.js';
import { instantOf, isCalendarDate } from '../values/instant.js';
import type { JsonSchema } from '../json.schema.js';
import { orderOperators } from '../operator.js';
import { daySpan, type TimeSpan } from '../values/time.span.js';

/** Without the zeros of a day that is none. */
const day = /^(?!0000)\d{4}-(?!00)\d\d-(?!00)\d\d$/;

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

  /** Null for what the years 0001 to 9999 have not, such as `infinity`. */
  toWire(value: unknown): string {
    if (typeof value === 'string' && value.length === 10) return day.test(value) ? `"${value}"` : 'null';
    const instant = instantOf(value);
    return instant === undefined ? 'null' : `"${new Date(instant).toISOString().slice(0, 10)}"`;
  }

  override timeOf(value: unknown): TimeSpan {
    return daySpan(String(value));
  }
}
