import { FlushMode, LockMode, type EntityProperty } from '@mikro-orm/core';
import type { Column } from '../../model/column.js';
import { jsonCopy } from '../../model/values/json.copy.js';
import { entityValue } from '../../metadata/entity.value.js';
import type { Model } from '../../model/model.js';
import { FollowingColumns } from './following.columns.js';
import { ChangingColumns, keysIn, RecordChanges } from './record.changes.js';
import { writtenAlike } from '../../sql/comparison.js';
import { filterObjectOf } from '../../database/plain.filter.js';
import { RestrictionFilter } from '../../database/restriction.filter.js';
import { referredTo } from '../../sql/restriction.js';
import { refuseRounded } from '../rounded.key.js';
import type { Database, RequestEntityManager } from '../../database/database.js';
import type { Session } from '../../visibility/session.js';
import { EagerEntities } from '../eager.entities.js';
import { VisibleEntities } from '../visible.entities.js';
import type { ColumnValues, RecordKey, RecordWriting, StagedWrite, StoredRecord } from '../record.store.js';

/** The members of lists that the viewer does not see, by the name of the list. */
type HiddenMembers = ReadonlyMap<string, readonly object[]>;

const noMembers: HiddenMembers = new Map();

/** Writes records through the entity manager, so that life-cycle hooks, subscribers and custom types take part. */
export class RecordWriter implements RecordWriting {
  readonly #visible: VisibleEntities;
  readonly #changing: ChangingColumns;
  readonly #following: FollowingColumns;
  readonly #eager: EagerEntities;
  readonly #filter: RestrictionFilter;

  constructor(
    private readonly database: Database,
    private readonly model: Model,
  ) {
    this.#visible = new VisibleEntities(database);
    this.#changing = new ChangingColumns(model);
    this.#following = new FollowingColumns(model.columns.values());
    this.#eager = new EagerEntities(database, model.meta);
    this.#filter = new RestrictionFilter(database.dialect);
  }

  /** The key of the new record. */
  async create({ em }: Session, values: ColumnValues): Promise<RecordKey> {
    // Whatever `persistOnCreate` of the configuration says.
    const entity = em.create<object>(this.model.meta.class, this.#data(values), { persist: true });
    await em.flush();
    return this.idOf(entity);
  }

  async stage(session: Session, values: ColumnValues, record?: StoredRecord): Promise<StagedWrite> {
    const { model } = this;
    const { em } = session;
    const lists = listsIn(values);
    const hidden = record === undefined ? new Map() : await this.#loadLists(session, record, lists);
    const subject = record ?? em.create<object>(model.meta.class, this.#data(values), { persist: false });
    const changes = new RecordChanges(em, this.#changing, subject);
    const before = lists.map((list) => keysIn(subject, list));
    if (record !== undefined) this.#assign(em, record, this.#following.without(values), hidden);
    return {
      record: subject,
      changes: () => changes.now(),
      hold: (work) => unflushed(em, work),
      write: async () => {
        const isOtherList = lists.some((list, index) => keysIn(subject, list) !== before[index]);
        const isListed = record !== undefined && isOtherList;
        if (record === undefined) em.persist(subject);
        else {
          if (isListed) this.#touch(em, subject);
          this.#follow(em, record, values, () => isListed || Object.keys(changes.now()).length > 0);
        }
        const version = this.#versionOf(subject);
        await em.flush();
        if (isListed && this.#versionOf(subject) === version) await this.#count(em, subject);
        return this.idOf(subject);
      },
    };
  }

  async settle({ em }: Session): Promise<void> {
    await em.flush();
  }

  /** The record a write is about, locked until the transaction ends; undefined when there is none to see. */
  locate(session: Session, lookup: Column, value: unknown): Promise<StoredRecord | undefined> {
    return this.#locked(session, {
      [lookup.property.name]: lookupOf(lookup, this.#propertyValue(lookup, value)),
    });
  }

  locateBy(session: Session, values: ColumnValues): Promise<StoredRecord | undefined> {
    return this.#locked(session, this.#data(values));
  }

  async #locked(session: Session, lookedUp: object): Promise<StoredRecord | undefined> {
    const { meta } = this.model;
    const { conditions = [] } = (await session.restrictionsOf(new Set([meta]))).get(meta) ?? {};
    const { em } = session;
    const where =
      conditions.length === 0 ? lookedUp : { $and: [lookedUp, ...this.#filter.plain(conditions)] };
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE as const, lockTableAliases: [this.#mainAlias()] };
    // Filters on parents hide the parent, not the record, as in every read; so MikroORM must not join them here.
    // Whatever a guard has loaded of it may be out of date by now, and would be taken for what is stored.
    const options = { ...lock, filters: false, refresh: true, limit: 1 } as const;
    // Not findOne, which forgets that nothing is to be populated.
    const [record] = await em.find<object>(meta.class, where, { ...options, ...this.#eager.hidden(session) });
    if (record === undefined) return undefined;
    refuseRounded(this.database.dialect, this.model, this.idOf(record));
    return record;
  }

  /** Writes what differs. Without a difference nothing is sent, and Updated columns keep their values. */
  async update(session: Session, record: StoredRecord, values: ColumnValues): Promise<void> {
    const staged = await this.stage(session, values, record);
    await staged.write();
  }

  /** Sets what follows a change of a record, whoever made it: the client or functions of the user's. */
  #follow(
    em: RequestEntityManager,
    record: StoredRecord,
    values: ColumnValues,
    isChanged: () => boolean,
  ): void {
    const following = this.#following.among(values);
    if (following.size > 0 && isChanged()) this.#assign(em, record, following, noMembers);
  }

  #assign(em: RequestEntityManager, record: StoredRecord, values: ColumnValues, hidden: HiddenMembers): void {
    const data = this.#data(new Map([...values].filter((entry) => !isWrittenAlike(record, ...entry))));
    for (const [name, members] of hidden) data[name] = [...((data[name] ?? []) as unknown[]), ...members];
    em.assign(record, data);
  }

  /**
   * MikroORM compares a list with the one it has loaded. What its filters hide is not loaded, so that it stays: the
   * client never saw it.
   * @returns what an authorization hides, which must stay, too
   */
  async #loadLists(session: Session, record: StoredRecord, lists: readonly Column[]): Promise<HiddenMembers> {
    const hidden = new Map<string, readonly object[]>();
    if (lists.length === 0) return hidden;
    const where = await this.#seenIn(session, lists);
    await session.em.populate([record], lists.map(({ property }) => property.name) as never, { where });
    for (const list of lists)
      hidden.set(
        list.property.name,
        await this.#visible.hiddenMembers(session, record, this.model.parentOf(list), list),
      );
    return hidden;
  }

  /** Filter objects of the members to load, by list: those of plain scopes. */
  async #seenIn(session: Session, lists: readonly Column[]): Promise<Readonly<Record<string, object>>> {
    const seen: Record<string, object> = {};
    for (const list of lists) {
      const meta = this.model.parentOf(list)?.meta;
      if (meta === undefined || !session.narrows(meta)) continue;
      const { conditions = [] } = (await session.restrictionsOf(new Set([meta]))).get(meta) ?? {};
      const filter = filterObjectOf(referredTo(conditions));
      if (filter !== undefined) seen[list.property.name] = filter;
    }
    return seen;
  }

  /** A list is in a table of its own, and MikroORM does not see that its record has changed. */
  #touch(em: RequestEntityManager, record: StoredRecord): void {
    for (const { name, onUpdate } of Object.values<EntityProperty>(this.model.meta.properties))
      if (onUpdate !== undefined) Reflect.set(record, name, onUpdate(record, em));
  }

  /** Gives a locked record a new version whose row has not changed, only a list of it. */
  async #count(em: RequestEntityManager, record: StoredRecord): Promise<void> {
    const { meta, idColumn } = this.model;
    const version = meta.props.find((property) => property.version === true);
    if (version === undefined) return;
    const later = this.#versionOf(record) + 1;
    const next = version.runtimeType === 'number' ? later : new Date(Math.max(later, Date.now()));
    const where = { [idColumn.property.name]: this.idOf(record) };
    await em.nativeUpdate<object>(meta.class, where, { [version.name]: next }, { filters: false });
    Reflect.set(record, version.name, next);
  }

  /** Gives the version as a number, which is different for each version; never equal to another where there is none. */
  #versionOf(record: StoredRecord): number {
    return Number(Reflect.get(record, this.model.meta.versionProperty));
  }

