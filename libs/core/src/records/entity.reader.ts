import type { EntityMetadata } from '@mikro-orm/core';
import type { Model } from '../model/model.js';
import type { ListPlan, Selection } from '../query/query.plan.js';
import { NameTable } from '../wire/name.table.js';
import type { Database } from './database.js';
import type { Dialect } from './sql/dialect.js';
import { RecordReader } from './record.reader.js';
import type { LoadedReading, LoadedRecord, RecordPage } from './record.store.js';
import type { Fragment } from './sql/statement.js';
import { refuseRounded } from './rounded.key.js';
import type { Session } from './session.js';

interface KeyedRecord {
  readonly id: unknown;
  readonly record: Readonly<Record<string, unknown>>;
}

/** Reads records as plain values together with their entities, for functions of the user's configuration. */
export class EntityReader implements LoadedReading {
  readonly #dialect: Dialect;
  readonly #reader: RecordReader;
  readonly #relations: readonly ShownRelation[];

  constructor(
    database: Database,
    private readonly model: Model,
    selection: Selection,
    names: NameTable,
  ) {
    const id = model.idPath;
    const keyed: Selection = [
      { kind: 'column', name: 'id', path: id },
      { kind: 'parent', name: 'record', presence: id, members: selection },
    ];
    this.#dialect = database.dialect;
    this.#reader = new RecordReader(database, model, keyed, new NameTable(names.internal, names.internal));
    this.#relations = relationsOf(selection);
  }

  async readBack(session: Session, id: unknown): Promise<LoadedRecord | undefined> {
    const text = await this.#reader.readBack(session, id);
    return text === undefined
      ? undefined
      : (await this.#loaded(session, [JSON.parse(text) as KeyedRecord]))[0];
  }

  async find(
    session: Session,
    conditions: ListPlan['conditions'],
    narrowed: readonly Fragment[],
  ): Promise<LoadedRecord | undefined> {
    const text = await this.#reader.find(session, conditions, narrowed);
    return text === undefined
      ? undefined
      : (await this.#loaded(session, [JSON.parse(text) as KeyedRecord]))[0];
  }

  async list(
    session: Session,
    plan: ListPlan,
    narrowed: readonly Fragment[],
  ): Promise<RecordPage<readonly LoadedRecord[]>> {
    const { data, ...facts } = await this.#reader.list(session, plan, narrowed);
    return { data: await this.#loaded(session, JSON.parse(data) as KeyedRecord[]), ...facts };
  }

  /** One statement for all entities of a page, and one for each relation. The keys were read through the filters. */
  async #loaded(session: Session, records: readonly KeyedRecord[]): Promise<LoadedRecord[]> {
    const key = this.model.idColumn.property.name;
    for (const { id } of records) refuseRounded(this.#dialect, this.model, id);
    const where = { [key]: { $in: records.map(({ id }) => id) } };
    const entities = await session.find((source) =>
      session.em.find<object>(this.model.meta.class, where, { filters: false, ...source }),
    );
    const byId = new Map(entities.map((entity) => [String(Reflect.get(entity, key)), entity]));
    const loaded = records.flatMap(({ id, record }) => {
      const entity = byId.get(String(id));
      return entity === undefined ? [] : [{ record, entity }];
    });
    for (const relation of this.#relations) await populated(session, relation, loaded);
    return loaded;
  }
}

/** A relation to parents, and where it stands in a record. */
interface ShownRelation {
  readonly path: readonly string[];
  readonly target: EntityMetadata | undefined;
  /** Whether the entity leaves out some of the records that keys lead to. */
  readonly isNarrowed: boolean;
}

/** Loads the parents of entities. What is hidden of them is null in the record, and is not loaded. */
async function populated(
  session: Session,
  { path, target, isNarrowed: isAlways }: ShownRelation,
  loaded: readonly LoadedRecord[],
): Promise<void> {
  const isNarrowed = isAlways || (target !== undefined && session.narrows(target));
  const asked = isNarrowed ? loaded.filter(({ record }) => isThere(record, path)) : loaded;
  const entities = asked.map(({ entity }) => entity);
  if (entities.length === 0) return;
  await session.find((source) => session.em.populate(entities, [path.join('.')] as never, source as never));
}

function isThere(record: Readonly<Record<string, unknown>>, path: readonly string[]): boolean {
  let value: unknown = record;
  for (const name of path) value = Reflect.get(Object(value) as object, name);
  return value !== null && value !== undefined;
}

function relationsOf(selection: Selection, before: readonly string[] = []): ShownRelation[] {
  return selection.flatMap((member) => {
    // Lists of related records may be long, and are in the record already.
    if (member.kind !== 'parent' || member.presence === undefined) return [];
    const path = [...before, member.name];
    const relation = member.presence.relations.at(-1);
    const target = relation?.target().meta;
    const isNarrowed = relation?.property.where !== undefined;
    return [{ path, target, isNarrowed }, ...relationsOf(member.members, path)];
  });
}
