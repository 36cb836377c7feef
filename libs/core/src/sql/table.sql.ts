import { ReferenceKind, type EntityMetadata, type EntityProperty } from '@mikro-orm/core';
import type { AbstractSqlDriver } from '@mikro-orm/sql';
import type { Column } from '../model/column.js';
import { keyPropertyOf, partingPropertiesOf } from '../metadata/keys/key.property.js';
import { owningSide } from '../metadata/unserved.relation.js';
import { storedField, storedFields } from '../metadata/stored.fields.js';
import type { Relation } from '../model/model.js';
import type { StoredField } from '../model/columns/searched/search.sql.js';
import type { Dialect } from './dialect.js';
import { memberSql } from './json/json.sql.js';
import type { Fragment } from './restriction.js';

/**
 * Names of tables and columns in SQL. Identifiers come from metadata. Tables without a schema of their own get the chosen
 * one. MikroORM quotes all of them.
 */
export class TableSql {
  readonly #related = new Map<EntityProperty, Fragment>();
  /** The part of a statement's text that does not come from metadata. A line of its own, whatever the name. */
  readonly key: string;

  /**
   * @param chosen the schema of tables without one of their own, as MikroORM's option or an entity manager says it;
   *   undefined for that of the database
   */
  constructor(
    private readonly driver: AbstractSqlDriver,
    private readonly dialect: Dialect,
    readonly chosen: string | undefined,
  ) {
    this.key = `in ${JSON.stringify(chosen)}`;
  }

  /**
   * Gives the tables in a schema that was chosen; MikroORM takes `*` for no choice.
   * @throws TypeError for a name that MikroORM would write in another way than it is
   */
  in(schema: string | undefined): TableSql {
    if (schema === undefined || schema === '*' || schema === this.chosen) return this;
    if (unquotable.test(schema))
      throw new TypeError('The schema of an entity manager has a character that no schema may have');
    return new TableSql(this.driver, this.dialect, schema);
  }

  /** The table of an entity; there is no model of one that is not one table or view. */
  table(meta: EntityMetadata): string {
    const schema = this.schemaOf(meta);
    const table = this.dialect.quote(meta.tableName);
    return schema === undefined ? table : `${this.dialect.quote(schema)}.${table}`;
  }

  /**
   * The schema of an entity's table; undefined for the default one of the database, which needs no name, and has none in what
   * MikroORM writes.
   */
  schemaOf({ schema }: EntityMetadata): string | undefined {
    if (schema !== undefined && schema !== '*') return schema;
    return this.#isChosen ? this.chosen : undefined;
  }

  /** The stored column of a property, without conversions: for joins and keys. */
  field(alias: string, property: EntityProperty): string {
    return `${this.dialect.quote(alias)}.${this.dialect.quote(storedField(property))}`;
  }

  /** A column by its name in the database, which metadata gave. */
  column(alias: string, name: string | undefined): string {
    if (name === undefined) throw new TypeError(`A column of ${alias} has no name`);
    return `${this.dialect.quote(alias)}.${this.dialect.quote(name)}`;
  }

  /** True if a value can be cast to the type of a property: an enum of the database's is in a schema, too. */
  canCast(property: EntityProperty): boolean {
    const isElsewhere = property.nativeEnumName !== undefined && this.#isChosen;
    return !isElsewhere && this.dialect.canCast(property);
  }

  /** The table between the two sides of a many-to-many relation. */
  pivot({ pivotEntity }: EntityProperty): string {
    return this.table(this.driver.getMetadata().get(pivotEntity));
  }

  /** The keys of the records that a relation may lead to, where the entity has a `where` for it. */
  related({ property, target }: Relation): Fragment | undefined {
    // `defineEntity` makes a list of what it is given.
    const where = [property.where ?? []].flat();
    if (where.length === 0) return undefined;
    const known = this.#related.get(property);
    if (known !== undefined) return known;
    const { meta } = target();
    // Its own schema comes before the chosen one, there as in the tables that the `where` joins.
    const em = this.driver.createEntityManager(false);
    em.schema = this.chosen;
    const query = em.createQueryBuilder<object>(meta.class).where({ $and: where } as never);
    const { sql, params } = query.select(meta.primaryKeys as never).toQuery();
    const keys = { sql, parameters: params };
    this.#related.set(property, keys);
    return keys;
  }

  /** The property by which the related records of a one-to-many relation refer to their owner. */
  owningSide(property: EntityProperty): EntityProperty {
    const owning = owningSide(property);
    if (owning === undefined)
      throw new TypeError(`'${property.name}' is not mapped by a property of its target`);
    return owning;
  }

