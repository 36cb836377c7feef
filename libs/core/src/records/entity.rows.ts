import {
  Collection,
  helper,
  Reference,
  ReferenceKind,
  Utils,
  type EntityMetadata,
  type EntityProperty,
} from '@mikro-orm/core';
import { lastOfKey } from '../metadata/keys/key.property.js';
import type { Column } from '../model/column.js';
import { memberValueOf } from '../model/members/json.member.js';
import type { ColumnPath, Model, Relation } from '../model/model.js';
import type { Selection } from '../query/query.plan.js';
import type { Database } from '../database/database.js';
import type { GivenRecords } from './record.store.js';
import { plainValue } from './plain.value.js';
import type { Row, RowLayout } from '../sql/row.layout.js';
import { SelectionReader } from './selection.reader.js';
import type { Session } from '../visibility/session.js';
import { parentOf, VisibleEntities } from './visible.entities.js';

/**
 * Makes rows of entities that a function of the user's gives, as a statement would read them: what the function
 * changed shows. Parents that are not loaded are, and lists of related records are read. Made once per endpoint.
 */
export class EntityRows implements GivenRecords {
  readonly layout: RowLayout;
  readonly #selection: SelectionReader;
  /** The properties of the entities themselves that columns need. */
  readonly #own: readonly EntityProperty[];
  readonly #relations: readonly string[];
  /** The ways to the parents that columns are of. */
  readonly #parents: readonly (readonly Relation[])[];
  /** The properties of the parents at the end of each way that columns need. */
  readonly #needed: ReadonlyMap<readonly Relation[], readonly EntityProperty[]>;
  readonly #visible: VisibleEntities;

  constructor(
    private readonly database: Database,
    private readonly model: Model,
    selection: Selection,
  ) {
    this.#selection = new SelectionReader(database, model, selection);
    this.layout = this.#selection.layout;
    this.#visible = new VisibleEntities(database);
    this.#parents = prefixesOf(this.layout.columns.map(({ relations }) => relations));
    const { columns } = this.layout;
    this.#own = propertiesBehind([], columns);
    this.#needed = new Map(this.#parents.map((way) => [way, propertiesBehind(way, columns)]));
    // MikroORM reads these when they are asked for only.
    const lazy = columns.filter(({ column }) => column.property.lazy === true);
    const further = lazy.filter((path) => !isOwn(path)).map(pathOfProperty);
    this.#relations = [...new Set([...columns.flatMap(relationPaths), ...further])];
  }

  /** True if a value is an entity of the model. */
  isRecord(value: unknown): value is object {
    // By class: each MikroORM of a process has metadata of its own.
    return Utils.isEntity(value) && helper(value).__meta.root.class === this.model.meta.root.class;
  }

