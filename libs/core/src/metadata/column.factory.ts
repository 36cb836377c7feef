import { ReferenceKind, type EntityMetadata, type EntityProperty, type Platform } from '@mikro-orm/core';
import { BasePostgreSqlPlatform } from '@mikro-orm/sql';
import { ofMarks, softEntityOf } from '../model/soft/soft.entity.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import type { ColumnDefinition } from '../model/column.definition.js';
import type { Column } from '../model/column.js';
import type { ColumnType } from '../model/column.type.js';
import { BelongsToIdColumn } from '../model/columns/belongs-to-id.column.js';
import { ManyToManyIdsColumn } from '../model/columns/many-to-many-ids.column.js';
import { rulesOfType } from '../model/validators/ruled.type.js';
import type { Validator } from '../model/validator.js';
import { ParentExists } from '../model/validators/parent-exists.validator.js';
import { RecordsExist } from '../model/validators/records-exist.validator.js';
import { decoratedRules } from './decorated.rules.js';
import { hiddenReason } from './hidden.property.js';
import { keyPropertyOf } from './keys/key.property.js';
import { childrenOf, ownedParentOf } from './relation.property.js';
import { conversionOf, factsOf, isNullable, narrowedTypeOf, validatorsOf } from './suggested.column.js';

/** Makes columns of what MikroORM's metadata says and what the user's definitions add. */
export class ColumnFactory {
  constructor(private readonly platform: Platform) {}

  column(
    name: string,
    meta: EntityMetadata,
    property: EntityProperty,
    definition: ColumnDefinition = {},
  ): Column {
    const type = this.#narrowed(definition.type, property) ?? this.#suggested(property);
    refuseUnset(meta, name, property, type);
    refuseMisfit(`${meta.className}.${name}`, property, type, this.platform);
    const implied = [...impliedValidators(meta, property, this.platform), ...rulesOfType(type)];
    return {
      name,
      property,
      type,
      message: definition.message,
      deprecated: definition.deprecated ?? false,
      validators: merged(implied, definition.validators ?? []),
      impliedValidators: implied,
      nullable: isNullable(property),
      conversion: conversionOf(property),
      hiddenBecause: hiddenReason(meta, property),
      readOnlyBecause: markReason(meta, property) ?? readOnlyReason(property, type),
    };
  }

  /** An override replaces what definitions said. What metadata implies is the database's, and stays. */
  overridden(column: Column, { type, validators, message, deprecated }: ColumnDefinition): Column {
    if (column.type.virtual !== undefined)
      throw new ConfigurationError('columnOverrides', column.name, 'a virtual column is the same everywhere');
    const given = this.#narrowed(type, column.property) ?? column.type;
    refuseMisfit(`columnOverrides of '${column.name}'`, column.property, given, this.platform);
    return {
      ...column,
      type: given,
      message: message ?? column.message,
      deprecated: deprecated ?? column.deprecated,
      validators: validators === undefined ? column.validators : merged(column.impliedValidators, validators),
      readOnlyBecause: column.readOnlyBecause === ofMarks ? ofMarks : readOnlyReason(column.property, given),
    };
  }

  #suggested(property: EntityProperty): ColumnType {
    const parent = ownedParentOf(property);
    if (parent !== undefined) return new BelongsToIdColumn(this.#suggested(keyPropertyOf(parent)));
    const children = childrenOf(property);
    if (children !== undefined) return new ManyToManyIdsColumn(this.#suggested(keyPropertyOf(children)));
    return narrowedTypeOf(property, this.platform);
  }

  /** A given type, narrowed to what the database column can hold. */
  #narrowed(type: ColumnType | undefined, property: EntityProperty): ColumnType | undefined {
    const parent = ownedParentOf(property);
    const stored = parent === undefined ? property : keyPropertyOf(parent);
    const facts = { ...factsOf(stored, this.platform), suggested: this.#suggested(property) };
    return type?.narrow?.(facts) ?? type;
  }
}

/** A list of keys may be empty or left out, so it is not Required as other columns are that cannot be null. */
function impliedValidators(meta: EntityMetadata, property: EntityProperty, platform: Platform): Validator[] {
  if (childrenOf(property) !== undefined) return [new RecordsExist()];
  const parentRule = ownedParentOf(property) === undefined ? [] : [new ParentExists()];
  const implied = validatorsOf(meta, property, platform);
  return [...implied, ...parentRule, ...decoratedRules(meta, property, platform)];
}

/** Created and Updated columns are filled by MikroORM, so the entity must say how. */
function refuseUnset(
  { className }: EntityMetadata,
  name: string,
  property: EntityProperty,
  type: ColumnType,
): void {
  const { onCreate, onUpdate, default: value, defaultRaw } = property;
  const isSet = type.setAutomatically === 'update' ? onUpdate : (onCreate ?? onUpdate ?? value ?? defaultRaw);
  if (type.setAutomatically === undefined || isSet !== undefined) return;
  const hook = type.setAutomatically === 'update' ? 'onUpdate' : 'onCreate';
  throw new ConfigurationError(
    `${className}.${name}`,
    'type',
    `a ${type.name} column needs ${hook} in the entity`,
  );
}

/** Some types cannot be kept in every property, and what the service sets must be stored somewhere. */
function refuseMisfit(owner: string, property: EntityProperty, type: ColumnType, platform: Platform): void {
  const reason =
    misplacedLinks(property, type) ??
    (type.search === undefined || platform instanceof BasePostgreSqlPlatform
      ? undefined
      : 'it needs PostgreSQL or PGlite') ??
    (type.virtual === undefined ? undefined : 'it is of no property: define it under a name of its own') ??
    type.misfit?.(factsOf(property, platform)) ??
    (type.fromRequest === undefined ? undefined : unwrittenReason(property));
  if (reason !== undefined)
    throw new ConfigurationError(owner, 'type', `a ${type.name} column is not possible here: ${reason}`);
}

/** Keys of related records have a table of their own, in which nothing else can be kept. */
function misplacedLinks(property: EntityProperty, { storage }: ColumnType): string | undefined {
  const holdsLinks = childrenOf(property) !== undefined;
  if (holdsLinks === (storage === 'links')) return undefined;
  return holdsLinks ? 'the property holds keys of related records' : 'the property is no to-many relation';
}

/** A later validator of the same name replaces an earlier one. */
function merged(implied: readonly Validator[], given: readonly Validator[]): Validator[] {
  return [...new Map([...implied, ...given].map((validator) => [validator.name, validator])).values()];
}

function markReason(meta: EntityMetadata, property: EntityProperty): string | undefined {
  const soft = softEntityOf(meta);
  return soft !== undefined && [soft.property, soft.by].includes(property) ? ofMarks : undefined;
}

function readOnlyReason(property: EntityProperty, type: ColumnType): string | undefined {
  if (type.setAutomatically !== undefined || type.fromRequest !== undefined)
    return `a ${type.name} column is set by the service`;
  return unwrittenReason(property);
}

/** Gives the reason why nobody writes a property through its column; undefined when it can be written. */
function unwrittenReason(property: EntityProperty): string | undefined {
  if (property.formula !== undefined || property.persist === false) return 'it is computed';
  if (property.kind === ReferenceKind.MANY_TO_MANY && property.where !== undefined)
    return 'its relation has a where, so that a list of its keys is not the whole list';
  if (property.generated !== undefined) return 'the database generates it';
  if (property.version === true) return 'MikroORM counts it';
  if (property.embedded !== undefined || property.kind === ReferenceKind.EMBEDDED)
    return 'columns of an embeddable can only be read';
  return undefined;
}
