import {
  ReferenceKind,
  Utils,
  type EntityMetadata,
  type EntityName,
  type EntityProperty,
  type MetadataStorage,
  type Platform,
} from '@mikro-orm/core';
import { didYouMean } from '../options/nearest.name.js';
import type { Casing } from '../wire/casing.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { definitionsOf, type ColumnDefinition, type ColumnOverrides } from '../model/column.definition.js';
import type { Column } from '../model/column.js';
import { definitionCheck } from '../model/definition.checks.js';
import { JsonColumn } from '../model/columns/json.column.js';
import { ColumnFactory } from './column.factory.js';
import { partingPropertiesOf } from './keys/key.property.js';
import { propertiesAt } from './keys/entity.path.js';
import { childrenOf, namesOf, ownedParentOf, parentOf } from './relation.property.js';
import { casingOfName, commonCasing, declaredCasing } from './declared.casing.js';
import { columnNameOf } from './property.column.js';
import { declaredList, relatedList } from './related.list.js';
import { betweenOf, isMadeUp, unkeyedReason, unshownReason } from './unserved.relation.js';
import { virtualColumns } from './virtual/virtual.columns.js';
import { jsonMemberColumn, overriddenMember } from './members/json.member.column.js';
import { Model, type Relation } from '../model/model.js';
import { softEntityOf } from '../model/soft/soft.entity.js';
import { softFamilyOf } from './soft/soft.family.js';

/** The options of an application and an endpoint by which models differ. */
export interface Naming {
  /** The endpoint's internal casing, which names BelongsToId columns. */
  readonly casing: Casing;
  /** The column of `partition`: the other columns of a key may be this one alone. */
  readonly partition: string | undefined;
}

/** A column whose type has a search of its own. */
export interface SearchedColumn extends Pick<Column, 'name' | 'type'> {
  readonly className: string;
}

/** Makes models from MikroORM's metadata, each once per internal casing. Lives as long as the application. */
export class ModelRegistry {
  readonly #models = new Map<string, Model>();
  readonly #factory: ColumnFactory;

  constructor(
    private readonly metadata: MetadataStorage,
    private readonly platform: Platform,
  ) {
    this.#factory = new ColumnFactory(platform);
  }

  /**
   * @param owner the endpoint, for error messages
   * @param overrides the endpoint's `columnOverrides`
   */
  modelOf(entity: EntityName, owner: string, naming: Naming, overrides: ColumnOverrides = {}): Model {
    const meta = this.#metaOf(entity);
    const refuse = (problem: string): never => {
      throw new ConfigurationError(owner, 'modelClass', problem);
    };
    if (meta === undefined) return refuse(unknownEntity(this.nameOf(entity)));
    const unparted = unpartedReason(meta, naming.partition);
    if (unparted !== undefined) return refuse(unparted);
    if (meta.virtual === true || meta.inheritanceType === 'tpt')
      return refuse(`${meta.className} is not stored in one table, which is not supported`);
    const model = this.#model(meta, naming);
    return Object.keys(overrides).length === 0 ? model : this.#overridden(model, owner, overrides);
  }

  /**
   * Finds the casing of an entity's properties where none is configured: as their names show, else as an endpoint names
   * its columns, else as all entities do, else as the contract does.
   *
   * @param entity undefined for an endpoint that works on none
   * @param written the names that the endpoint's own options say
   * @throws ConfigurationError for properties whose names disagree
   */
  casingOf(entity: EntityName | undefined, owner: string, written: Iterable<string> = []): Casing {
    const meta = entity === undefined ? undefined : this.#metaOf(entity);
    const declared = meta === undefined ? undefined : declaredCasing(owner, meta);
    if (declared !== undefined) return declared;
    for (const name of written) {
      const casing = casingOfName(name);
      if (casing !== undefined) return casing;
    }
    return commonCasing(this.metadata.getAll().values()) ?? 'snake_case';
  }

  /** The columns of all models that were made whose types have searches of their own. */
  get searchedColumns(): SearchedColumn[] {
    return [...this.#models.values()].flatMap(({ meta: { className }, columns }) =>
      [...columns.values()].flatMap(({ name, type }) =>
        type.search === undefined ? [] : [{ className, name, type }],
      ),
    );
  }

