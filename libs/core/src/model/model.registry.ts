import {
  ReferenceKind,
  type EntityMetadata,
  type EntityName,
  type EntityProperty,
  type MetadataStorage,
  type Platform,
} from '@mikro-orm/core';
import type { Casing } from '../wire/casing.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { definitionsOf, type ColumnDefinition, type ColumnOverrides } from './column.definition.js';
import type { Column } from './column.js';
import type { ColumnType } from './column.type.js';
import { BelongsToIdColumn } from './columns/belongs-to-id.column.js';
import { JsonColumn } from './columns/json.column.js';
import { columnTypeOf, conversionOf, factsOf, isNullable, validatorsOf } from './metadata.columns.js';
import { Model, type Relation } from './model.js';
import type { Validator } from './validator.js';
import { ParentExists } from './validators/parent-exists.validator.js';

/** Makes models from MikroORM's metadata, each once per internal casing. Lives as long as the application. */
export class ModelRegistry {
  readonly #models = new Map<string, Model>();

  constructor(
    private readonly metadata: MetadataStorage,
    private readonly platform: Platform,
  ) {}

  /**
   * @param owner the endpoint, for error messages
   * @param casing the endpoint's internal casing, which names BelongsToId columns
   * @param overrides the endpoint's `columnOverrides`
   */
  modelOf(entity: EntityName, owner: string, casing: Casing, overrides: ColumnOverrides = {}): Model {
    const meta = this.metadata.find(entity);
    if (meta === undefined)
      throw new ConfigurationError(owner, 'modelClass', 'MikroORM does not know this entity');
    if (meta.compositePK)
      throw new ConfigurationError(
        owner,
        'modelClass',
        `${meta.className} has a composite key, which is not supported`,
      );
    const model = this.#model(meta, casing);
    return Object.keys(overrides).length === 0 ? model : this.#overridden(model, owner, overrides);
  }

  #model(meta: EntityMetadata, casing: Casing): Model {
    const key = `${casing === 'snake_case' ? 'snake_case' : 'camelCase'} ${meta._id}`;
    const known = this.#models.get(key);
    if (known !== undefined) return known;
    const model = this.#made(meta, casing);
    this.#models.set(key, model);
    return model;
  }

  #made(meta: EntityMetadata, casing: Casing): Model {
    const definitions = definitionsOf(meta.class);
    const columns = new Map<string, Column>();
    const relations = new Map<string, Relation>();
    const parents = new Map<string, () => Model>();
    for (const property of Object.values(meta.properties)) {
      for (const column of this.#columnsOf(property, casing, definitions)) {
        columns.set(column.name, column);
        const { targetMeta } = property;
        if (targetMeta !== undefined && isToOneOwner(property))
          parents.set(column.name, () => this.#model(targetMeta, casing));
      }
      const relation = this.#relationOf(property, casing, definitions.get(property.name));
      if (relation !== undefined) relations.set(relation.name, relation);
    }
    for (const name of definitions.keys())
      if (!columns.has(name) && !relations.has(name))
        throw new ConfigurationError(
          `defineColumns(${meta.className})`,
          name,
          `unknown column; known: ${[...columns.keys()].join(', ')}`,
        );
    const id = [...columns.values()].find(({ property }) => property.primary === true);
    if (id === undefined)
      throw new ConfigurationError(meta.className, 'modelClass', 'the entity has no primary key');
    return new Model(meta, columns, relations, id, parents);
  }

  #columnsOf(
    property: EntityProperty,
    casing: Casing,
    definitions: ReadonlyMap<string, ColumnDefinition>,
  ): Column[] {
    if (isToOneOwner(property)) {
      const name = property.mapToPk === true ? property.name : keyColumnName(property, casing);
      return [this.#column(name, property, definitions.get(name))];
    }
    if (property.kind === ReferenceKind.EMBEDDED)
      return property.object === true || property.array === true
        ? [
            this.#column(property.name, property, {
              type: new JsonColumn(),
              ...definitions.get(property.name),
            }),
          ]
        : [];
    if (
      property.kind !== ReferenceKind.SCALAR ||
      property.object === true ||
      property.fieldNames.length === 0
    )
      return [];
    if (property.persist === false && property.formula === undefined) return [];
    const name = property.embedded === undefined ? property.name : embeddedName(property);
    return [this.#column(name, property, definitions.get(name))];
  }

  #column(name: string, property: EntityProperty, definition: ColumnDefinition | undefined): Column {
    const suggested = this.#typeOf(property);
    const given = narrowed(definition?.type, isToOneOwner(property) ? keyOf(property) : property);
    const type = withMessage(given ?? suggested, definition?.message);
    const implied = validatorsOf(property);
    if (isToOneOwner(property)) implied.push(new ParentExists());
    return {
      name,
      property,
      type,
      validators: merged(implied, definition?.validators ?? []),
      nullable: isNullable(property),
      conversion: conversionOf(property),
      readOnlyBecause: readOnlyReason(property, type),
    };
  }

  #typeOf(property: EntityProperty): ColumnType {
    if (isToOneOwner(property)) return new BelongsToIdColumn(this.#typeOf(keyOf(property)));
    const suggested = columnTypeOf(property, this.platform);
    return narrowed(suggested, property) ?? suggested;
  }

  #relationOf(
    property: EntityProperty,
    casing: Casing,
    definition: ColumnDefinition | undefined,
  ): Relation | undefined {
    const { targetMeta } = property;
    if (!isToOne(property) || property.mapToPk === true || targetMeta === undefined) return undefined;
    return {
      name: property.name,
      property,
      target: () => this.#model(targetMeta, casing),
      readableParentColumnNames: definition?.readableParentColumnNames ?? [],
    };
  }

  #overridden(model: Model, owner: string, overrides: ColumnOverrides): Model {
    const columns = new Map<string, Column>();
    const relations = new Map<string, Relation>();
    for (const [name, definition = {}] of Object.entries(overrides)) {
      const column = model.columns.get(name);
      const relation = model.relations.get(name);
      if (column !== undefined) columns.set(name, replaced(column, definition));
      else if (relation !== undefined)
        relations.set(name, {
          ...relation,
          readableParentColumnNames:
            definition.readableParentColumnNames ?? relation.readableParentColumnNames,
        });
      else
        throw new ConfigurationError(
          owner,
          'columnOverrides',
          `unknown column '${name}'; allowed: ${model.columnNames().join(', ')}`,
        );
    }
    return model.with(columns, relations);
  }
}

