import { ColumnType } from '../column.type.js';
import type { JsonSchema } from '../json.schema.js';

/** Stands for a database type that no column type reads. The column cannot be used until `defineColumns` names one. */
export class UnreadableColumn extends ColumnType {
  readonly name = 'Unreadable';
  override readonly operators = [];
  override readonly unusableBecause: string;
  readonly schema: JsonSchema = {};

  constructor(private readonly databaseType: string) {
    super();
    this.unusableBecause = `holds ${databaseType}, which no column type reads: name one with defineColumns`;
  }

  complaint(): string {
    throw new TypeError(`No column type reads ${this.databaseType}`);
  }

  toWire(): string {
    throw new TypeError(`No column type reads ${this.databaseType}`);
  }
}
