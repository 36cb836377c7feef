import { Collection, helper, Reference, ReferenceKind, Utils, type EntityProperty } from '@mikro-orm/core';
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
import { VisibleEntities } from './visible.entities.js';

/**
 * Makes rows of entities that a function of the user's gives, as a statement would read them: what the function
 * changed shows. Parents that are not loaded are, and lists of related records are read. Made once per endpoint.
 */
export class EntityRows implements GivenRecords {
  readonly layout: RowLayout;
  readonly #selection: SelectionReader;
  readonly #relations: readonly string[];
  /** Properties that MikroORM reads when they are asked for only. */
  readonly #lazy: readonly string[];
  /** The ways to the parents that columns are of. */
  readonly #parents: readonly (readonly Relation[])[];
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
    const lazy = columns.filter(({ column }) => column.property.lazy === true);
    this.#lazy = lazy.filter(isOwn).map(({ column }) => column.property.name);
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
    if (this.#relations.length === 0 && this.#lazy.length === 0) return;
    const stored = entities.filter((entity) => helper(entity).__em !== undefined);
    if (stored.length > 0 && this.#relations.length > 0) await em.populate(stored, this.#relations as never);
    for (const name of this.#lazy) {
      const bare = stored.filter((entity) => Reflect.get(entity, name) === undefined);
      if (bare.length > 0) await em.populate(bare, [name] as never);
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
