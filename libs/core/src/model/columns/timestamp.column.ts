import { checkArguments } from '../../options/checked.arguments.js';
import { oneOfTexts } from '../../options/checks.js';
import type { ColumnFacts, ColumnType, DatabaseValue } from '../column.type.js';
import { instantOf } from '../values/instant.js';
import { instantSpan, type TimeSpan } from '../values/time.span.js';
import { IntegerColumn } from './integer.column.js';

/** Years 1 to 9999, which every database and ISO 8601 can write. */
const writableInstants = { minimum: -62_135_596_800, maximum: 253_402_300_799 };

/** Seconds since 1970-01-01T00:00:00Z, an integer in and out; stored in an integer or in a date-time column. */
export class TimestampColumn extends IntegerColumn {
  override readonly name = 'Timestamp';
  override readonly ordering = 'time';
  override readonly arithmetic = undefined;

  constructor(
    minimum?: number,
    maximum?: number,
    private readonly storedAs: 'integer' | 'instant' = 'integer',
  ) {
    super(minimum, maximum);
    checkArguments('TimestampColumn', { storedAs: [storedAs, oneOfTexts('integer', 'instant')] });
  }

  override toDatabase(value: unknown): DatabaseValue {
    return this.storedAs === 'integer' ? Number(value) : new Date(Number(value) * 1000);
  }

  override toWire(value: unknown): string {
    if (this.storedAs === 'integer') return String(value);
    const instant = instantOf(value);
    return instant === undefined ? 'null' : String(Math.floor(instant / 1000));
  }

  override timeOf(value: unknown): TimeSpan {
    return instantSpan(Number(value) * 1000);
  }

  override narrow(facts: ColumnFacts): ColumnType {
    if (/date|timestamp/.test(facts.databaseType))
      return this.with({
        ...writableInstants,
        schema: { type: 'integer', format: 'int64', ...writableInstants },
        storedAs: 'instant',
        equalityWidth: 1000,
      });
    return super.narrow(facts);
  }
}
