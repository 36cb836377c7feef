import { ColumnType } from '../column.type.js';
import type { JsonSchema } from '../json.schema.js';
import { equalityOperators } from '../operator.js';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A UUID of any version, in its canonical text form (RFC 9562, 4). Stored and written in lower case. */
export class UuidColumn extends ColumnType {
  readonly name = 'Uuid';
  readonly schema: JsonSchema = { type: 'string', format: 'uuid' };
  override readonly operators = equalityOperators;

  complaint(value: unknown): string | undefined {
    return typeof value === 'string' && uuid.test(value) ? undefined : 'value should be a UUID';
  }

  override toDatabase(value: unknown): string {
    return String(value).toLowerCase();
  }

  toWire(value: unknown): string {
    return JSON.stringify(String(value));
  }
}