  nameOf(entity: EntityName): string {
    return Utils.className(entity);
  }

  /** The class of an entity, however it was declared; undefined for one that MikroORM does not know. */
  classOf(entity: EntityName): object | undefined {
    return this.metadata.find(entity)?.class;
  }

  /** The model of the entity that is stored in a table; undefined for a table that MikroORM does not know. */
  modelOfTable(tableName: string, naming: Naming): Model | undefined {
    const meta = [...this.metadata.getAll().values()].find((one) => one.tableName === tableName);
    return meta === undefined ? undefined : this.#model(meta.root, naming);
  }

  #metaOf(entity: EntityName): EntityMetadata | undefined {
    const found = this.metadata.find(entity);
    // An entity that MikroORM was not given has metadata too, as it was declared, but it was never discovered.
    return found !== undefined && this.metadata.getAll().has(found.class) ? found : undefined;
  }

  /** @param known the entity as whoever asks knows it: a relation's target is not the metadata that MikroORM works with */
  #model(known: EntityMetadata, naming: Naming): Model {
    const meta = this.metadata.get(known.class);
    const { casing, partition = '' } = naming;
    const key = `${casing === 'snake_case' ? 'snake_case' : 'camelCase'} ${meta._id} ${partition}`;
    const made = this.#models.get(key);
    if (made !== undefined) return made;
    const model = this.#made(meta, naming);
    this.#models.set(key, model);
    // Now, and not when a request first needs a parent, so that a mistake stops the start. Circles end at the map.
    for (const relation of model.relations.values()) relation.target();
    return model;
  }

  #made(meta: EntityMetadata, naming: Naming): Model {
    const { casing } = naming;
    const definitions = definitionsOf(meta.class);
    checkDefinitions(meta, definitions);
    // What it is wrong with stops the start.
    softFamilyOf(meta, this.metadata);
    const columns = new Map<string, Column>();
    const relations = new Map<string, Relation>();
    const parents = new Map<string, () => Model>();
    const unserved = new Map<string, string>();
    for (const property of Object.values<EntityProperty>(meta.properties)) {
      if (isMadeUp(property)) continue;
      const unparted = unpartedReason(property.targetMeta, naming.partition);
      const reason = unparted ?? this.#unservedReason(property);
      if (reason !== undefined)
        for (const name of namesOf(property, casing))
          unserved.set(name, `${meta.className}.${property.name} cannot be served: ${reason}`);
      if (unparted !== undefined || (reason !== undefined && ownedParentOf(property) === undefined)) continue;
      const column = this.#columnOf(meta, property, casing, definitions);
      if (column !== undefined) columns.set(column.name, column);
      const keyed = ownedParentOf(property) ?? childrenOf(property);
      if (column !== undefined && keyed !== undefined)
        parents.set(column.name, () => this.#model(keyed, naming));
      if (reason !== undefined) continue;
      const relation = this.#relationOf(meta, property, naming, definitions.get(property.name));
      if (relation !== undefined) relations.set(relation.name, relation);
    }
    for (const column of virtualColumns(meta, definitions, columns, this.platform))
      columns.set(column.name, column);
    for (const [name, definition] of definitions) {
      if (columns.has(name) || relations.has(name)) continue;
      const member = jsonMemberColumn(meta, name, definition, columns, this.platform);
      if (member !== undefined) columns.set(name, member);
    }
    refuseUnknown(meta, definitions, new Set([...columns.keys(), ...relations.keys()]), unserved);
    const key = meta.getPrimaryProps().at(-1);
    const id = [...columns.values()].find(({ property }) => property === key);
    if (id === undefined)
      throw new ConfigurationError(meta.className, 'modelClass', 'the entity has no primary key');
    return new Model(meta, { columns, relations, parents, unserved }, id);
  }

  #unservedReason(property: EntityProperty): string | undefined {
    return unkeyedReason(property) ?? unshownReason(property, betweenOf(this.metadata, property));
  }

  #columnOf(
    meta: EntityMetadata,
    property: EntityProperty,
    casing: Casing,
    definitions: ReadonlyMap<string, ColumnDefinition>,
  ): Column | undefined {
    const name = columnNameOf(property, casing);
    if (name === undefined) return undefined;
    const isJson = property.kind === ReferenceKind.EMBEDDED;
    const definition = { ...(isJson ? { type: new JsonColumn() } : {}), ...definitions.get(name) };
    return this.#factory.column(name, meta, property, definition);
  }

  #relationOf(
    meta: EntityMetadata,
    property: EntityProperty,
    naming: Naming,
    definition: ColumnDefinition | undefined,
  ): Relation | undefined {
    const related = parentOf(property) ?? childrenOf(property);
    if (related === undefined || property.mapToPk === true) return undefined;
    return {
      name: property.name,
      owner: meta,
      property,
      target: () => this.#model(related, naming),
      isToMany: childrenOf(property) !== undefined,
      between: betweenOf(this.metadata, property),
      readableParentColumnNames: definition?.readableParentColumnNames ?? [],
      list: relatedList(
        `defineColumns(${meta.className})`,
        property,
        declaredList(property, this.metadata.get(related.class)),
        definition,
      ),
    };
  }

  #overridden(model: Model, owner: string, overrides: ColumnOverrides): Model {
    const columns = new Map<string, Column>();
    const relations = new Map<string, Relation>();
    for (const [name, definition = {}] of Object.entries(overrides)) {
      const column = model.columns.get(name);
      const relation = model.relations.get(name);
      if (column?.member !== undefined) columns.set(name, overriddenMember(owner, column, definition));
      else if (column !== undefined) columns.set(name, this.#factory.overridden(column, definition));
      else if (relation === undefined)
        throw new ConfigurationError(owner, 'columnOverrides', model.problemOf(name));
      else relations.set(name, withDefinition(owner, relation, definition));
    }
    return model.with(columns, relations);
  }
}