  /** The row of each entity. @throws TypeError for a value that is not of its column's type */
  async rows(session: Session, entities: readonly object[], isFiltered = false): Promise<readonly Row[]> {
    await this.#load(session, entities);
    const { columns } = this.layout;
    const hidden = await this.#visible.hiddenParents(session, entities, this.#parents, isFiltered);
    const rows = entities.map((entity): Row => columns.map((path) => this.#value(entity, path, hidden)));
    const restrictions = await session.restrictionsOf(new Set(this.#selection.entities()));
    return this.#selection.complete(session, rows, restrictions);
  }

  /** Loads relations and what MikroORM has left out. An entity that was never stored has none of either. */
  async #load({ em }: Session, entities: readonly object[]): Promise<void> {
    const stored = entities.filter((entity) => helper(entity).__em !== undefined);
    const { meta } = this.model;
    // Filters were asked when these were found, if the function wanted them; of a reference they say whether there is one.
    const { found = [], references = [] } = Object.groupBy(stored, (entity) =>
      isInitialized(entity) ? 'found' : 'references',
    );
    await complete(em, meta, found, this.#own, false);
    await complete(em, meta, references, this.#own);
    await this.#loadParents(em, stored);
  }

  /** A parent that was loaded in part may lack the key of the next one. */
  async #loadParents(em: Session['em'], stored: readonly object[]): Promise<void> {
    if (stored.length === 0 || this.#relations.length === 0) return;
    await em.populate(stored as object[], this.#relations as never);
    for (const [way, needed] of this.#needed) {
      const meta = way.at(-1)?.target().meta ?? this.model.meta;
      // One that is a reference still is hidden.
      const parents = stored.flatMap((entity) => parentOf(entity, way) ?? []).filter(isInitialized);
      const wasLeftOut = await complete(em, meta, [...new Set(parents)], needed);
      if (wasLeftOut) await em.populate(stored as object[], this.#relations as never);
    }
  }

  #value(entity: object, { text, relations, column }: ColumnPath, hidden: ReadonlySet<unknown>): unknown {
    let owner: unknown = entity;
    for (const { name } of relations) {
      owner = unwrapped(Reflect.get(Object(owner) as object, name));
      if (owner === null || owner === undefined || hidden.has(owner)) return null;
    }
    return this.#plain(
      text,
      column,
      memberValueOf(column.member, propertyValue(owner as object, column.property)),
    );
  }

  #plain(text: string, column: Column, value: unknown): unknown {
    const { conversion } = column;
    if (conversion === undefined || value === null || value === undefined)
      return plainValue(text, column, value);
    // Rows have what the database has, and are converted when they are written.
    return conversion.convertToDatabaseValue(value, this.database.dialect.platform);
  }
}

/**
 * Reads what MikroORM was not asked for: of references, and of entities that were loaded in part. What a function has set
 * meanwhile stays.
 *
 * @param filters false where those that filters hide are read, too
 * @returns true if there was something
 */
async function complete(
  em: Session['em'],
  meta: EntityMetadata,
  entities: readonly object[],
  properties: readonly EntityProperty[],
  filters?: false,
): Promise<boolean> {
  const some = entities.filter((entity) => properties.some((property) => isLeftOut(entity, property)));
  if (some.length === 0) return false;
  const left = properties.filter((property) => some.some((entity) => isLeftOut(entity, property)));
  const keys = some.map((entity) => Utils.getPrimaryKeyValues(entity, meta, true) as unknown);
  const where = { [Utils.getPrimaryKeyHash(meta.primaryKeys)]: { $in: keys } };
  const fields = left.map(({ name, embedded }) => embedded?.join('.') ?? name);
  await em.find(meta.class, where, {
    fields: fields as never,
    populate: [],
    ...(filters === false ? { filters } : {}),
  });
  return true;
}

/** Every way to a parent, and to the parents on it, once. */
function prefixesOf(ways: readonly (readonly Relation[])[]): readonly (readonly Relation[])[] {
  const all = ways.flatMap((way) => way.map((_, index) => way.slice(0, index + 1)));
  return [...new Map(all.map((way) => [way.map(({ name }) => name).join('.'), way])).values()];
}

/** The paths of relations that a column's path goes over, the column's own where it holds keys of a list. */
function relationPaths({ relations, column: { property } }: ColumnPath): string[] {
  const names = relations.map(({ name }) => name);
  const all = property.kind === ReferenceKind.MANY_TO_MANY ? [...names, property.name] : names;
  return all.map((_, index) => all.slice(0, index + 1).join('.'));
}

/** The stored properties that columns need of the entities at the end of a way. */
function propertiesBehind(
  way: readonly Relation[],
  columns: readonly ColumnPath[],
): readonly EntityProperty[] {
  const behind = columns.filter(({ relations }) =>
    way.every(({ name }, index) => relations[index]?.name === name),
  );
  const next = behind.map(({ relations, column }) => relations[way.length]?.property ?? column.property);
  return [...new Set(next.filter(isStored))];
}

/** True for a property that a row of the entity's own has. */
function isStored({ kind, persist, formula }: EntityProperty): boolean {
  if (kind === ReferenceKind.MANY_TO_MANY || kind === ReferenceKind.ONE_TO_MANY) return false;
  return persist !== false || formula !== undefined;
}

function isInitialized(entity: object): boolean {
  return helper(entity).isInitialized();
}

/** True if MikroORM was never asked for a property, and nobody has set it. */
function isLeftOut(entity: object, property: EntityProperty): boolean {
  const { name, embedded: [holder = name] = [] } = property;
  const { __loadedProperties: loaded } = helper(entity);
  if (loaded.has(name) || loaded.has(holder)) return false;
  return Reflect.get(entity, holder) === undefined || propertyValue(entity, property) === undefined;
}

function isOwn({ relations }: ColumnPath): boolean {
  return relations.length === 0;
}

function pathOfProperty({ relations, column }: ColumnPath): string {
  return [...relations, column.property].map(({ name }) => name).join('.');
}

function propertyValue(owner: object, property: EntityProperty): unknown {
  if (property.embedded !== undefined) {
    const [holder, name] = property.embedded as readonly [string, string];
    const embedded: unknown = Reflect.get(owner, holder);
    return typeof embedded === 'object' && embedded !== null ? Reflect.get(embedded, name) : null;
  }
  const value: unknown = unwrapped(Reflect.get(owner, property.name));
  if (value instanceof Collection) return value.getIdentifiers().map(lastOfKey);
  return Utils.isEntity(value) ? lastOfKey(helper(value).getPrimaryKey()) : value;
}

function unwrapped(value: unknown): unknown {
  return Reference.unwrapReference(value as object);
}
