import type { Column } from '../model/column.js';
import type { RecordKey, RecordStore, TextReading } from '../records/record.store.js';
import type { Session } from '../records/session.js';
import { NameTable } from '../wire/name.table.js';

/** Reads some columns of a stored record as JSON values, for rules that compare them with what was sent. */
export class StoredValues {
  readonly #reading: TextReading;

  constructor(
    store: RecordStore,
    private readonly columns: readonly Column[],
  ) {
    const members = columns.map((column, index) => ({
      kind: 'column' as const,
      name: `c${index}`,
      path: { text: column.name, relations: [], column },
    }));
    this.#reading = store.texts(members, new NameTable('snake_case', 'snake_case'));
  }

  async of(session: Session, id: RecordKey): Promise<ReadonlyMap<Column, unknown>> {
    const text = await this.#reading.readBack(session, id);
    const values = JSON.parse(text ?? '{}') as Readonly<Record<string, unknown>>;
    return new Map(this.columns.map((column, index) => [column, values[`c${index}`]]));
  }
}
