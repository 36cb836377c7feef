import { LockMode, type EntityProperty } from '@mikro-orm/core';
import type { Column } from '../../model/column.js';
import type { Model } from '../../model/model.js';
import { hasRoom } from '../../model/values/has.room.js';
import { writtenAlike } from '../../sql/comparison.js';
import { RestrictionFilter } from '../../database/restriction.filter.js';
import { refuseRounded } from '../rounded.key.js';
import type { Database } from '../../database/database.js';
import type { Session } from '../../visibility/session.js';
import { EagerEntities } from '../eager.entities.js';
import type {
  BulkWriting,
  ColumnValues,
  RecordKey,
  RecordWriting,
  StagedInput,
  StagedWrite,
  StagedWrites,
  StoredRecord,
} from '../record.store.js';
import { LinkRows } from './links/link.rows.js';
import type { LinkWriting } from './links/link.writing.js';
import { LockedRecord } from './locked.record.js';
import { keyOf } from './parted.keys.js';
import { RecordStaging } from './record.staging.js';
import { recordKey } from '../record.key.js';

/** Writes records through the entity manager, so that life-cycle hooks, subscribers and custom types take part. */
export class RecordWriter implements RecordWriting, BulkWriting {
  readonly #staging: RecordStaging;
  readonly #locks: LockedRecord;
  readonly #eager: EagerEntities;
  readonly #filter: RestrictionFilter;

  constructor(
    private readonly database: Database,
    private readonly model: Model,
  ) {
    this.#staging = new RecordStaging(database, model);
    this.#locks = new LockedRecord(database, model);
    this.#eager = new EagerEntities(database, model.meta);
    this.#filter = new RestrictionFilter(database.dialect);
  }

