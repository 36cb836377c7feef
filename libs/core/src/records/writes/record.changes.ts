import type { Collection } from '@mikro-orm/core';
import { lastOfKey } from '../../metadata/keys/key.property.js';
import type { Column } from '../../model/column.js';
import type { Model } from '../../model/model.js';
import type { RequestEntityManager } from '../../database/database.js';
import type { Changes, StoredRecord } from '../record.store.js';

type Snapshot = Readonly<Record<string, unknown>>;

/** A function that finds the value of a column in a record, and in what MikroORM makes of it. */
type ValueReader = (record: StoredRecord, now: Snapshot) => unknown;

/** A column whose changes are told. */
interface ChangingColumn {
  readonly column: Column;
  /** Undefined for a list, whose keys are in no property of the row. */
  readonly read: ValueReader | undefined;
}

/** The columns of a model whose changes are told. Made once per model of an endpoint. */
export class ChangingColumns {
  readonly all: readonly ChangingColumn[];

  constructor(readonly model: Model) {
    const columns = [...model.columns.values()];
    this.all = columns.map((column) => ({
      column,
      read: isList(column) ? undefined : valueOf(model, column),
    }));
  }
}

/** Tells which columns of a record differ from what was stored when it was made. */
export class RecordChanges {
  readonly #before: Snapshot | undefined;
  readonly #lists: ReadonlyMap<Column, string | undefined>;

  constructor(
    private readonly em: RequestEntityManager,
    private readonly columns: ChangingColumns,
    private readonly record: StoredRecord,
  ) {
    const stored: object | undefined = em.getUnitOfWork().getOriginalEntityData(record);
    this.#before = stored === undefined ? undefined : { ...stored };
    const lists = columns.all.filter(({ read }) => read === undefined);
    this.#lists = new Map(lists.map(({ column }) => [column, keysIn(record, column)]));
  }

  /** Gives the differences now, by internal column name; of a new record everything that has a value. */
  now(): Changes {
    const now = this.em.getComparator().prepareEntity(this.record) as Snapshot;
    const changed = this.#before === undefined ? defined(now) : this.#different(this.#before, now);
    const entries: [string, unknown][] = [];
    for (const { column, read } of this.columns.all)
      if (read === undefined) entries.push(...this.#changedList(column));
      else if (changed.has(column.property.name)) entries.push([column.name, read(this.record, now)]);
    return Object.fromEntries(entries);
  }

  #different(before: Snapshot, now: Snapshot): ReadonlySet<string> {
    const comparator = this.em.getComparator();
    const diff = comparator.diffEntities(this.columns.model.meta.class, before as never, now as never);
    return new Set(Object.keys(diff));
  }

  #changedList(column: Column): [string, unknown][] {
    const keys = keysIn(this.record, column);
    return keys === undefined || keys === (this.#lists.get(column) ?? '')
      ? []
      : [[column.name, listIn(this.record, column)?.getIdentifiers().map(lastOfKey)]];
  }
}

function isList({ type }: Column): boolean {
  return type.storage === 'links';
}

/** Reads the value as the entity has it; of a parent its key. */
function valueOf(model: Model, column: Column): ValueReader {
  const { name, property } = column;
  if (model.parentOf(column) !== undefined) return (_record, now) => lastOfKey(now[property.name]);
  if (property.embedded === undefined) return (record) => Reflect.get(record, property.name) as unknown;
  const path = name.split('.');
  return (record) =>
    path.reduce<unknown>((value, part) => Reflect.get(Object(value) as object, part), record);
}

function defined(snapshot: Snapshot): ReadonlySet<string> {
  return new Set(Object.keys(snapshot).filter((name) => snapshot[name] !== undefined));
}

function listIn(record: StoredRecord, { property }: Column): Collection<object> | undefined {
  const list = Reflect.get(record, property.name) as Collection<object> | undefined;
  return list?.isInitialized() === true ? list : undefined;
}

/** The keys of the records that a list leads to, in one order unless it has its own; undefined where it is not loaded. */
export function keysIn(record: StoredRecord, column: Column): string | undefined {
  const keys = listIn(record, column)?.getIdentifiers().map(lastOfKey).map(String);
  return (column.property.fixedOrder === true ? keys : keys?.toSorted())?.join(' ');
}
