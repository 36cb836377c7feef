import { ColumnType } from '../column.type.js';
import type { JsonSchema } from '../json.schema.js';
import { jsonString } from '../../wire/json.text.js';
import { isStorable, notStorableMessage } from '../values/storable.text.js';

/** Text, kept as it is. */
export class StringColumn extends ColumnType {
  readonly name: string = 'String';
  override readonly isText = true;
  readonly schema: JsonSchema = { type: 'string' };

  complaint(value: unknown): string | undefined {
    if (typeof value !== 'string') return 'value should be a string';
    return isStorable(value) ? undefined : notStorableMessage;
  }

  toWire(value: unknown): string {
    return jsonString(typeof value === 'string' ? value : String(value));
  }
}
