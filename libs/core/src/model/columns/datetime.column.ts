import { checkOptions } from '../../options/checked.options.js';
import { oneOfTexts } from '../../options/checks.js';
import type { ChecksOf } from '../../options/option.check.js';
import { ColumnType, type ColumnFacts, type DatabaseValue } from '../column.type.js';
import { instantOf, isCalendarDate, isWritableInstant } from '../values/instant.js';
import type { JsonSchema } from '../json.schema.js';
import { orderOperators } from '../operator.js';
import { instantSpan, type TimeSpan } from '../values/time.span.js';

const isoDatetime =
  /^(?<date>\d{4}-\d{2}-\d{2})[Tt ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?<offset>[Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?$/;
const spacedOffset = /(?<=:\d{2}(?:[.,]\d+)?) (?=\d{2}(?::?\d{2})?$)/;

/** Options of a {@link DatetimeColumn}. */
export interface DatetimeOptions {
  /** The precision with which values are written, and compared by equality. Default `seconds`. */
  readonly precision?: 'seconds' | 'milliseconds';
}

const datetimeChecks = {
  precision: oneOfTexts('seconds', 'milliseconds'),
} as const satisfies ChecksOf<DatetimeOptions>;

/** An instant: ISO 8601 or RFC 3339 with an offset in, `YYYY-MM-DDTHH:MM:SS+00:00` out. Years 0001 to 9999. */
export class DatetimeColumn extends ColumnType {
  readonly name: string = 'Datetime';
  override readonly operators = orderOperators;
  override readonly ordering = 'time';
  override readonly equalityWidth: number;
  readonly schema: JsonSchema = { type: 'string', format: 'date-time' };
  private readonly hasMilliseconds: boolean;
  /** The milliseconds from one instant that the database column keeps to the next. */
  private readonly step: number = 1;

  constructor(options: DatetimeOptions = {}) {
    super();
    checkOptions('DatetimeColumn', options, { checks: datetimeChecks });
    const { precision = 'seconds' } = options;
    this.hasMilliseconds = precision === 'milliseconds';
    this.equalityWidth = this.hasMilliseconds ? 1 : 1000;
  }

  complaint(value: unknown): string | undefined {
    const parts = typeof value === 'string' ? isoDatetime.exec(value)?.groups : undefined;
    if (parts?.['date'] === undefined || !isCalendarDate(parts['date']))
      return 'given value did not appear to be a valid date';
    if (parts['offset'] === undefined) return 'date is missing timezone information';
    return isWritableInstant(milliseconds(String(value)))
      ? undefined
      : 'given value did not appear to be a valid date';
  }

  /** In a query string `+` means a space, so a space before the offset is the plus the client meant. */
  override fromText(text: string): unknown {
    return text.replace(spacedOffset, '+');
  }

  /**
   * Cut as it is written, because databases round what is finer than they keep, each in its way. The value of a key as rows and
   * entities have it is read, too: a record is asked for again by it.
   */
  override toDatabase(value: unknown): DatabaseValue {
    const instant = instantOf(value) ?? milliseconds(String(value));
    return new Date(this.step === 1 ? instant : Math.floor(instant / this.step) * this.step);
  }

  override timeOf(value: unknown): TimeSpan {
    return instantSpan(milliseconds(String(value)));
  }

  /** Null for what the years 0001 to 9999 have not, such as `infinity`. */
  toWire(value: unknown): string {
    // What a database sends of UTC is cut without parsing: this runs for every row.
    if (!this.hasMilliseconds && typeof value === 'string' && isPlainUtc(value))
      return `"${value.slice(0, 10)}T${value.slice(11, 19)}+00:00"`;
    const instant = instantOf(value);
    if (instant === undefined) return 'null';
    return `"${new Date(instant).toISOString().slice(0, this.hasMilliseconds ? 23 : 19)}+00:00"`;
  }

  override narrow({ secondDigits = 3 }: ColumnFacts): this {
    return secondDigits < 3 ? this.with({ step: 10 ** (3 - secondDigits) }) : this;
  }
}

/** True for the text of PostgreSQL while the session's time zone is UTC, and for that of MariaDB and MySQL, which has no zone. */
function isPlainUtc(text: string): boolean {
  return (text.endsWith('+00') && text[4] === '-') || zoneless.test(text);
}

/** Without the zeros of a date that is none. */
const zoneless = /^\d{4}-(?!00)\d\d-(?!00)\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?$/;

function milliseconds(text: string): number {
  const [, head = '', fraction = '', offset = ''] =
    /^(.+?)(?:[.,](\d+))?([Zz]|[+-]\d{2}(?::?\d{2})?)$/.exec(text) ?? [];
  const time = head.length === 16 ? `${head}:00` : head;
  const zone = /^[Zz]$/.test(offset)
    ? 'Z'
    : `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}`;
  return Date.parse(`${time.replace(/[t ]/, 'T')}.${fraction.slice(0, 3).padEnd(3, '0')}${zone}`);
}
