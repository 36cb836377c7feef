import { raw, type EntityProperty } from '@mikro-orm/core';
import type { Column } from '../../model/column.js';
import { jsonCopy } from '../../model/values/json.copy.js';
import { entityValue } from '../../metadata/entity.value.js';
import { storedField } from '../../metadata/stored.fields.js';
import type { Model } from '../../model/model.js';
import { FollowingColumns } from './following.columns.js';
import { PartedKeys } from './parted.keys.js';
import { ChangingColumns, keysIn, RecordChanges } from './record.changes.js';
import { unflushed } from '../../database/em/unflushed.js';
import { flushUniqueAtOnce } from '../../database/em/unique.at.once.js';
import { filterObjectOf } from '../../database/plain.filter.js';
import { referredTo } from '../../sql/restriction.js';
import type { Database, RequestEntityManager } from '../../database/database.js';
import type { Session } from '../../visibility/session.js';
import { isWrittenAlike } from './written.alike.js';
import { VisibleEntities } from '../visible.entities.js';
import type {
  Changes,
  ColumnValues,
  RecordKey,
  StagedInput,
  StagedWrite,
  StagedWrites,
  StoredRecord,
} from '../record.store.js';
import { recordKey } from '../record.key.js';
import { Failure } from '../../wire/refusals.js';

/** The members of lists that the viewer does not see: of each record by the name of the list. */
type HiddenMembers = ReadonlyMap<StoredRecord, ReadonlyMap<string, readonly object[]>>;

const noMembers: ReadonlyMap<string, readonly object[]> = new Map();

/** A record on its way into the database. */
interface Staged {
  readonly record: StoredRecord;
  changes(): Changes;
  /** Leaves to the entity manager what it writes with the next flush. */
  persist(): void;
  /** True once it is written, if a list of it has changed and its row has not, so that it has its old version. */
  isUncounted(): boolean;
}

/** Makes what MikroORM writes of values, in steps: functions of the user's may look at records on their way. */
export class RecordStaging {
  readonly #visible: VisibleEntities;
  readonly #changing: ChangingColumns;
  readonly #following: FollowingColumns;
  readonly #parted: PartedKeys;

  constructor(
    private readonly database: Database,
    private readonly model: Model,
  ) {
    this.#visible = new VisibleEntities(database);
    this.#changing = new ChangingColumns(model);
    this.#following = new FollowingColumns(model.columns.values());
    this.#parted = new PartedKeys(model.meta);
  }

  async one(session: Session, values: ColumnValues, record?: StoredRecord): Promise<StagedWrite> {
    const { em } = session;
    const hidden = await this.#loadLists(session, record === undefined ? [] : [record], listsIn([values]));
    const staged = this.#staged(em, values, record, hidden);
    return {
      record: staged.record,
      changes: () => staged.changes(),
      hold: (work) => unflushed(em, work),
      write: async () => {
        await this.#write(em, [staged]);
        return this.idOf(staged.record);
      },
    };
  }