  /** The value of a column: a stored column, a formula, or what a custom type converts it to. */
  value(alias: string, meta: EntityMetadata, { property, conversion, member, type }: Column): string {
    if (type.virtual !== undefined) return type.virtual.write(this.#fieldsOf(alias, meta));
    const field = this.field(alias, property);
    if (member !== undefined) return memberSql(this.dialect.platform, field, member);
    if (property.formula !== undefined)
      return this.dialect.computed(`(${this.#formula(alias, meta, property)})`, property);
    return conversion?.convertToJSValueSQL?.(field, this.dialect.platform) ?? field;
  }

  /** The stored column of a property as an index has it. */
  indexed(meta: EntityMetadata, name: string): string {
    return this.dialect.quote(storedFields(ownProperty(meta, name))[0] ?? name);
  }

  #fieldsOf(alias: string, meta: EntityMetadata): StoredField {
    return (name) => this.field(alias, ownProperty(meta, name));
  }

  /** The condition that joins a parent: the owner holds its key, or computes it, or the parent holds the owner's. */
  joined(ownerAlias: string, { owner, property }: Relation, alias: string, parentKey: string): string {
    if (property.formula !== undefined)
      return `(${this.#formula(ownerAlias, owner, property)}) = ${parentKey}`;
    const owning = property.owner ? undefined : owningSide(property);
    if (owning === undefined) {
      const key = `${this.field(ownerAlias, property)} = ${parentKey}`;
      return [key, ...this.parted(alias, ownerAlias, property)].join(' and ');
    }
    const ownKey = owning.targetMeta === undefined ? owning : keyPropertyOf(owning.targetMeta);
    const key = `${this.field(alias, owning)} = ${this.field(ownerAlias, ownKey)}`;
    return [key, ...this.parted(ownerAlias, alias, owning)].join(' and ');
  }

  /** The comparisons of what a key of several columns has before the last one, in a parent and in records that refer to it. */
  parted(parentAlias: string, alias: string, { targetMeta, joinColumns }: EntityProperty): readonly string[] {
    return targetMeta === undefined ? [] : this.partedBy(parentAlias, targetMeta, alias, joinColumns);
  }

  /** {@link parted} of a table that has the key of a record in some columns. */
  partedBy(
    keyAlias: string,
    meta: EntityMetadata,
    alias: string,
    columns: readonly string[],
  ): readonly string[] {
    return partingPropertiesOf(meta).map((property, index) => {
      return `${this.column(alias, columns[index])} = ${this.field(keyAlias, property)}`;
    });
  }

  /** The columns of a key, as a row where it has several: for a sub-select of keys. */
  keys(alias: string, meta: EntityMetadata): string {
    const fields = meta.getPrimaryProps().map((property) => this.field(alias, property));
    return fields.length === 1 ? fields.join() : `(${fields.join(', ')})`;
  }

  get #isChosen(): boolean {
    return this.chosen !== undefined && this.chosen !== this.dialect.platform.getDefaultSchemaName();
  }

  #formula(alias: string, meta: EntityMetadata, { formula }: EntityProperty): string {
    if (formula === undefined) return 'null';
    const schema = this.schemaOf(meta);
    const qualifiedName = schema === undefined ? meta.tableName : `${schema}.${meta.tableName}`;
    const named = schema === undefined ? {} : { schema };
    const table = { alias, name: meta.tableName, qualifiedName, ...named, toString: () => alias };
    const sql = this.driver.evaluateFormula(formula, meta.createColumnMappingObject(alias), table);
    // MikroORM writes an operator's question mark with a backslash, to tell it from a placeholder.
    return sql.replaceAll(String.raw`\?`, '?');
  }
}

/** A property that the start has found in metadata. */
function ownProperty({ properties, className }: EntityMetadata, name: string): EntityProperty {
  const property: EntityProperty | undefined = Object.hasOwn(properties, name)
    ? Reflect.get(properties, name)
    : undefined;
  if (property === undefined) throw new TypeError(`${className} has no property '${name}'`);
  return property;
}

/** Characters that MikroORM does not quote in a name, or takes for what stands between two; and the empty name. */
const unquotable = /^$|["'`.\0]/;

/** True if the table of a to-one relation's owner has the key of the parent. */
export function holdsKey({ kind, owner }: EntityProperty): boolean {
  return kind === ReferenceKind.MANY_TO_ONE || (kind === ReferenceKind.ONE_TO_ONE && owner);
}

/** The discriminator values of an entity that shares its table with others (single table inheritance). */
export function kindsOf(
  meta: EntityMetadata,
): { readonly property: EntityProperty; readonly values: readonly (string | number)[] } | undefined {
  const { root } = meta;
  const property = propertyOf(root, root.discriminatorColumn);
  if (meta === root || property === undefined) return undefined;
  const values = Object.entries(root.discriminatorMap ?? {})
    .filter(([, entity]) => entity === meta.class || entity.prototype instanceof meta.class)
    .map(([value]) => value);
  return { property, values };
}

function propertyOf(meta: EntityMetadata | undefined, name: string | undefined): EntityProperty | undefined {
  return Object.values<EntityProperty>(meta?.properties ?? {}).find((property) => property.name === name);
}
