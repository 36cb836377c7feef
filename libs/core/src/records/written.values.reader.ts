import type { Column } from '../model/column.js';
import type { Model } from '../model/model.js';
import { NameTable } from '../wire/name.table.js';
import type { Database, RequestEntityManager } from './database.js';
import { RecordReader } from './record.reader.js';
import type { RecordKey } from './record.writer.js';

/** Reads some columns of a stored record as JSON values, for rules that compare them with what was sent. */
export class WrittenValuesReader {
  readonly #reader: RecordReader;

  constructor(
    database: Database,
    model: Model,
    private readonly columns: readonly Column[],
  ) {
    const members = columns.map((column, index) => ({
      kind: 'column' as const,
      name: `c${index}`,
      path: { text: column.name, relations: [], column },
    }));
    this.#reader = new RecordReader(database, model, members, new NameTable('snake_case', 'snake_case'));
  }

  async of(em: RequestEntityManager, id: RecordKey): Promise<ReadonlyMap<Column, unknown>> {
    const text = await this.#reader.readBack(em, id);
    const values = JSON.parse(text ?? '{}') as Readonly<Record<string, unknown>>;
    return new Map(this.columns.map((column, index) => [column, values[`c${index}`]]));
  }
}
