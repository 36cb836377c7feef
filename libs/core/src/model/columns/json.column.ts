import { jsonOperators } from '../operator.js';
import { ColumnType, type ColumnFacts } from '../column.type.js';
import type { JsonSchema } from '../json.schema.js';
import { isStorableJson, notStorableMessage } from '../values/storable.text.js';

/** Any JSON value, kept and written as it is: its keys are never cased. */
export class JsonColumn extends ColumnType {
  readonly name = 'Json';
  override readonly storage = 'json';
  readonly schema: JsonSchema = {};

  /** PostgreSQL looks into a `jsonb` column; nothing else does so by an operator. */
  override narrow({ looksIntoJson = false }: ColumnFacts): ColumnType {
    return looksIntoJson ? this.with({ operators: jsonOperators }) : this;
  }

  complaint(value: unknown): string | undefined {
    if (value === undefined) return 'value should be JSON';
    return isStorableJson(value) ? undefined : notStorableMessage;
  }

  override fromText(text: string): unknown {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return undefined;
    }
  }

  toWire(value: unknown): string {
    return typeof value === 'string' ? value : JSON.stringify(value);
  }
}
