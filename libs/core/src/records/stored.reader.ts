import type { EntityMetadata } from '@mikro-orm/core';
import type { Model } from '../model/model.js';
import type { ListPlan, SelectedColumn, Selection } from '../query/query.plan.js';
import type { Database } from '../database/database.js';
import { RestrictionFilter } from '../database/restriction.filter.js';
import { plainValueOf } from '../sql/plain.row.js';
import { EagerEntities } from './eager.entities.js';
import { RecordReader } from './record.reader.js';
import type { RecordKey, RecordReading, RowPage } from './record.store.js';
import { refuseRounded } from './rounded.key.js';
import type { Row, RowLayout } from '../sql/row.layout.js';
import type { Session } from '../visibility/session.js';
import { stickyOf, type Fragment } from '../sql/restriction.js';

/** Reads rows with their entities, for functions of the user's configuration. A record without an entity is none. */
export class StoredReader implements RecordReading {
  readonly layout: RowLayout;
  readonly #reader: RecordReader;
  readonly #keyOf: (row: Row) => unknown;
  readonly #relations: readonly ShownRelation[];
  readonly #eager: EagerEntities;
  readonly #filter: RestrictionFilter;

  constructor(
    private readonly database: Database,
    private readonly model: Model,
    selection: Selection,
  ) {
    const key: SelectedColumn = { kind: 'column', name: 'id', path: model.idPath };
    this.#reader = new RecordReader(database, model, [...selection, key]);
    this.layout = this.#reader.layout;
    this.#keyOf = plainValueOf(key, this.layout, database.dialect.platform);
    this.#relations = relationsOf(selection, this.layout);
    this.#eager = new EagerEntities(database, model.meta);
    this.#filter = new RestrictionFilter(database.dialect);
  }

  async find(
    session: Session,
    conditions: ListPlan['conditions'],
    narrowed: readonly Fragment[],
  ): Promise<Row | undefined> {
    return this.#one(session, await this.#reader.find(session, conditions, narrowed));
  }

  async readBack(session: Session, id: unknown): Promise<Row | undefined> {
    return this.#one(session, await this.#reader.readBack(session, id));
  }

  async readBackAll(session: Session, ids: readonly RecordKey[]): Promise<readonly Row[]> {
    return this.#loaded(session, await this.#reader.readBackAll(session, ids));
  }

  async list(session: Session, plan: ListPlan, narrowed: readonly Fragment[]): Promise<RowPage> {
    const { rows, ...facts } = await this.#reader.list(session, plan, narrowed);
    return { rows: await this.#loaded(session, rows), ...facts };
  }

  entitiesOf(plan: ListPlan): ReadonlySet<EntityMetadata> {
    return this.#reader.entitiesOf(plan);
  }

  async #one(session: Session, row: Row | undefined): Promise<Row | undefined> {
    return row === undefined ? undefined : (await this.#loaded(session, [row]))[0];
  }

  /** The condition of the records with some keys: a key is one record's within what written records must meet. */
  async #withKeys(session: Session, keys: readonly unknown[]): Promise<object> {
    const { meta, idColumn } = this.model;
    const where = { [idColumn.property.name]: { $in: keys } };
    const sticky = stickyOf(await session.restrictionsOf(new Set([meta]))).get(meta);
    return sticky === undefined ? where : { $and: [where, ...this.#filter.of(meta, sticky)] };
  }

  /** One statement for all entities of a page, and one for each relation. The keys were read through the filters. */
  async #loaded(session: Session, rows: readonly Row[]): Promise<readonly Row[]> {
    const name = this.model.idColumn.property.name;
    const keys = rows.map(this.#keyOf);
    for (const key of keys) refuseRounded(this.database.dialect, this.model, key);
    const where = await this.#withKeys(session, keys);
    const eagerly = this.#eager.hidden(session);
    const entities = await session.find((source) =>
      session.em.find<object>(this.model.meta.class, where, { filters: false, ...eagerly, ...source }),
    );
    const byKey = new Map(entities.map((entity) => [String(Reflect.get(entity, name)), entity]));
    const { atStored } = this.layout;
    const loaded = rows.flatMap((row, index) => {
      const entity = byKey.get(String(keys[index]));
      return entity === undefined ? [] : [{ row: [...row.slice(0, atStored), entity], entity }];
    });
    for (const relation of this.#relations) await populated(session, relation, loaded);
    return loaded.map(({ row }) => row);
  }
}

interface LoadedRow {
  readonly row: Row;
  readonly entity: object;
}

/** A relation to parents, and where it stands in a record. */
interface ShownRelation {
  readonly path: readonly string[];
  /** The places in rows of the keys on the way to it, its own last: one that is null leads to nothing. */
  readonly keys: readonly number[];
  /** The entities on the way to it, its own last. */
  readonly targets: readonly EntityMetadata[];
  /** True if an entity on the way leaves out some of the records that keys lead to. */
  readonly isNarrowed: boolean;
}

/**
 * Loads the parents of entities. What is hidden of them is null in the row, and is not loaded; nor is what lies behind it,
 * because MikroORM would load all that leads there.
 */
async function populated(
  session: Session,
  { path, keys, targets, isNarrowed: isAlways }: ShownRelation,
  loaded: readonly LoadedRow[],
): Promise<void> {
  const isNarrowed = isAlways || targets.some((target) => session.narrows(target));
  const isThere = ({ row }: LoadedRow): boolean =>
    keys.every((key) => row[key] !== null && row[key] !== undefined);
  const asked = isNarrowed ? loaded.filter(isThere) : loaded;
  const entities = asked.map(({ entity }) => entity);
  if (entities.length === 0) return;
  await session.find((source) => session.em.populate(entities, [path.join('.')] as never, source as never));
}

function relationsOf(
  selection: Selection,
  layout: RowLayout,
  before: ShownRelation = { path: [], keys: [], targets: [], isNarrowed: false },
): ShownRelation[] {
  return selection.flatMap((member) => {
    // Lists of related records may be long, and are in the record already.
    if (member.kind !== 'parent' || member.presence === undefined) return [];
    const path = [...before.path, member.name];
    const keys = [...before.keys, layout.at(member.presence)];
    const relation = member.presence.relations.at(-1);
    const target = relation?.target().meta;
    const targets = target === undefined ? before.targets : [...before.targets, target];
    const isNarrowed = before.isNarrowed || relation?.property.where !== undefined;
    const shown = { path, keys, targets, isNarrowed };
    return [shown, ...relationsOf(member.members, layout, shown)];
  });
}