function withDefinition(owner: string, relation: Relation, definition: ColumnDefinition): Relation {
  const { readableParentColumnNames = relation.readableParentColumnNames } = definition;
  return {
    ...relation,
    readableParentColumnNames,
    list: relatedList(owner, relation.property, relation.list, definition),
  };
}

/** The reason why records of an entity are not known by one column: clients have no other key. */
function unpartedReason(meta: EntityMetadata | undefined, partition: string | undefined): string | undefined {
  if (meta?.compositePK !== true) return undefined;
  const parting = partingPropertiesOf(meta).map(({ name }) => name);
  const [name] = partition === undefined ? [] : (propertiesAt(meta, [partition]) ?? []);
  if (parting.length === 1 && parting[0] === name && softEntityOf(meta) === undefined) return undefined;
  const remedy =
    'all but its last property must be the column of `partition`, and nothing may be deleted by a mark';
  return `${meta.className} has a composite key (${meta.primaryKeys.join(', ')}), which is supported by a partition alone: ${remedy}`;
}

function unknownEntity(name: string): string {
  const remedy = 'add it to `entities` of MikroOrmModule.forRoot';
  const context = 'an entity of another context needs forFeature(…, { contextName })';
  return `MikroORM does not know ${name}: ${remedy}; ${context}`;
}

/** A mistake in what was said beside the entity. */
function checkDefinitions(
  { className }: EntityMetadata,
  definitions: ReadonlyMap<string, ColumnDefinition>,
): void {
  for (const [name, definition] of definitions) {
    const problem = definitionCheck.complaint(definition);
    if (problem !== undefined) throw new ConfigurationError(`defineColumns(${className})`, name, problem);
  }
}

function refuseUnknown(
  { className }: EntityMetadata,
  definitions: ReadonlyMap<string, ColumnDefinition>,
  known: ReadonlySet<string>,
  unserved: ReadonlyMap<string, string>,
): void {
  const unknown = [...definitions.keys()].find((name) => !known.has(name));
  if (unknown === undefined) return;
  const near = didYouMean(unknown, known);
  const problem = unserved.get(unknown) ?? `unknown column${near}; known: ${[...known].join(', ')}`;
  throw new ConfigurationError(`defineColumns(${className})`, unknown, problem);
}
