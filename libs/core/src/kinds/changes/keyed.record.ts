import type { KindContext } from '../../endpoint/kind.context.js';
import type { Model } from '../../model/model.js';
import { conditionOf } from '../../query/condition.js';
import type { RecordReading } from '../../records/record.store.js';
import type { Fragment } from '../../sql/restriction.js';
import { recordedKey } from '../../sql/row.writer.js';
import type { RecordFilter } from '../../visibility/record.filter.js';
import type { Session } from '../../visibility/session.js';
import { NotFound } from '../../wire/refusals.js';
import type { RecordLookup } from '../record/record.lookup.js';

/** Finds the key of a record in the log: of one that a request may see, or of one that is gone where that is enough. */
export class KeyedRecord {
  readonly #reading: RecordReading;
  readonly #mayBeGone: boolean;

  /** @param isLive whether there must be a record to see now */
  constructor(
    private readonly context: KindContext,
    private readonly model: Model,
    private readonly lookup: RecordLookup,
    private readonly filter: RecordFilter,
    isLive: boolean,
  ) {
    const { idPath } = model;
    this.#reading = context.store(model).reading([{ kind: 'column', name: idPath.text, path: idPath }]);
    // Of a record that is gone nothing is known but its key.
    const isAsked = filter.conditions.length > 0 || filter.needsSql;
    this.#mayBeGone = !isLive && !isAsked && lookup.path.column === model.idColumn;
  }

  /** @throws NotFound when there is none to see */
  async keyOf(session: Session, value: unknown, narrowed: readonly Fragment[]): Promise<string> {
    const conditions = [...this.filter.conditions, conditionOf(this.lookup.path, '=', value)];
    const row = this.#mayBeGone ? undefined : await this.#reading.find(session, conditions, narrowed);
    if (row !== undefined) return this.recorded(row[0]);
    const key = this.#mayBeGone ? this.textOf(value) : undefined;
    if (key === undefined) throw new NotFound();
    return key;
  }

  /** The key of a record that is gone, as the log has it; undefined where nobody may ask for it. */
  goneKey(value: unknown): string | undefined {
    return this.#mayBeGone ? this.textOf(value) : undefined;
  }

  /** A record of which there is neither a row nor a change is none. @throws NotFound */
  refuseUnknown(
    changes: readonly unknown[],
    { behind, isNarrow }: { readonly behind: string | undefined; readonly isNarrow: boolean },
  ): void {
    if (this.#mayBeGone && changes.length === 0 && behind === undefined && !isNarrow) throw new NotFound();
  }

  private textOf(value: unknown): string {
    const { dialect } = this.context.database;
    return this.recorded(dialect.bind(this.lookup.path.column.type.toDatabase(value)));
  }

  /** A key as the log has it. */
  recorded(key: unknown): string {
    return recordedKey(this.model.idColumn.type, key);
  }
}