  /** The key of the new record. */
  async create({ em }: Session, values: ColumnValues): Promise<RecordKey> {
    // Whatever `persistOnCreate` of the configuration says.
    const entity = em.create<object>(this.model.meta.class, this.#staging.data(em, values), {
      persist: true,
    });
    await em.flush();
    return this.idOf(entity);
  }

  stage(session: Session, values: ColumnValues, record?: StoredRecord): Promise<StagedWrite> {
    return this.#staging.one(session, values, record);
  }

  stageAll(session: Session, inputs: readonly StagedInput[]): Promise<StagedWrites> {
    return this.#staging.all(session, inputs);
  }

  async settle({ em }: Session): Promise<void> {
    await em.flush();
  }

  /** The record a write is about, locked until the transaction ends; undefined when there is none to see. */
  async locate(session: Session, lookup: Column, value: unknown): Promise<StoredRecord | undefined> {
    const found = await this.#locks.find(session, lookup, value);
    if (found !== undefined) return this.#exact(found.record);
    // An entity has it rounded, which is the value of another record.
    if (!hasRoom(lookup.type, value)) return undefined;
    const sought = lookupOf(lookup, this.#staging.propertyValue(lookup, value));
    const [record] = await this.#locked(session, { [lookup.property.name]: sought }, { limit: 1 });
    return record;
  }

  #exact(record: StoredRecord | undefined): StoredRecord | undefined {
    if (record !== undefined) refuseRounded(this.database.dialect, this.model, this.idOf(record));
    return record;
  }

  async locateBy(session: Session, values: ColumnValues): Promise<StoredRecord | undefined> {
    const [record] = await this.#locked(session, this.#staging.data(session.em, values), { limit: 1 });
    return record;
  }

  /** The records are locked in the order of their ids, so that requests for the same ones wait for each other in one order. */
  async locateAll(
    session: Session,
    lookup: Column,
    values: readonly unknown[],
    open?: readonly unknown[],
  ): Promise<readonly (StoredRecord | undefined)[]> {
    const { type, property } = lookup;
    const sought = values.map((value) => this.#staging.propertyValue(lookup, value));
    const lookedUp =
      type.equalityWidth === 0
        ? [{ [property.name]: { $in: sought } }]
        : sought.map((value) => ({ [property.name]: lookupOf(lookup, value) }));
    const records = await this.#lockedAny(session, lookedUp, open);
    const texts = values.map((value) => this.#textOf(lookup, this.#storedValue(lookup, value)));
    return matched(
      texts,
      records.map((record) => [this.#textOf(lookup, Reflect.get(record, property.name)), record]),
    );
  }

  async locateAllBy(
    session: Session,
    all: readonly ColumnValues[],
    open?: readonly unknown[],
  ): Promise<readonly (StoredRecord | undefined)[]> {
    const [first] = all;
    const columns = [...(first?.keys() ?? [])];
    const [only] = columns;
    if (only !== undefined && columns.length === 1)
      return this.locateAll(
        session,
        only,
        all.map((values) => values.get(only)),
        open,
      );
    const sought = all.map((values) => this.#staging.data(session.em, values));
    const records = await this.#lockedAny(session, sought, open);
    const texts = all.map((values) => {
      return columns.map((column) => this.#textOf(column, this.#storedValue(column, values.get(column))));
    });
    const stored = records.map((record) => {
      return columns.map((column) => this.#textOf(column, Reflect.get(record, column.property.name)));
    });
    return matched(
      texts.map((one) => JSON.stringify(one)),
      records.map((record, index) => [JSON.stringify(stored[index]), record]),
    );
  }

  #storedValue(column: Column, value: unknown): unknown {
    return column.conversion === undefined
      ? column.type.toDatabase(value)
      : this.#staging.propertyValue(column, value);
  }

  /** A value of an entity as text, by which equal ones are known. */
  #textOf({ type, conversion }: Column, value: unknown): string {
    const key = keyOf(value);
    if (conversion === undefined) return type.keyText(key);
    return String(conversion.convertToDatabaseValue(key, this.database.dialect.platform));
  }

  /** Writes what differs. Without a difference nothing is sent, and Updated columns keep their values. */
  async update(session: Session, record: StoredRecord, values: ColumnValues): Promise<void> {
    const staged = await this.stage(session, values, record);
    await staged.write();
  }

  async delete({ em }: Session, record: StoredRecord): Promise<void> {
    em.remove(record);
    await em.flush();
  }

  async deleteAll({ em }: Session, records: readonly StoredRecord[]): Promise<void> {
    for (const record of records) em.remove(record);
    await em.flush();
  }

  parentKeyIn(record: StoredRecord, { property }: Column): RecordKey | undefined {
    const key: unknown = keyOf(Reflect.get(record, property.name));
    return key === null || key === undefined ? undefined : recordKey(key);
  }

  watch(session: Session, record: StoredRecord): () => boolean {
    return this.#staging.watch(session, record);
  }

  touchAll(session: Session, records: readonly StoredRecord[]): Promise<void> {
    return this.#staging.touchAll(session, records);
  }

  linksOf(property: EntityProperty): LinkWriting {
    return new LinkRows(this.database, property);
  }

  /** Forgets what is on its way, which the database has refused. */
  forget({ em }: Session): void {
    em.clear();
  }

  idOf(record: StoredRecord): RecordKey {
    return recordKey(Reflect.get(record, this.model.idColumn.property.name));
  }

  /**
   * Finds and locks the records to see that meet one of some conditions, in the order of their ids.
   * @param open the keys of those that may be locked; undefined for all
   */
  #lockedAny(
    session: Session,
    any: readonly object[],
    open: readonly unknown[] | undefined,
  ): Promise<readonly StoredRecord[]> {
    const { idColumn } = this.model;
    const { name } = idColumn.property;
    const keys = open?.map((key) => this.#staging.propertyValue(idColumn, key));
    const among = keys === undefined ? anyOf(any) : { $and: [anyOf(any), { [name]: { $in: keys } }] };
    return this.#locked(session, among, { orderBy: { [name]: 'asc' } });
  }

  /** Finds and locks the records to see that meet a condition of MikroORM's. */
  async #locked(
    session: Session,
    lookedUp: object,
    page: { readonly limit?: number; readonly orderBy?: Readonly<Record<string, string>> },
  ): Promise<readonly StoredRecord[]> {
    const { meta } = this.model;
    const { conditions = [] } = (await session.restrictionsOf(new Set([meta]))).get(meta) ?? {};
    const where =
      conditions.length === 0 ? lookedUp : { $and: [lookedUp, ...this.#filter.plain(conditions)] };
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE as const, lockTableAliases: [this.#mainAlias()] };
    // Filters on parents hide the parent, not the record, as in every read; so MikroORM must not join them here.
    // Whatever a guard has loaded of it may be out of date by now, and would be taken for what is stored.
    const options = { ...lock, ...page, filters: false, refresh: true } as const;
    // Not findOne, which forgets that nothing is to be populated.
    const records = await session.em.find<object>(meta.class, where, {
      ...options,
      ...this.#eager.hidden(session),
    });
    for (const record of records) refuseRounded(this.database.dialect, this.model, this.idOf(record));
    return records;
  }

  /** The alias MikroORM gives to the entity it looks for. Only that is locked: parents that filters join cannot be. */
  #mainAlias(): string {
    return this.database.orm.config.getNamingStrategy().aliasName(this.model.meta.className, 0);
  }
}

/** The most conditions in one group of those of which one has to be met. */
const mostAlternatives = 500;

/** Makes the condition that one of some is met, in groups: SQLite refuses an expression whose tree is a thousand levels deep. */
function anyOf(all: readonly object[]): object {
  const groups: object[] = [];
  for (let start = 0; start < all.length; start += mostAlternatives)
    groups.push({ $or: all.slice(start, start + mostAlternatives) });
  return groups.length === 1 ? (groups[0] ?? {}) : { $or: groups };
}

/** Makes what an instant is looked up by: the span in which instants are written the same, as in every read. */
function lookupOf({ type: { equalityWidth } }: Column, value: unknown): unknown {
  if (equalityWidth === 0 || !(value instanceof Date)) return value;
  const start = writtenAlike(value, equalityWidth);
  const end = new Date(start.getTime() + equalityWidth);
  // Nothing that can be written comes after the last second of the year 9999.
  return end.getUTCFullYear() > 9999 ? { $gte: start } : { $gte: start, $lt: end };
}

/**
 * Gives the record of each text. A database may take other letters for the same: then it is the record of no other text
 * whose letters differ in their case alone.
 */
function matched(
  texts: readonly string[],
  records: readonly (readonly [string, StoredRecord])[],
): readonly (StoredRecord | undefined)[] {
  const exact = new Map(records);
  const known = new Set(texts);
  const others = records.filter(([text]) => !known.has(text));
  const alike = new Map(others.map(([text, record]) => [text.toLowerCase(), record]));
  return texts.map((text) => exact.get(text) ?? alike.get(text.toLowerCase()));
}
