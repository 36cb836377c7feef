import { ColumnType, type DatabaseValue } from '../column.type.js';
import type { JsonSchema } from '../json.schema.js';
import { equalityOperators } from '../operator.js';

/** The key of a parent record: values are those of the parent's id column. */
export class BelongsToIdColumn extends ColumnType {
  readonly name = 'BelongsToId';
  override readonly operators = equalityOperators;
  override readonly equalityWidth: number;
  override readonly readAsText: boolean | undefined;
  readonly schema: JsonSchema;

  constructor(private readonly key: ColumnType) {
    super();
    this.equalityWidth = key.equalityWidth;
    this.readAsText = key.readAsText;
    this.schema = key.schema;
  }

  override get inputSchema(): JsonSchema {
    return this.key.inputSchema;
  }

  override get wordSchema(): JsonSchema {
    return this.key.wordSchema;
  }

  complaint(value: unknown): string | undefined {
    return this.key.complaint(value);
  }

  override fromText(text: string): unknown {
    return this.key.fromText(text);
  }

  override toDatabase(value: unknown): DatabaseValue {
    return this.key.toDatabase(value);
  }

  override toKept(value: unknown): unknown {
    return this.key.toKept(value);
  }

  override keyText(value: unknown): string {
    return this.key.keyText(value);
  }

  override toEntity(value: unknown): unknown {
    return this.key.toEntity(value);
  }

  toWire(value: unknown): string {
    return this.key.toWire(value);
  }
}
