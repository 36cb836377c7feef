import type { Platform } from '@mikro-orm/core';
import type { Column } from '../../model/column.js';
import type { ColumnPath } from '../../model/model.js';
import type { SelectedColumn } from '../../query/query.plan.js';
import { plainValueOf } from '../../sql/plain.row.js';
import { recordKeyText } from '../../records/record.key.js';
import type { RecordKey, RecordReading, RecordStore } from '../../records/record.store.js';
import type { Row } from '../../sql/row.layout.js';
import type { Session } from '../../visibility/session.js';

const nothing: Row = [];

/** Reads some columns of a stored record as JSON values, for rules that compare them with what was sent. */
export class StoredValues {
  readonly #reading: RecordReading;
  readonly #values: readonly (readonly [Column, (row: Row) => unknown])[];

  readonly #keyOf: (row: Row) => unknown;

  constructor(
    store: RecordStore,
    platform: Platform,
    columns: readonly Column[],
    private readonly idPath: ColumnPath,
  ) {
    const key: SelectedColumn = { kind: 'column', name: idPath.text, path: idPath };
    const members = columns.map((column): SelectedColumn => {
      const path = { text: column.name, relations: [], column };
      return { kind: 'column', name: column.name, path };
    });
    const reading = store.reading([...members, key]);
    this.#reading = reading;
    this.#keyOf = plainValueOf(key, reading.layout, platform);
    this.#values = members.map((member) => [
      member.path.column,
      plainValueOf(member, reading.layout, platform),
    ]);
  }

  async of(session: Session, id: RecordKey): Promise<ReadonlyMap<Column, unknown>> {
    const row = (await this.#reading.readBack(session, id)) ?? nothing;
    return this.#valuesIn(row);
  }

  /** {@link of} many records, by their keys. */
  async ofAll(
    session: Session,
    ids: readonly RecordKey[],
  ): Promise<(id: RecordKey) => ReadonlyMap<Column, unknown> | undefined> {
    const rows = await this.#reading.readBackAll(session, ids);
    const textOf = (key: unknown): string => recordKeyText(this.idPath.column, key);
    const all = new Map(rows.map((row) => [textOf(this.#keyOf(row)), this.#valuesIn(row)]));
    return (id) => all.get(textOf(id));
  }

  #valuesIn(row: Row): ReadonlyMap<Column, unknown> {
    return new Map(this.#values.map(([column, valueOf]) => [column, valueOf(row)]));
  }
}
