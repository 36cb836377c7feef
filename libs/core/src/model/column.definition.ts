import { EntitySchema, type EntityName } from '@mikro-orm/core';
import type { ColumnNameOf, JsonMemberNameOf } from './column.name.js';
import type { ColumnType } from './column.type.js';
import type { Validator } from './validator.js';

/** The facts about a column that MikroORM's metadata does not have. */
export interface ColumnDefinition {
  /** The column's type, instead of the one that its database type suggests. */
  readonly type?: ColumnType;
  /** Rules beside those that metadata implies; one of the same name replaces it. */
  readonly validators?: readonly Validator[];
  /** On a relation: the related records' columns that its bare name shows. Nothing is shown by default. */
  readonly readableParentColumnNames?: readonly string[];
  /** On a to-many relation: how many related records a record shows at most. Default 50; 0 shows all. */
  readonly limit?: number;
  /** On a to-many relation: what related records are sorted by. Default: the entity's own `orderBy`, else their id. */
  readonly sortColumnName?: string;
  /** On a to-many relation: the direction of {@link sortColumnName}. Default `ASC`. */
  readonly sortDirection?: 'ASC' | 'DESC';
  /** The text of every complaint of this column's type, instead of the type's own. */
  readonly message?: string;
  /** True if the log of changes has the column's name alone, and never a value. Default false. */
  readonly sensitive?: boolean;
  /** True, or why, for a column that clients are not to use any more: generated documentation says so. Default false. */
  readonly deprecated?: boolean | string;
}

/** An endpoint's own definitions, by internal column name. */
export type ColumnOverrides = Readonly<Partial<Record<string, ColumnDefinition>>>;

/** Keyed by entity class, or by the metadata object of standard decorators. */
const definitions = new WeakMap<object, Map<string, ColumnDefinition>>();

/**
 * Says once, beside the entity, what MikroORM's metadata cannot: types such as e-mail, rules such as a minimum.
 *
 * @example
 * defineColumns(Trip, { contact: { type: new EmailColumn() }, rating: { validators: [new MinimumValue(1)] } });
 *
 * @example
 * defineColumns(Product, { 'attributes.color': { type: new StringColumn() } }); // a member of a Json column
 */
export function defineColumns<E>(
  entity: EntityName<E>,
  columns: Readonly<Partial<Record<ColumnNameOf<E> | JsonMemberNameOf<E>, ColumnDefinition>>>,
): void {
  for (const [name, definition] of Object.entries<ColumnDefinition | undefined>(columns))
    if (definition !== undefined) remember(classOf(entity), name, definition);
}

/**
 * {@link defineColumns} as a property decorator, for legacy and for standard decorators alike.
 *
 * @example
 * class Trip { @Property() @Column({ type: new EmailColumn() }) contact!: string }
 */
export function Column(definition: ColumnDefinition) {
  return (target: object | undefined, property: string | symbol | ClassFieldDecoratorContext): void => {
    if (typeof property === 'object') remember(metadataOf(property), String(property.name), definition);
    else if (target !== undefined) remember(target.constructor, String(property), definition);
  };
}

/** The definitions of an entity class, those of its base classes included. */
export function definitionsOf(entity: object): ReadonlyMap<string, ColumnDefinition> {
  const found = new Map<string, ColumnDefinition>();
  for (const owner of ownersOf(entity))
    for (const [name, definition] of definitions.get(owner) ?? [])
      if (!found.has(name)) found.set(name, definition);
  return found;
}

function* ownersOf(entity: object): Generator<object> {
  const metadataSymbol = (Symbol as { metadata?: symbol }).metadata ?? Symbol.for('Symbol.metadata');
  for (let owner: unknown = entity; typeof owner === 'function'; owner = Object.getPrototypeOf(owner)) {
    yield owner;
    const metadata: unknown = Reflect.get(owner, metadataSymbol);
    if (typeof metadata === 'object' && metadata !== null) yield metadata;
  }
}

/** A schema has a class too, which a class given to it later extends. */
export function classOf(entity: EntityName): object {
  return EntitySchema.is(entity) ? entity.meta.class : entity;
}

function remember(owner: object, name: string, definition: ColumnDefinition): void {
  const known = definitions.get(owner) ?? new Map<string, ColumnDefinition>();
  known.set(name, { ...known.get(name), ...definition });
  definitions.set(owner, known);
}

function metadataOf({ metadata, name }: ClassFieldDecoratorContext): object {
  if (metadata === undefined)
    throw new TypeError(
      `@Column on '${String(name)}': set Symbol.metadata ??= Symbol('Symbol.metadata') before the entities are loaded`,
    );
  return metadata;
}
