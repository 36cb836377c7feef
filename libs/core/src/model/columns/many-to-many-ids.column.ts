import { ColumnType, type DatabaseValue } from '../column.type.js';
import type { JsonSchema } from '../json.schema.js';

/** The keys of the records that a many-to-many relation leads to: a list in and out, without repeats. */
export class ManyToManyIdsColumn extends ColumnType {
  readonly name = 'ManyToManyIds';
  override readonly operators = [];
  override readonly isSortable = false;
  readonly schema: JsonSchema;

  constructor(readonly key: ColumnType) {
    super();
    this.schema = { type: 'array', items: key.schema };
  }

  override get inputSchema(): JsonSchema {
    return { type: 'array', items: this.key.inputSchema };
  }

  complaint(value: unknown): string | undefined {
    if (!Array.isArray(value)) return 'value should be a list';
    for (const item of value) {
      const complaint = this.key.complaint(item);
      if (complaint !== undefined) return complaint;
    }
    return undefined;
  }

  override toDatabase(): DatabaseValue {
    throw new TypeError('A list of keys is not stored in one column');
  }

  override toEntity(value: unknown): unknown {
    return [...new Set((value as unknown[]).map((key) => this.key.toEntity(key)))];
  }

  /** Each key on its own: the list around them is written where they are read. */
  toWire(value: unknown): string {
    return this.key.toWire(value);
  }
}