  async delete({ em }: Session, record: StoredRecord): Promise<void> {
    em.remove(record);
    await em.flush();
  }

  idOf(record: StoredRecord): RecordKey {
    return Reflect.get(record, this.model.idColumn.property.name) as RecordKey;
  }

  /** The alias MikroORM gives to the entity it looks for. Only that is locked: parents that filters join cannot be. */
  #mainAlias(): string {
    return this.database.orm.config.getNamingStrategy().aliasName(this.model.meta.className, 0);
  }

  #data(values: ColumnValues): Record<string, unknown> {
    return Object.fromEntries(
      [...values].map(([column, value]) => [column.property.name, this.#propertyValue(column, value)]),
    );
  }

  /** Hooks may change what an entity has, and the next trial begins with what was sent. */
  #propertyValue(column: Column, value: unknown): unknown {
    return entityValue(column, jsonCopy(value), this.database.dialect.platform);
  }
}

/**
 * True if a value is written like the stored one, and so is no change. An instant may be kept with finer digits; a driver
 * may give the items of a list as text.
 */
function isWrittenAlike(
  record: StoredRecord,
  { type, property, conversion }: Column,
  value: unknown,
): boolean {
  if (value === null) return false;
  const stored: unknown = Reflect.get(record, property.name);
  const isInstant = stored instanceof Date && type.equalityWidth > 0;
  const isList = Array.isArray(stored) && conversion === undefined;
  return (isInstant || isList) && type.toWire(stored) === type.toWire(type.toDatabase(value));
}

/** Makes what an instant is looked up by: the span in which instants are written the same, as in every read. */
function lookupOf({ type: { equalityWidth } }: Column, value: unknown): unknown {
  if (equalityWidth === 0 || !(value instanceof Date)) return value;
  const start = writtenAlike(value, equalityWidth);
  const end = new Date(start.getTime() + equalityWidth);
  // Nothing that can be written comes after the last second of the year 9999.
  return end.getUTCFullYear() > 9999 ? { $gte: start } : { $gte: start, $lt: end };
}

function listsIn(values: ColumnValues): readonly Column[] {
  return [...values.keys()].filter(({ type }) => type.storage === 'links');
}

/** Runs `work` without what MikroORM flushes before a query: a record would be written before it is complete. */
async function unflushed(em: RequestEntityManager, work: () => Promise<void>): Promise<void> {
  em.setFlushMode(FlushMode.COMMIT);
  try {
    await work();
  } finally {
    em.setFlushMode();
  }
}