  /** {@link one} for many records: the lists of all are loaded at once, and all are written with one flush. */
  async all(session: Session, inputs: readonly StagedInput[]): Promise<StagedWrites> {
    const { em } = session;
    const stored = inputs.flatMap(({ record }) => record ?? []);
    this.#refuseConfused(stored);
    const hidden = await this.#loadLists(session, stored, listsIn(inputs.map(({ values }) => values)));
    const all = inputs.map(({ values, record }) => this.#staged(em, values, record, hidden));
    return {
      all,
      hold: (work) => unflushed(em, work),
      write: async () => {
        for (const alike of this.#groups(all)) await this.#write(em, alike);
        return all.map(({ record }) => this.idOf(record));
      },
    };
  }

  /** @throws Failure for keys within one second: MikroORM knows records by the text of a `Date`, and would write the last alone */
  #refuseConfused(records: readonly StoredRecord[]): void {
    const { name } = this.model.idColumn.property;
    const keys = [...new Set(records)].map((record) => Reflect.get(record, name) as unknown);
    const times = keys.filter((key) => key instanceof Date).map(String);
    if (new Set(times).size < times.length)
      throw new Failure({
        cause: new Error('MikroORM takes records whose keys are within one second for one'),
      });
  }

  /** Gives a question about a record: true once it has changed since. */
  watch({ em }: Session, record: StoredRecord): () => boolean {
    const changes = new RecordChanges(em, this.#changing, record);
    return () => Object.keys(changes.now()).length > 0;
  }

  /** Has records tell of a change that is none of their rows. */
  async touchAll({ em }: Session, records: readonly StoredRecord[]): Promise<void> {
    const versions = records.map((record) => this.#versionOf(record));
    for (const record of records) this.#touch(em, record);
    await em.flush();
    const uncounted = records.filter((record, index) => this.#versionOf(record) === versions[index]);
    if (uncounted.length > 0) await this.#count(em, uncounted);
  }

  /** The values as an entity has them. @param record that gets them, where it is stored already */
  data(em: RequestEntityManager, values: ColumnValues, record?: StoredRecord): Record<string, unknown> {
    const data = Object.fromEntries(
      [...values].map(([column, value]) => [column.property.name, this.propertyValue(column, value)]),
    );
    return this.#parted.complete(em, data, record);
  }

  /** Hooks may change what an entity has, and the next trial begins with what was sent. */
  propertyValue(column: Column, value: unknown): unknown {
    return entityValue(column, jsonCopy(value), this.database.dialect.platform);
  }

  idOf(record: StoredRecord): RecordKey {
    return recordKey(Reflect.get(record, this.model.idColumn.property.name));
  }

  #staged(
    em: RequestEntityManager,
    values: ColumnValues,
    stored: StoredRecord | undefined,
    hidden: HiddenMembers,
  ): Staged {
    const lists = listsIn([values]);
    const record =
      stored ?? em.create<object>(this.model.meta.class, this.data(em, values), { persist: false });
    const changes = new RecordChanges(em, this.#changing, record);
    const before = lists.map((list) => keysIn(record, list));
    if (stored !== undefined)
      this.#assign(em, record, this.#following.without(values), hidden.get(record) ?? noMembers);
    let isListed = false;
    let version = NaN;
    return {
      record,
      changes: () => changes.now(),
      persist: () => {
        const isOther = lists.some((list, index) => keysIn(record, list) !== before[index]);
        isListed = stored !== undefined && isOther;
        if (stored === undefined) em.persist(record);
        else {
          if (isListed) this.#touch(em, record);
          this.#follow(em, record, values, () => isListed || Object.keys(changes.now()).length > 0);
        }
        version = this.#versionOf(record);
      },
      isUncounted: () => isListed && this.#versionOf(record) === version,
    };
  }

  async #write(em: RequestEntityManager, staged: readonly Staged[]): Promise<void> {
    for (const one of staged) one.persist();
    if (staged.length > 1) await flushUniqueAtOnce(em);
    else await em.flush();
    const uncounted = staged.filter((one) => one.isUncounted());
    if (uncounted.length > 0)
      await this.#count(
        em,
        uncounted.map(({ record }) => record),
      );
  }

  /**
   * New records that can be written with one statement. MikroORM names the columns of all of them in it: where the database
   * has no word for a default, a column that one record has not would be null.
   */
  #groups(all: readonly Staged[]): readonly (readonly Staged[])[] {
    if (this.database.dialect.platform.usesDefaultKeyword()) return [all];
    const groups = new Map<string, Staged[]>();
    for (const one of all) {
      const names = Object.keys(one.changes()).sort().join(' ');
      const group = groups.get(names) ?? [];
      groups.set(names, group);
      group.push(one);
    }
    return [...groups.values()];
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

  #assign(
    em: RequestEntityManager,
    record: StoredRecord,
    values: ColumnValues,
    hidden: ReadonlyMap<string, readonly object[]>,
  ): void {
    const { dialect } = this.database;
    const changed = new Map([...values].filter((entry) => !isWrittenAlike(dialect, record, ...entry)));
    const data = this.data(em, changed, record);
    for (const [name, members] of hidden) data[name] = [...((data[name] ?? []) as unknown[]), ...members];
    em.assign(record, data);
  }

  /**
   * MikroORM compares a list with the one it has loaded. What its filters hide is not loaded, so that it stays: the
   * client never saw it.
   * @returns what an authorization hides, which must stay, too
   */
  async #loadLists(
    session: Session,
    records: readonly StoredRecord[],
    lists: readonly Column[],
  ): Promise<HiddenMembers> {
    const hidden = new Map<StoredRecord, Map<string, readonly object[]>>();
    if (lists.length === 0 || records.length === 0) return hidden;
    const where = await this.#seenIn(session, lists);
    await session.em.populate([...records], lists.map(({ property }) => property.name) as never, { where });
    for (const list of lists) {
      const target = this.model.parentOf(list);
      for (const [record, members] of await this.#visible.hiddenMembers(session, records, target, list)) {
        const named = hidden.get(record) ?? new Map<string, readonly object[]>();
        hidden.set(record, named.set(list.property.name, members));
      }
    }
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

  /** Gives locked records new versions whose rows have not changed, only lists of them. */
  async #count(em: RequestEntityManager, records: readonly StoredRecord[]): Promise<void> {
    const { meta, idColumn } = this.model;
    const version = meta.props.find((property) => property.version === true);
    if (version === undefined) return;
    const isNumber = version.runtimeType === 'number';
    const later = records.map((record) => this.#versionOf(record) + 1);
    const now = new Date(Math.max(...later, Date.now()));
    const field = this.database.dialect.quote(storedField(version));
    const ids = { $in: records.map((record) => Reflect.get(record, idColumn.property.name) as unknown) };
    const part = this.#parted.sharedBy(records);
    const where = { ...part, [idColumn.property.name]: ids };
    const next = { [version.name]: isNumber ? raw(`${field} + 1`) : now };
    const keys = records.map((record) => this.idOf(record));
    const write = (): Promise<number> => em.nativeUpdate<object>(meta.class, where, next, { filters: false });
    await this.database.recorded(em, meta, 'updated', keys, write, Object.values(part)[0]);
    for (const [index, record] of records.entries())
      Reflect.set(record, version.name, isNumber ? later[index] : now);
  }

  /** Gives the version as a number, which is different for each version; never equal to another where there is none. */
  #versionOf(record: StoredRecord): number {
    return Number(Reflect.get(record, this.model.meta.versionProperty));
  }
}

/** The lists that some of the values are for. */
function listsIn(inputs: readonly ColumnValues[]): readonly Column[] {
  const lists = new Set<Column>();
  for (const values of inputs)
    for (const column of values.keys()) if (column.type.storage === 'links') lists.add(column);
  return [...lists];
}