/** An override replaces what it names: a given type the type, given validators all validators but those of relations. */
function replaced(column: Column, { type, validators, message }: ColumnDefinition): Column {
  const kept = column.validators.filter((validator) => validator instanceof ParentExists);
  return {
    ...column,
    type: withMessage(narrowed(type, column.property) ?? column.type, message),
    validators: validators === undefined ? column.validators : merged(kept, validators),
  };
}

function narrowed(type: ColumnType | undefined, property: EntityProperty): ColumnType | undefined {
  return type?.narrow?.(factsOf(property)) ?? type;
}

function merged(implied: readonly Validator[], given: readonly Validator[]): Validator[] {
  return [...new Map([...implied, ...given].map((validator) => [validator.name, validator])).values()];
}

/** The same type, complaining with the user's own words. */
function withMessage(type: ColumnType, message: string | undefined): ColumnType {
  if (message === undefined) return type;
  return Object.create(type, {
    complaint: { value: (value: unknown) => (type.complaint(value) === undefined ? undefined : message) },
  }) as ColumnType;
}

function readOnlyReason(property: EntityProperty, type: ColumnType): string | undefined {
  if (type.setAutomatically !== undefined) return `a ${type.name} column is set by the service`;
  if (property.formula !== undefined || property.persist === false) return 'it is computed';
  if (property.generated !== undefined) return 'the database generates it';
  if (property.version === true) return 'MikroORM counts it';
  if (property.embedded !== undefined) return 'columns of an embeddable can only be read';
  return undefined;
}

function isToOne({ kind }: EntityProperty): boolean {
  return kind === ReferenceKind.MANY_TO_ONE || kind === ReferenceKind.ONE_TO_ONE;
}

function isToOneOwner(property: EntityProperty): boolean {
  return (
    property.kind === ReferenceKind.MANY_TO_ONE ||
    (property.kind === ReferenceKind.ONE_TO_ONE && property.owner)
  );
}

function keyOf({ name, targetMeta }: EntityProperty): EntityProperty {
  if (targetMeta === undefined || targetMeta.compositePK)
    throw new ConfigurationError(name, 'relation', 'the parent has no key of one column');
  return targetMeta.getPrimaryProp();
}

function keyColumnName(property: EntityProperty, casing: Casing): string {
  const key = keyOf(property).name;
  if (casing === 'snake_case') return `${property.name}_${key}`;
  return `${property.name}${key.charAt(0).toUpperCase()}${key.slice(1)}`;
}

function embeddedName({ embedded, name }: EntityProperty): string {
  return embedded === undefined ? name : `${embedded[0]}.${embedded[1]}`;
}
