import type { Collection } from '@mikro-orm/core';
import type { Column } from '../model/column.js';
import type { Model } from '../model/model.js';
import type { RequestEntityManager } from './database.js';
import type { Changes, StoredRecord } from './record.store.js';

type Snapshot = Readonly<Record<string, unknown>>;

/** Tells which columns of a record differ from what was stored when it was made. */
export class RecordChanges {
  readonly #before: Snapshot | undefined;
  readonly #lists: ReadonlyMap<Column, string | undefined>;

  constructor(
    private readonly em: RequestEntityManager,
    private readonly model: Model,
    private readonly record: StoredRecord,
  ) {
    const stored: object | undefined = em.getUnitOfWork().getOriginalEntityData(record);
    this.#before = stored === undefined ? undefined : { ...stored };
    const lists = [...model.columns.values()].filter(({ type }) => type.storage === 'links');
    this.#lists = new Map(lists.map((list) => [list, keysIn(record, list)]));
  }

  /** What differs now, by internal column name; of a new record everything that has a value. */
  now(): Changes {
    const now = this.em.getComparator().prepareEntity(this.record) as Snapshot;
    const changed = this.#before === undefined ? defined(now) : this.#different(this.#before, now);
    const entries: [string, unknown][] = [];
    for (const column of this.model.columns.values())
      if (this.#lists.has(column)) entries.push(...this.#changedList(column));
      else if (changed.has(column.property.name)) entries.push([column.name, this.#valueOf(column, now)]);
    return Object.fromEntries(entries);
  }

  #different(before: Snapshot, now: Snapshot): ReadonlySet<string> {
    const comparator = this.em.getComparator();
    const diff = comparator.diffEntities(this.model.meta.class, before as never, now as never);
    return new Set(Object.keys(diff));
  }

  #changedList(column: Column): [string, unknown][] {
    const keys = keysIn(this.record, column);
    return keys === undefined || keys === (this.#lists.get(column) ?? '')
      ? []
      : [[column.name, listIn(this.record, column)?.getIdentifiers()]];
  }

  /** As the entity has it; of a parent its key. */
  #valueOf(column: Column, now: Snapshot): unknown {
    const { name, property } = column;
    if (this.model.parentOf(column) !== undefined) return now[property.name];
    const path = property.embedded === undefined ? [property.name] : name.split('.');
    return path.reduce<unknown>((value, part) => Reflect.get(Object(value) as object, part), this.record);
  }
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
  const keys = listIn(record, column)?.getIdentifiers().map(String);
  return (column.property.fixedOrder === true ? keys : keys?.toSorted())?.join(' ');
}
